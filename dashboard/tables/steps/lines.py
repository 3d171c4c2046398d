"""What a row of a step's table is made from: the step's figures and the totals over all steps."""

from typing import NamedTuple

from evenkeel.assignors.figures.comparison import CURRENT
from evenkeel.data.scenarios.run.step_figures import Figures, StepFigures


class Totals(NamedTuple):
    """Sums over the steps after the group as listed, and the worst lag after any of them; None where one of them is unknown."""

    moved_partitions: int | None
    paused_partitions: int | None
    lag: int | None
    lag_is_least: bool


class Line(NamedTuple):
    """One assignor: this step and all steps."""

    step: StepFigures
    totals: Totals


def lines_of(figures: Figures, step: int, in_use: str | None) -> list[Line]:
    """Return a line for each assignor; one without an answer yet has a name and nothing else."""
    answers = figures[step] if step < len(figures) else {}
    return [Line(answers.get(name, StepFigures(name)), totals_of(figures, name)) for name in in_order(figures, in_use)]


def in_order(figures: Figures, in_use: str | None) -> list[str]:
    """Return the assignors' names, the current owners first, then the one in use."""
    return sorted(figures[0] if figures else (), key=lambda name: (name != CURRENT, name != in_use))


def totals_of(figures: Figures, name: str) -> Totals:
    """Return an assignor's totals."""
    steps = [answers.get(name, StepFigures(name)) for answers in figures[1:]]
    lags = [step.lag for step in steps]
    return Totals(
        _sum([step.moved_partitions for step in steps]),
        _sum([step.paused_partitions for step in steps]),
        None if None in lags else max(lags, default=None),
        any(step.lag_is_least for step in steps),
    )


def _sum(values: list[int | None]) -> int | None:
    return None if None in values or not values else sum(values)
