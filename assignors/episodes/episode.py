"""Episode: one finding, from the first slot to the last slot of its condition."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from evenkeel.assignors.diagnosis.finding import Code, Severity
from evenkeel.assignors.episodes.settings import Rule, severity_of


@dataclass(frozen=True)
class Episode:
    """One finding, open or ended.

    Parameters
    ----------
    tps : tuple of int
        Partitions of the subject, as rows of the series.
    members : tuple of str
        Names of the subject's members.
    since, seen : float
        Start of the trouble, and first slot of the condition, in seconds since 1970.
    until, reported : float or None
        Slot at which the episode ended, None if open, and slot at which the finding was reported,
        None if not yet; in seconds since 1970.
    is_least : bool
        Whether the trouble started before the first slot.
    figures : mapping
        Figures at the last slot with the condition; None if unknown.
    because : Rule or None
        The cause of a loss.
    folded_into : Rule or None
    last_row : int
        Row of the last slot with the condition.
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
