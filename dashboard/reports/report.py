"""What a report is about."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from evenkeel.data.scenarios.run.step_figures import Figures, StepFigures
from evenkeel.data.words.advice import Sentences


@dataclass(frozen=True)
class Report:
    """One scenario at one step, with what stands around it.

    Parameters
    ----------
    step : int
        The step that the report shows in full, 0 as listed.
    names : sequence of str
        Of the steps after the group as listed.
    figures : Figures
        By step and assignor, the group as listed first.
    candidate, in_use : str
        Assignors by name; `in_use` None where unknown.
    settings : sequence of str
        Whose answers these are, and from which gain on a switch is worth it.
    gain : float
        The latter, a part of 1.
    source : str
        Where the group was read, empty where unknown or not told.
    address : str
        That shows the same.
    advice : Sentences
        Whether a switch is worth it at the step.
    known : str
        What was known of the group, in a sentence or two.
    frozen_at, expires_at : datetime or None
        Of a share; None for a what-if that is open, `expires_at` also for a share that never expires.
    taken_at : datetime or None
        When the group was as listed.
    """

    title: str
    group: str
    step: int
    names: Sequence[str]
    figures: Figures
    candidate: str
    in_use: str | None
    group_type: str | None
    advice: Sentences
    known: str
    settings: Sequence[str]
    gain: float
    engine: str
    content_hash: str = ""
    result_hash: str = ""
    source: str = ""
    address: str = ""
    author: str = ""
    note: str = ""
    taken_at: datetime | None = None
    frozen_at: datetime | None = None
    expires_at: datetime | None = None

    @property
    def told_steps(self) -> list[int]:
        """The steps that have a table, in their order: the group as listed only where it is the one shown in full."""
        return [number for number in range(len(self.figures)) if number or not self.step]

    @property
    def times(self) -> list[str]:
        """When it was frozen, and of when and where the group is."""
        frozen = [f"frozen {self.frozen_at:%d %b %Y, %H:%M:%S} UTC"] if self.frozen_at else []
        group = [f"group as of {self.taken_at:%d %b %Y, %H:%M:%S} UTC"] if self.taken_at else []
        return [*frozen, *group, *([f"read from {self.source}"] if self.source else [])]

    @property
    def of_candidate(self) -> StepFigures:
        """The candidate's figures at the step."""
        return self.figures[self.step][self.candidate]

    @property
    def of_in_use(self) -> StepFigures | None:
        """The figures of the assignor in use at the step; None where it is unknown, not asked, or the candidate itself."""
        return None if self.in_use in (None, self.candidate) else self.figures[self.step].get(self.in_use)
