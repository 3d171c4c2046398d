"""Worst lag and moves over the steps of a scenario, a line for each of two or three assignors."""

from typing import NamedTuple

import numpy as np

from evenkeel.dashboard.words.names import under
from evenkeel.data.scenarios.run.step_figures import Figures, StepFigures
from evenkeel.data.words.formats import compact_sum, exact

IN_USE, CANDIDATE, OTHER = "in use", "candidate", "other"


class StepLine(NamedTuple):
    """One assignor; NaN is unknown, also `moves` of step 0. `lag_is_least`: some lags are unknown."""

    name: str
    role: str
    lag: np.ndarray
    lag_is_least: np.ndarray
    moves: np.ndarray

    def lag_text(self, step: int) -> str:
        """Return the text of a point."""
        return compact_sum(float(self.lag[step]), bool(self.lag_is_least[step]))


def step_lines(figures: Figures, in_use: str | None, candidate: str | None, third: str | None = None) -> list[StepLine]:
    """Return the lines in drawing order, the candidate last; at step 0 all have the lag of the group as listed.

    `third`: the other assignor with a line; the one whose worst lag of all steps is lowest if none is named.
    """
    roles = {candidate: CANDIDATE, in_use: IN_USE}
    other = third if third is not None else _lowest(figures, roles)
    named = {other: OTHER, **dict(reversed(roles.items()))} if other not in roles else dict(reversed(roles.items()))
    listed = next((step for step in figures[0].values() if step.members_before is not None), None)
    return [_line(figures, listed, name, role) for name, role in named.items() if name is not None and name in figures[0]]


def _line(figures: Figures, listed: StepFigures | None, name: str, role: str) -> StepLine:
    steps = [answers.get(name, StepFigures(name)) for answers in figures[1:]]
    first = listed or StepFigures(name)
    return StepLine(
        name,
        role,
        _numbers([first.lag_before, *(step.lag for step in steps)]),
        np.array([first.lag_before_is_least, *(step.lag_is_least for step in steps)]),
        _numbers([None, *(step.moved_partitions for step in steps)]),
    )


def _numbers(values: list[int | None]) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def _lowest(figures: Figures, roles: dict) -> str | None:
    worst = {name: [answers[name].lag for answers in figures[1:] if name in answers] for name in figures[0] if name not in roles}
    known = {name: max(lags) for name, lags in worst.items() if lags and None not in lags}
    return min(known, key=known.__getitem__, default=None)


def finding(lines: list[StepLine], selected: int) -> str:
    """Say in one sentence what the lines show at a step."""
    told = [f"{line.lag_text(selected)} {under(line.name)}" for line in reversed(lines)]
    moved = [f"{exact(float(line.moves[selected]))} {under(line.name)}" for line in reversed(lines)]
    moves = f"; moves into it: {', '.join(moved)}" if selected else ""
    return f"Worst member's lag {f'after step {selected}' if selected else 'as listed'}: {', '.join(told)}{moves}"
