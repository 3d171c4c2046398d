"""Episode: one finding of a rule, from the first slot to the last slot at which the rule
applies.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from evenkeel.assignors.diagnosis.finding import Code, Severity
from evenkeel.assignors.episodes.settings import Rule, severity_of


@dataclass(frozen=True)
class Episode:
    """One finding of a rule, open or ended.

    Parameters
    ----------
    tps : tuple of int
        Numbers of the partitions with the problem, in the series.
    members : tuple of str
        Names of the members with the problem.
    since, seen : float
        `since`: when the problem started. `seen`: first slot at which the rule applies. Both in
        seconds since 1970.
    until, reported : float or None
        `until`: slot at which the episode ended; None if it is open. `reported`: slot at which the
        finding was reported; None if it is not reported yet. Both in seconds since 1970.
    is_least : bool
        Whether the problem started before the first slot.
    figures : mapping
        Figures at the last slot at which the rule applies; a figure is None if unknown.
    because : Rule or None
        The rule that caused a loss of records.
    folded_into : Rule or None
        The rule that explains this finding.
    last_row : int
        Number of the last slot at which the rule applies.
    """

    rule: Rule
    code: Code
    tps: tuple[int, ...]
    members: tuple[str, ...]
    since: float
    is_least: bool
    seen: float
    until: float | None
    reported: float | None
    figures: Mapping[str, object]
    because: Rule | None
    folded_into: Rule | None
    first_row: int
    last_row: int
    assumed: tuple[str, ...] = ()

    @cached_property
    def severity(self) -> Severity:
        return severity_of(self.rule, self.code)
