"""What a history says of a group, as lines for people."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evenkeel.assignors.group.lag import total_lag
from evenkeel.assignors.history.diagnosis import Illness
from evenkeel.assignors.history.now import Now
from evenkeel.assignors.history.time_lag import UNKNOWN_SECONDS
from evenkeel.assignors.history.verdicts import OBSERVATIONS, VERDICTS
from evenkeel.data.commands.printing.alignment import aligned_lines
from evenkeel.data.commands.printing.history_document import Report, event_rows, finite, partition_rows, utc, utc_time
from evenkeel.data.commands.printing.terminal_text import printable
from evenkeel.data.words.formats import counted, duration
from evenkeel.data.words.history import REBALANCING, SnapshotAge, finding_words, told, why_never
from evenkeel.data.words.names import without_uuid

if TYPE_CHECKING:
    from evenkeel.data.scenarios.drains import GroupDrain

UNKNOWN = "–"
_MOST_LINES = 20
_WHY_UNKNOWN = "It is unknown when it drains: what members can read was not seen."


def history_lines(one: Report, age: SnapshotAge) -> str:
    """Return the group in one line, its findings, worst partitions, members, last events, and how long each answer takes."""
    now = one.now
    head = f"{one.history.group_id}: {VERDICTS[now.lasting_verdict]} at {utc(now.series.time[-1])}"
    seconds = f"time lag {_seconds(now.worst_seconds)}" + (f" ({now.worst_method})" if now.worst_method else "")
    facts = f"lag {_lag(now)}, {seconds}, {counted(now.series.slot_count - one.history.lead, 'snapshot')}"
    findings = [finding_words(found, now.series) for found in now.findings]
    # Restarts are among the findings.
    wrong = told(now, one.observed.snapshot, one.observed.group_type, age=one.since.age)
    findings += [f"{sentence.text}." for sentence in wrong if sentence.illness != Illness.RESTARTS]
    lines = [f"{head}  ({facts})", f"{_since(one)}; {age}", *_gone(one), *_unobserved(now), *findings, "", *_table(one)]
    events_of = _event_lines(event_rows(one))
    lines += ["", *events_of] if events_of else []
    lines += ["", *_drain_lines(one.drains)] if one.drains else []
    return "\n".join(map(printable, lines)) + "\n"


def _since(one: Report) -> str:
    is_slow = one.now.group_verdict != one.now.lasting_verdict
    brief = f"; a partition is SLOW, which counts once it has lasted {OBSERVATIONS} snapshots" if is_slow else ""
    return f"since {utc_time(one.since.at)}{' or longer' * one.since.is_older}{brief}"


def _lag(now: Now) -> str:
    lag, unknown = total_lag(now.lag) if now.tps.size else None, now.unknown_count()
    if lag is None:
        return UNKNOWN
    return f"{lag:,} and {unknown:,} of {counted(now.tps.size, 'partition')} unknown" if unknown else f"{lag:,}"


def _unobserved(now: Now) -> list[str]:
    count = int(np.count_nonzero(now.is_unobserved))
    of = f"{count:,} of {counted(now.tps.size, 'partition')}"
    return [f"No committed offset with a lag is known for {of}: they count as OK."] if count else []


def _gone(one: Report) -> list[str]:
    missing = one.history.series.slot_count - one.now.series.slot_count
    return [f"Not in the last {counted(missing, 'snapshot')}: the group was deleted, or could not be read."] if missing else []


def _table(one: Report) -> list[str]:
    """Return a line for each of the worst partitions."""
    now, partitions, tps = one.now, partition_rows(one), one.now.tps
    if not partitions:
        return ["The last snapshot names no partition of it."]
    rows = [partitions[place] for place in np.lexsort([-now.lag[tps], -now.verdict[tps]])[:_MOST_LINES].tolist()]
    cells = [["partition", "owner", "verdict", "lag", "time lag", "method", "in/s", "out/s", "drains in"]]
    cells += [
        [
            f"{row['topic']}-{row['partition']}",
            row["owner"] or UNKNOWN,
            row["verdict"],
            UNKNOWN if row["lag"] is None else f"{row['lag']:,}",
            _seconds(row["lag_seconds"]),
            row["lag_seconds_method"] or UNKNOWN,
            *(UNKNOWN if row[rate] is None else f"{row[rate]:,.1f}" for rate in ("in_rate", "out_rate")),
            "never" if row["never"] else _seconds(row["drain_seconds"]),
        ]
        for row in rows
    ]
    return aligned_lines(cells, 3)


def _event_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each of the last events, below one that says what is left out: the list begins later than the range."""
    left, first = len(rows) - _MOST_LINES, rows[0]["at"] if rows else ""
    head = [f"the last {_MOST_LINES} of {len(rows):,} events; the first is of {first}: --json has all"] if left > 0 else []
    return head + [f"{event['at']}  {event['what']}" for event in rows[-_MOST_LINES:]]


def _drain_lines(drains: Mapping[str, "GroupDrain"]) -> list[str]:
    """Return a line for each answer, and below them each reason once."""
    lines = aligned_lines([["drains in", "5 %", "50 %", "95 %"], *(_drain_cells(*pair) for pair in drains.items())])
    endless: dict[str, list[str]] = {}
    for name, found in drains.items():
        if found.is_never:
            endless.setdefault(_why_never(found), []).append(name)
    lines += [f"never ({', '.join(names)}): {why}" for why, names in endless.items()]
    if not all(np.isnan(found.band).all() for found in drains.values()):
        return lines
    return [*lines, REBALANCING if any(found.is_between for found in drains.values()) else _WHY_UNKNOWN]


def _why_never(found: "GroupDrain") -> str:
    return why_never(found.excess, [without_uuid(member) for member in found.endless.members], *found.endless[1:], found.missing)


def _drain_cells(name: str, found: "GroupDrain") -> list[str]:
    low, middle, high = ("never" if np.isinf(end) else _seconds(finite(end)) for end in found.band)
    if found.is_single:
        return [name, UNKNOWN, f"≈ {middle}", UNKNOWN]
    return [name, f"≥ {low}" if low != UNKNOWN and middle == UNKNOWN else low, middle, high]


def _seconds(seconds: float | None) -> str:
    return UNKNOWN if seconds is None or seconds == UNKNOWN_SECONDS else duration(seconds)
