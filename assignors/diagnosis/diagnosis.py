"""Diagnosis: every cause of one group in one order; the first primary finding is the headline, and
nobody else judges.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.causes import (
    behind,
    down,
    fine,
    hot_partition,
    idle,
    lagging,
    left,
    one_partition,
    past_end,
    rebalancing,
    rewound,
    silent_member,
    slow_member,
    stalled,
    stuck,
    uncommitted,
    uneven,
    unknown,
    unread,
)
from evenkeel.assignors.diagnosis.finding import (
    Class,
    Code,
    Finding,
    Severity,
    class_of,
    decides,
    in_order,
)

CAUSES = [
    down,
    rebalancing,
    past_end,
    unread,
    stalled,
    stuck,
    rewound,
    silent_member,
    slow_member,
    hot_partition,
    one_partition,
    uncommitted,
    behind,
    uneven,
    lagging,
    left,
    unknown,
    fine,
    idle,
]
"""In the order in which they are judged: a later one may ask which earlier ones already decide."""

_OF_SHARE = (down, unread, unknown, fine)


@dataclass(frozen=True)
class Diagnosis:
    """The findings of one group, the headline first, and which of them are primary; the others are
    notes.
    """

    findings: tuple[Finding, ...]
    primary: tuple[bool, ...]
    group_class: Class

    @property
    def headline(self) -> Finding:
        return self.findings[0]


def diagnose(case: Case, over_time: Sequence[Finding] = (), drains: bool = False) -> Diagnosis:
    """Return the diagnosis of one group; there is always a headline.

    Parameters
    ----------
    case : Case
    over_time : sequence of Finding
        Causes that only a history tells; each replaces a finding of its code.
    drains : bool
        The group drains with 95 % before any record is lost.
    """
    findings = list(over_time)
    case.primary.update(each.code for each in findings if decides(each, case.base))
    known = {each.code for each in findings}
    for cause in _OF_SHARE if case.is_share else CAUSES:
        finding = cause.find(case) if cause.CODE not in known else None
        if finding is not None:
            findings.append(finding)
            if decides(finding, case.base):
                case.primary.add(finding.code)
    pairs = in_order(findings, [each.code in case.primary for each in findings])
    ordered = [finding for finding, _ in pairs]
    group_class = class_of(ordered[0], is_one_reading=case.is_one_reading, drains=drains)
    if group_class == Class.RECOVER:
        ordered[0] = replace(ordered[0], severity=Severity.INFO)
    return Diagnosis(tuple(ordered), tuple(is_primary for _, is_primary in pairs), group_class)
