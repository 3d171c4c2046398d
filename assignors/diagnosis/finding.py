"""Finding: a cause that applies, as data. Also the order of the codes, the severities, the
certainties and the class of a group.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any


class Code(StrEnum):
    """The code of every cause. Primary findings are in this order; the first is the headline."""

    LOST = "lost"
    LOSES = "loses"
    DOWN = "down"
    REBALANCING = "rebalancing"
    PAST_END = "past_end"
    UNREAD = "unread"
    BLOCKED = "blocked"
    STALLED = "stalled"
    STUCK = "stuck"
    REWOUND = "rewound"
    NEVER_DRAINS = "never_drains"
    SILENT_MEMBER = "silent_member"
    SLOW_MEMBER = "slow_member"
    ONE_PARTITION = "one_partition"
    HOT_PARTITION = "hot_partition"
    UNCOMMITTED = "uncommitted"
    BEHIND = "behind"
    UNEVEN = "uneven"
    OVER_SLO = "over_slo"
    LAGGING = "lagging"
    UNSTABLE = "unstable"
    BURSTS = "bursts"
    SILENT = "silent"
    LEFT = "left"
    UNKNOWN = "unknown"
    FINE = "fine"
    IDLE = "idle"
    FORGOTTEN = "forgotten"


class Severity(IntEnum):
    """The severity of a finding, from mild to severe."""

    OK = 0
    INFO = 1
    WARNING = 2
    CRITICAL = 3

    @property
    def word(self) -> str:
        """The word in JSON and conditions."""
        return self.name.lower()


class Certainty(StrEnum):
    """How certain a finding is. `UNSURE`: there is one reading, and its lag is so small that it may
    be the records since the last commit.
    """

    CERTAIN = "certain"
    LIKELY = "likely"
    UNSURE = "unsure"


class Settles(StrEnum):
    """The evidence that would make an uncertain finding certain."""

    LATER_READING = "later_reading"
    STATE = "state"
    ALL_ROWS = "all_rows"
    NOTHING = "nothing"


class Class(StrEnum):
    """What the operator should do: act, wait until the group recovers, read the group again later,
    or nothing. `UNKNOWN`: the state of the group is unknown.
    """

    NEED = "need"
    RECOVER = "recover"
    LATER = "later"
    FINE = "fine"
    UNKNOWN = "unknown"


_PLACE = {code: number for number, code in enumerate(Code)}

PART = 0.05
"""A warning is primary if it explains at least this part of the lag."""

GAIN = 0.1
"""The least gain for which a switch is worthwhile, as a part of the worst member's lag. The
administrator or the user can choose another value.
"""


@dataclass(frozen=True)
class Finding:
    """One cause that applies.

    Parameters
    ----------
    members, tps, topics : tuple of int
        Row numbers of the members, partitions and topics with the problem. The sentence names the
        first few of each.
    lag : int or None
        Lag that the cause explains; None if unknown.
    figures : mapping
        All numbers of the sentence.
    detail : mapping
        Facts that decide the words of the sentence.
    is_primary : bool or None
        None if the severity and the explained lag decide whether the finding is primary.
    since : float or None
        When the cause started, from a history, in seconds since 1970.
    is_least : bool
        Whether the cause started before `since`, because the first reading already shows the cause.
    assumed : tuple of str
        Assumptions, in words.
    """

    code: Code
    severity: Severity
    members: tuple[int, ...] = ()
    tps: tuple[int, ...] = ()
    topics: tuple[int, ...] = ()
    lag: int | None = None
    figures: Mapping[str, Any] = field(default_factory=dict)
    detail: Mapping[str, object] = field(default_factory=dict)
    certainty: Certainty = Certainty.CERTAIN
    settles: Settles = Settles.NOTHING
    is_primary: bool | None = None
    since: float | None = None
    is_least: bool = False
    assumed: tuple[str, ...] = ()


REASON = "reason"
"""Key of a detail: the reason why the lag is unknown. The reason may contain names."""

_OF_GROUP = (Code.UNSTABLE, Code.BURSTS, Code.OVER_SLO)
"""Causes that concern the whole lag of the group."""


def decides(finding: Finding, base: int | None) -> bool:
    """Return whether a finding is primary. `base`: the lag of the group without left partitions;
    None if unknown.
    """
    if finding.is_primary is not None:
        return finding.is_primary
    if finding.severity != Severity.WARNING:
        return finding.severity == Severity.CRITICAL
    lag = base if finding.code in _OF_GROUP else finding.lag
    if not base:
        return not lag
    return lag is not None and lag >= PART * base


_OPEN = (Code.SILENT_MEMBER, Code.ONE_PARTITION, Code.BEHIND, Code.LAGGING, Code.REBALANCING)
"""Headlines of a single reading that a later reading can confirm or refute."""

_RECOVERS = (
    Code.BEHIND,
    Code.UNEVEN,
    Code.LAGGING,
    Code.SLOW_MEMBER,
    Code.HOT_PARTITION,
    Code.NEVER_DRAINS,
)


def class_of(headline: Finding, *, is_one_reading: bool, drains: bool = False) -> Class:
    """Return the class of a group by its headline. `drains`: whether the lag drains, with 95 %
    probability, before retention deletes an unread record.
    """
    if headline.code in (Code.FINE, Code.LEFT):
        return Class.FINE
    if headline.code == Code.UNKNOWN:
        return Class.UNKNOWN
    if drains and headline.code in (*_RECOVERS, *_OPEN):
        return Class.RECOVER
    is_unsure = headline.code == Code.UNEVEN and headline.certainty == Certainty.UNSURE
    return Class.LATER if is_one_reading and (headline.code in _OPEN or is_unsure) else Class.NEED


def in_order(findings: Sequence[Finding], primary: Sequence[bool]) -> list[tuple[Finding, bool]]:
    """Return pairs (finding, whether it is primary): first the primary findings by code, then the
    others by code.
    """
    pairs = zip(findings, primary, strict=True)
    return sorted(pairs, key=lambda pair: (not pair[1], _PLACE[pair[0].code]))
