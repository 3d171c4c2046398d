"""Diagnosis: tries every cause for a group, in a fixed order. The first primary finding is the
headline. No other module decides this.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

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
    REASON,
    Certainty,
    Class,
    Code,
    Finding,
    Settles,
    Severity,
    class_of,
    decides,
    in_order,
)
from evenkeel.assignors.diagnosis.past import primary_codes, with_past

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
"""Causes in the order in which they are tried. A cause can read which earlier causes are
primary.
"""

_OF_SHARE = (down, unread, unknown, fine)


@dataclass(frozen=True)
class Diagnosis:
    """The findings of one group. The headline comes first.

    `primary`: whether each finding is primary; other findings are notes. `is_ignored`: whether the
    configuration ignores every primary finding.
    """

    findings: tuple[Finding, ...]
    primary: tuple[bool, ...]
    group_class: Class
    is_ignored: bool = False

    @property
    def pairs(self) -> Iterator[tuple[Finding, bool]]:
        """Each finding, and whether it is primary."""
        return zip(self.findings, self.primary, strict=True)

    def with_reason(self, reason: str | None) -> Self:
        """Return the diagnosis with a reason why the lag is unknown. None removes the reason."""
        findings = [
            replace(each, detail={**each.detail, REASON: reason})
            if each.code == Code.UNKNOWN and each.lag is None
            else each
            for each in self.findings
        ]
        return replace(self, findings=tuple(findings))

    @property
    def headline(self) -> Finding:
        return self.findings[0]


def diagnose(
    case: Case,
    over_time: Sequence[Finding] = (),
    drains: bool = False,
    ignored: Collection[Code] = (),
) -> Diagnosis:
    """Return the diagnosis of one group. It always has a headline.

    Parameters
    ----------
    case : Case
    over_time : sequence of Finding
        Findings from the history of the group.
    drains : bool
        Whether the group's lag drains, with 95 % probability, before retention deletes an unread
        record.
    ignored : collection of Code
        Codes of findings to leave out. If all primary findings have such a code, no finding is left
        out.
    """
    findings = _judged(case, over_time)
    pairs = in_order(findings, [decides(each, case.base) for each in findings])
    open_pairs = [pair for pair in pairs if pair[0].code not in ignored]
    is_ignored = not any(is_primary for _, is_primary in open_pairs)
    ordered, primary = zip(*(pairs if is_ignored else open_pairs), strict=True)
    headline = ordered[0]
    group_class = class_of(headline, is_one_reading=case.is_one_reading, drains=drains)
    if group_class == Class.RECOVER:
        headline = replace(headline, severity=Severity.INFO)
    return Diagnosis((headline, *ordered[1:]), primary, group_class, is_ignored)


def _judged(case: Case, over_time: Sequence[Finding]) -> list[Finding]:
    findings = []
    decide = [decides(each, case.base) for each in over_time]
    case.primary.update(primary_codes(over_time, decide))
    for cause in _OF_SHARE if case.is_share else CAUSES:
        finding = cause.find(case)
        if finding is not None:
            findings.append(finding)
            if decides(finding, case.base):
                case.primary.add(finding.code)
    findings = with_past(findings, over_time)
    return findings if case.now.is_whole else list(map(_with_doubt, findings))


def _with_doubt(finding: Finding) -> Finding:
    """Return the finding with less certainty, because rows of the reading are missing and could
    contradict the finding. `settles` becomes `ALL_ROWS`, unless the finding already needs other
    evidence.
    """
    if finding.certainty == Certainty.CERTAIN:
        finding = replace(finding, certainty=Certainty.LIKELY)
    if finding.code == Code.FINE:
        return replace(finding, settles=Settles.ALL_ROWS)
    is_told = finding.settles == Settles.NOTHING and finding.code != Code.UNKNOWN
    return replace(finding, settles=Settles.ALL_ROWS) if is_told else finding
