"""The figures of a step: worst lag and moves over all steps, lag of every member."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from evenkeel.dashboard.charts import step_lines, step_members
from evenkeel.dashboard.charts.step_sides import finding, member_rows
from evenkeel.dashboard.widgets.parts import plot
from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.step_figures import Figures


def show_over_steps(
    figures: Figures,
    step: int,
    candidate: str | None,
    in_use: str | None,
    names: Sequence[str] = (),
    height: int = step_lines.HEIGHT,
    pick: Callable[[int], None] | None = None,
) -> None:
    """Draw the lines; `names`: of the steps, the group as listed first. `pick` gets the step of a point that is clicked."""
    lines = step_lines.lines_of(figures, in_use, candidate)
    figure = step_lines.step_lines(lines, step, names, height)
    _show(figure, "step-lines", step_lines.finding(lines, step), pick)


def show_members(
    in_use: StepAnswer | None,
    candidate: StepAnswer | None,
    step: int,
    height: int | None = None,
    pick: Callable[[str], None] | None = None,
    names: Mapping[str, str] | None = None,
) -> None:
    """Draw the bars, nothing if neither assignor has an answer; `pick` gets the id of a member that is clicked; `names`: by member id."""
    rows = member_rows(in_use, candidate, names, step)
    if rows:
        _show(step_members.step_members(rows, step, height), "step-members", finding(rows, step), pick)


def _show(figure, key: str, alt: str, pick: Callable | None) -> None:
    # Picked in the callback: Streamlit clears a selection when the figure changes, even under the same key.
    plot.show(figure, key, alt, pick and (lambda: _picked(key, pick)))


def _picked(key: str, pick: Callable) -> None:
    for point in st.session_state[key].selection.points:
        chosen = point.get("customdata")
        chosen = chosen[0] if isinstance(chosen, list) else chosen
        if chosen is not None:
            pick(chosen)
