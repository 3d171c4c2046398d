"""Episode: one finding from the first slot of its condition to the last."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from evenkeel.assignors.diagnosis.finding import Code, Severity
from evenkeel.assignors.episodes.settings import Rule, severity_of


@dataclass(frozen=True)
class Episode:
    """One finding while it is open, or from its beginning to its end.

    Parameters
    ----------
    tps : tuple of int
        Partitions of the subject, rows of the series.
    members : tuple of str
        Names of the subject.
    since, seen, until, reported : float
        Seconds since 1970: when the trouble began, its first and its end slot, and the slot at
        which its patience was over; None if still open or not yet reported.
    is_least : bool
        The trouble began before the first slot.
    figures : mapping
        Of the last slot with the condition; None if unknown.
    because : Rule or None
        The cause of a loss.
    folded_into : Rule or None
    last_row : int
        The last slot with the condition.
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
