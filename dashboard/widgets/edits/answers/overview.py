"""The strip of all steps and the table of the one that is shown."""

import streamlit as st

from dashboard.loading.scenarios.walks import as_listed
from dashboard.tables.steps.strip import step_strip
from dashboard.view import Opened, View
from dashboard.widgets.edits import member_names, state
from dashboard.widgets.edits.runs import Run
from dashboard.widgets.scope import scope
from dashboard.widgets.steps import strip, table
from dashboard.words.edits import title
from data.scenarios.run.step_figures import Figures, figures_of_steps


def figures(group: Opened, view: View, run: Run) -> Figures:
    """Return the figures of every step that has answers; the group as listed names all assignors, also those still to come."""
    names = [row.name for row in view.comparison.rows[1:]]
    listed = {name: as_listed(group, name) for name in names}
    return figures_of_steps([listed, *(run.answers(step) for step in range(1, run.last + 1))])


def show_strip(group: Opened, run: Run, found: Figures, step: int) -> None:
    """Draw the strip for the candidate; a click on a card shows its step."""
    names = member_names.of(run)
    shown = step_strip([title(each, names) for each in run.steps], found, run.candidate)
    strip.show(shown, step, lambda number: state.look_at(group, step=number), key="what-if-strip", label="Steps of the scenario")


def show_table(view: View, run: Run, found: Figures, step: int) -> None:
    """Draw what each assignor ends with after the step; a click on a row makes it the candidate."""
    if step <= run.last:
        table.show(found, step, run.candidate, run.used, scope.choose, group_type=view.observed.group_type, key="what-if-table")
