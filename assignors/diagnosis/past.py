"""What a history adds to a diagnosis: the start of each cause, and causes that only a history
shows. If such a cause explains a finding, the finding is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evenkeel.assignors.diagnosis.finding import Code, Finding, Severity

_SAME = (
    {Code.DOWN, Code.UNREAD},
    {Code.STALLED, Code.STUCK},
    {Code.REWOUND},
    {Code.HOT_PARTITION},
    {Code.IDLE},
    {Code.LEFT},
)
"""Sets of codes for the same problem. Which code a single reading gives depends on the members
and commits that it shows.
"""

_OF_PARTITIONS = (Code.STALLED, Code.STUCK)
"""Codes for the same problem only if both findings have a partition in common."""

_READ = (Code.HOT_PARTITION, Code.IDLE)
"""Problems that are over if the latest reading does not show them."""

_SLOW = (
    Code.SLOW_MEMBER,
    Code.SILENT_MEMBER,
    Code.HOT_PARTITION,
    Code.ONE_PARTITION,
    Code.BEHIND,
    Code.UNEVEN,
    Code.LAGGING,
)
"""Codes that a single reading gives if lag never drains."""

EXPLAINED = "explained"
"""Key of a detail: another finding explains this finding. Such findings are left out of lists of
notes.
"""

_EXPLAIN = (Code.LOST, Code.LOSES, Code.BLOCKED)
_OF_LOSS = {Code.DOWN, Code.UNREAD, Code.STALLED, Code.STUCK, Code.NEVER_DRAINS, *_SLOW}


def with_past(findings: Sequence[Finding], over_time: Sequence[Finding]) -> list[Finding]:
    """Return the findings of a reading and of a history together, with one finding for each
    cause.
    """
    result = list(findings)
    for past in over_time:
        place = next((row for row, each in enumerate(result) if _is_same(each, past)), None)
        if place is not None:
            result[place] = _joined(result[place], past)
        if past.code == Code.NEVER_DRAINS and place is not None:
            result.append(replace(past, detail={**past.detail, EXPLAINED: True}, is_primary=False))
        elif place is None and past.code not in _READ:
            result.append(past)
    explained = {tp for past in over_time if past.code in _EXPLAIN for tp in past.tps}
    return [each for each in result if not _is_explained(each, explained)]


def primary_codes(over_time: Sequence[Finding], primary: Sequence[bool]) -> Iterator[Code]:
    """Yield the codes of the primary findings of a history, without the causes that may be over by
    now.
    """
    pairs = zip(over_time, primary, strict=True)
    return (each.code for each, decides in pairs if decides and each.code not in _READ)


def _is_same(each: Finding, past: Finding) -> bool:
    if past.code == Code.NEVER_DRAINS:
        return each.code in _SLOW and not set(past.tps).isdisjoint(each.tps or past.tps)
    if each.code == past.code and each.code not in _OF_PARTITIONS:
        return True
    is_of_one = any({each.code, past.code} <= codes for codes in _SAME)
    return is_of_one and not set(each.tps).isdisjoint(past.tps)


def _joined(each: Finding, past: Finding) -> Finding:
    dated = replace(each, since=past.since, is_least=past.is_least)
    if past.code != Code.NEVER_DRAINS:
        return dated
    figures = {**past.figures, **each.figures}
    severity = max(each.severity, Severity.WARNING)
    return replace(dated, figures=figures, severity=severity, is_primary=True)


def _is_explained(each: Finding, explained: set[int]) -> bool:
    return each.code in _OF_LOSS and bool(each.tps) and explained.issuperset(each.tps)
