"""Truth: what the script of the incidents has brought about, beside what was reported."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Expected:
    """A finding that must be reported.

    Parameters
    ----------
    codes : tuple of str
        Its names; a stall has another one while the window still has a commit.
    since, until : float or None
        Seconds; no `since`: before the first slot. No `until`: still open.
    tolerance : float
        Seconds that `since` may be off: a slot and a commit.
    """

    group: str
    codes: tuple[str, ...]
    since: float | None
    partitions: Sequence[str] = ()
    members: Sequence[str] = ()
    until: float | None = None
    tolerance: float = 7.0
    is_folded: bool = False
    faults: list[str] = field(default_factory=list)

    def matches(self, row: dict[str, Any]) -> bool:
        """Tell whether a finding is this one."""
        return row["group"] == self.group and row["code"] in self.codes

    def compare(self, row: dict[str, Any], until_tolerance: float) -> str:
        """Note what is wrong with a finding; return its row of the table."""
        subject = row["subject"]
        if sorted(subject["partitions"]) != sorted(self.partitions):
            self.faults.append(f"partitions {subject['partitions']}")
        if sorted(subject["members"]) != sorted(self.members):
            self.faults.append(f"members {subject['members']}")
        if row["since_is_least"] != (self.since is None):
            self.faults.append(f"since_is_least {row['since_is_least']}")
        off = 0.0 if self.since is None else row["since"] - self.since
        if abs(off) > self.tolerance:
            self.faults.append(f"since {off:+.1f} s")
        if (row["until"] is None) != (self.until is None):
            self.faults.append(f"until {row['until']}")
        elif self.until is not None and abs(row["until"] - self.until) > until_tolerance:
            self.faults.append(f"until {row['until'] - self.until:+.1f} s")
        if (row["folded_into"] is not None) != self.is_folded:
            self.faults.append(f"folded into {row['folded_into']}")
        state = "; ".join(self.faults) or "right"
        return (
            f"{self.group:11} {row['code']:13} since {off:+5.1f} s  seen after"
            f" {row['seen'] - (self.since or 0):5.1f} s  {state}"
        )


def judged(
    expected: Sequence[Expected],
    rows: Sequence[dict[str, Any]],
    allowed: Sequence[tuple[str, str]],
    until_tolerance: float,
) -> tuple[list[str], int]:
    """Return the lines of the table, and how many findings are missed, false or wrong; `allowed`:
    pairs of group and code that are neither asked for nor wrong.
    """
    lines, used, faults = [], set(), 0
    for each in expected:
        mine = [number for number, row in enumerate(rows) if each.matches(row)]
        if not mine:
            lines.append(f"{each.group:11} {each.codes[0]:13} MISSED")
            faults += 1
            continue
        best = min(mine, key=lambda number: abs(rows[number]["since"] - (each.since or 0)))
        used.add(best)
        lines.append(each.compare(rows[best], until_tolerance))
        faults += bool(each.faults)
    for number, row in enumerate(rows):
        if number not in used and (row["group"], row["code"]) not in allowed:
            lines.append(
                f"{row['group']:11} {row['code']:13} FALSE since {row['since']:.1f},"
                f" {row['seen']:.1f} to {row['until']}, {row['subject']}"
            )
            faults += 1
    return lines, faults
