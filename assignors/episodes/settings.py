"""The rules over time and their settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from evenkeel.assignors.diagnosis.finding import Code, Severity


class Rule(StrEnum):
    """Every rule, most severe first. A group has at most one open finding for each rule."""

    LOST = "lost"
    LOSES = "loses"
    STOP = "stop"
    BLOCKED = "blocked"
    STALL = "stall"
    REWIND = "rewind"
    NEVER_DRAINS = "never_drains"
    BEHIND = "behind"
    UNSTABLE = "unstable"
    REBALANCE_BURST = "rebalance_burst"
    UNKNOWN_LAG = "unknown_lag"
    HOT_PARTITION = "hot_partition"
    IDLE_MEMBERS = "idle_members"
    FORGOTTEN = "forgotten"
    LEFT = "left"


class Meaning(NamedTuple):
    """How a rule is reported.

    `codes`: codes under which the rule can be reported. `patience`: seconds between the first slot
    and the report. `figures`: keys of the figures.
    """

    codes: tuple[Code, ...]
    severity: Severity
    patience: float
    figures: tuple[str, ...]


_FORECAST = ("expected", "band", "not_before", "latest", "in_memory", "lag")

MEANINGS = {
    Rule.LOST: Meaning((Code.LOST,), Severity.CRITICAL, 0, ("records",)),
    Rule.LOSES: Meaning((Code.LOSES,), Severity.CRITICAL, 0, _FORECAST),
    Rule.STOP: Meaning(
        (Code.DOWN, Code.UNREAD),
        Severity.WARNING,
        120,
        ("lag", "lag_seconds", "lag_at_most", "not_before"),
    ),
    Rule.BLOCKED: Meaning((Code.BLOCKED,), Severity.WARNING, 120, ("lso", "lag")),
    Rule.STALL: Meaning(
        (Code.STALLED, Code.STUCK),
        Severity.WARNING,
        120,
        ("lag", "lag_seconds", "owner_since"),
    ),
    Rule.REWIND: Meaning((Code.REWOUND,), Severity.WARNING, 0, ("records",)),
    Rule.NEVER_DRAINS: Meaning(
        (Code.NEVER_DRAINS,), Severity.WARNING, 600, ("missing", "lag", "lag_seconds")
    ),
    Rule.BEHIND: Meaning((Code.OVER_SLO,), Severity.WARNING, 120, ("lag_seconds", "slo")),
    Rule.UNSTABLE: Meaning((Code.UNSTABLE,), Severity.WARNING, 0, ("restarts", "pace")),
    Rule.REBALANCE_BURST: Meaning(
        (Code.BURSTS,), Severity.WARNING, 0, ("count", "cause", "setting")
    ),
    Rule.UNKNOWN_LAG: Meaning((Code.UNKNOWN,), Severity.WARNING, 0, ("partitions", "why")),
    Rule.HOT_PARTITION: Meaning((Code.HOT_PARTITION,), Severity.INFO, 3600, ("rate", "times")),
    Rule.IDLE_MEMBERS: Meaning((Code.IDLE,), Severity.INFO, 3600, ("count",)),
    Rule.FORGOTTEN: Meaning((Code.FORGOTTEN,), Severity.INFO, 0, ("lag", "last_member_seen")),
    Rule.LEFT: Meaning((Code.LEFT,), Severity.INFO, 0, ("left_lag",)),
}

OVER_TIME = tuple(code for meaning in MEANINGS.values() for code in meaning.codes)
"""Codes of findings over time, worst first."""

_BY_PROGRESS = (
    Rule.STOP,
    Rule.BLOCKED,
    Rule.STALL,
    Rule.NEVER_DRAINS,
    Rule.HOT_PARTITION,
    Rule.IDLE_MEMBERS,
)
OF_PROGRESS = frozenset(code for rule in _BY_PROGRESS for code in MEANINGS[rule].codes)
"""Codes of findings that need as many slots as a judgement of progress."""


def severity_of(rule: Rule, code: Code) -> Severity:
    """Return the severity of a rule if it is reported under this code."""
    return Severity.CRITICAL if code == Code.DOWN else MEANINGS[rule].severity


@dataclass(frozen=True)
class Settings:
    """Settings of the rules. `forgotten`, `loses_within` and `slo` are in seconds. If `slo` is
    None, the lag objective is not judged.

    Parameters
    ----------
    resolve_after : int
        An episode ends after this number of slots in a row at which the rule does not apply.
    patience : mapping
        Seconds between the first slot and the report, by code. Codes without an entry use the value
        of the rule.
    """

    forgotten: float = 86_400.0
    loses_within: float = 21_600.0
    resolve_after: int = 3
    slo: float | None = None
    patience: Mapping[Code, float] = field(default_factory=dict)

    def patience_of(self, rule: Rule, code: Code) -> float:
        """Return the seconds between the first slot and the report of a finding."""
        return self.patience.get(code, MEANINGS[rule].patience)
