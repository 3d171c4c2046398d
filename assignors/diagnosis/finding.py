"""Finding: one cause that holds, as data; the codes in their order, severities, certainty, and the
class of a group.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any


class Code(StrEnum):
    """Every cause, in the order of primary findings: the first one is the headline."""

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
    """From the mildest to the worst."""

    OK = 0
    INFO = 1
    WARNING = 2
    CRITICAL = 3

    @property
    def word(self) -> str:
        """The word in JSON and conditions."""
        return self.name.lower()


class Certainty(StrEnum):
    """`UNSURE`: small numbers of one reading, which commits explain as well."""

    CERTAIN = "certain"
    LIKELY = "likely"
    UNSURE = "unsure"


class Settles(StrEnum):
    """Evidence that would decide a finding that is not certain."""

    LATER_READING = "later_reading"
    STATE = "state"
    ALL_ROWS = "all_rows"
    NOTHING = "nothing"


class Class(StrEnum):
    """A reader's task: act, wait for a recovery, read again later, nothing; or the group is
    unknown.
    """

    NEED = "need"
    RECOVER = "recover"
    LATER = "later"
    FINE = "fine"
    UNKNOWN = "unknown"


_PLACE = {code: number for number, code in enumerate(Code)}

PART = 0.05
"""The part of the lag from which on a warning is primary."""

GAIN = 0.1
"""The least gain that is worth a switch, a part of 1, unless the administrator or a reader chooses
another.
"""


@dataclass(frozen=True)
class Finding:
    """One cause that holds.

    Parameters
    ----------
    members, tps, topics : tuple of int
        Rows of the subject; the sentence names the first ones.
    lag : int or None
        Records that the cause explains, None if unknown.
    figures : mapping
        Every number of the sentence.
    detail : mapping
        Facts that choose the words of the sentence.
    is_primary : bool or None
        None: the severity and the part of the lag decide.
    since : float or None
        Seconds since 1970, of causes over time.
    is_least : bool
        `since` is the first reading: the cause is older.
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
"""The detail of an unknown lag that says why, in words that may hold names."""

_OF_GROUP = (Code.UNSTABLE, Code.BURSTS, Code.OVER_SLO)
"""Causes without a lag of their own: they concern the whole lag."""


def decides(finding: Finding, base: int | None) -> bool:
    """Return whether a finding is primary; `base`: records of the group without left partitions,
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
"""Headlines of one reading that a later reading decides."""

_RECOVERS = (
    Code.BEHIND,
    Code.UNEVEN,
    Code.LAGGING,
    Code.SLOW_MEMBER,
    Code.HOT_PARTITION,
    Code.NEVER_DRAINS,
)


def class_of(headline: Finding, *, is_one_reading: bool, drains: bool = False) -> Class:
    """Return the class of a group by its headline; `drains`: before any loss, with 95 %."""
    if headline.code in (Code.FINE, Code.LEFT):
        return Class.FINE
    if headline.code == Code.UNKNOWN:
        return Class.UNKNOWN
    if drains and headline.code in (*_RECOVERS, *_OPEN):
        return Class.RECOVER
    is_unsure = headline.code == Code.UNEVEN and headline.certainty == Certainty.UNSURE
    return Class.LATER if is_one_reading and (headline.code in _OPEN or is_unsure) else Class.NEED


def in_order(findings: Sequence[Finding], primary: Sequence[bool]) -> list[tuple[Finding, bool]]:
    """Return findings, each with whether it is primary: primary findings first, in the order of
    codes.
    """
    pairs = zip(findings, primary, strict=True)
    return sorted(pairs, key=lambda pair: (not pair[1], _PLACE[pair[0].code]))
