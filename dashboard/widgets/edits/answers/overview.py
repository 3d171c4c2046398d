"""The strip of all steps and the table of the one that is shown."""

import streamlit as st

from assignors.explain.facts import NO_FACTS
from assignors.figures.balance import Balance
from assignors.figures.comparison import Row
from assignors.rounds.switch import Switch
from dashboard import loading
from dashboard.tables.steps.strip import step_strip
from dashboard.view import Opened, View
from dashboard.widgets.edits import state
from dashboard.widgets.edits.answers import member_actions
from dashboard.widgets.edits.runs import Run
from dashboard.widgets.scope import scope
from dashboard.widgets.steps import charts, strip, table
from dashboard.words.edits import title
from data.scenarios.run.step_figures import Figures, StepFigures, figures_of_steps
from data.scenarios.scenario.scenario import AS_LISTED


def figures(group: Opened, view: View, run: Run) -> Figures:
    """Return the figures of every step that has answers; those of the group as listed are Compare's."""
    facts = loading.facts(group)
    current = view.comparison.rows[0].balance
    listed = {row.name: _compared(view, current, row, facts.get(row.name, NO_FACTS).switch) for row in view.comparison.rows[1:]}
    return [listed, *figures_of_steps([run.answers(step) for step in range(1, run.last + 1)])]


def _compared(view: View, current: Balance | None, row: Row, switch: Switch | None) -> StepFigures:
    """Return a row of Compare as the figures of a step."""
    before = {"lag_before": current.max_lag, "lag_before_is_least": current.lag_is_partial} if current else {}
    after = row.balance
    if after is None:
        return StepFigures(row.name, error=row.error)
    return StepFigures(
        row.name,
        members_before=view.observed.member_count,
        members=view.observed.member_count,
        partitions=view.observed.partition_count,
        max_partitions=after.max_partitions,
        min_partitions=after.min_partitions,
        idle_members=after.idle_members,
        lag=after.max_lag,
        lag_is_least=after.lag_is_partial,
        max_lag_share=after.max_lag_share,
        moved_partitions=row.moved_partitions,
        moved_lag=row.moved_lag,
        moved_lag_is_least=bool(row.moves and row.moves.moved_lag_is_partial),
        paused_partitions=switch and switch.paused_count,
        rebalances=1,
        never_ends=switch and switch.is_endless,
        **before,
    )


def show_strip(group: Opened, run: Run, found: Figures, step: int) -> None:
    """Draw the strip for the candidate; a click on a card shows its step."""
    shown = step_strip([title(each, run.names) for each in run.steps], found, run.candidate)
    strip.show(shown, step, lambda number: state.look_at(group, step=number), key="what-if-strip", label="Steps of the scenario")


def show_table(view: View, run: Run, found: Figures, step: int) -> None:
    """Draw what each assignor ends with after the step; a click on a row makes it the candidate."""
    if step <= run.last:
        table.show(found, step, run.candidate, run.used, scope.choose, group_type=view.observed.group_type, key="what-if-table")


def show_charts(group: Opened, run: Run, found: Figures, step: int) -> None:
    """Draw the worst lag and the moves over all steps, and every member's lag; a click shows a step, or chooses a member."""
    over, members = st.columns([38, 62], gap="small")
    with over:
        names = [AS_LISTED, *(title(each, run.names) for each in run.steps)]
        charts.show_over_steps(found, step, run.candidate, run.used, names, pick=lambda number: state.look_at(group, step=int(number)))
    with members:
        answers = run.answers(step)
        charts.show_members(answers.get(run.used), answers[run.candidate], step, pick=member_actions.pick, names=run.names)
