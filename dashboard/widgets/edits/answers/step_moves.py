"""What changes owner in the step that is shown, under the candidate."""

import streamlit as st

from evenkeel.dashboard.loading.scenarios.step_views import moves_of
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.dashboard.widgets.parts.moves import charts, rows
from evenkeel.data.words.formats import count


def show(group: Opened, run: Run, step: int) -> None:
    """Draw tiles, matrix and list; nothing for the group as listed."""
    if not step:
        return
    answer = run.walk.answers[step]
    found = moves_of(group, run.steps, step, answer, run.names)
    if found is None:
        st.info("The owners before this step are unknown, so there are no moves to show.")
        return
    view, change = found
    before = "the group as listed" if step == 1 else f"step {step - 1}"
    st.html(f'<h2 class="step-title">Moves from {before} to step {step} <span>under {run.candidate}</span></h2>')
    if not len(change.moves.lag):
        back = f": {count(answer.moved_partitions, 'move')} on the way end where they began" if answer.moved_partitions else ""
        st.info(f"No partition has another owner after this step than before it{back}.")
    else:
        charts.show(view, change, (before, f"step {step}"))
    rows.show(view, change, f"step-{step - 1}", f"step-{step}-{run.candidate}")
