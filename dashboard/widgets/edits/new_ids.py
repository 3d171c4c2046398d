"""How much the ids of new members matter in the step that is shown."""

from collections.abc import Sequence

import streamlit as st

from evenkeel.dashboard.loading.scenarios.seeds import seeds_of
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.dashboard.widgets.steps import seeds
from evenkeel.data.scenarios.run.seeds import draws_ids
from evenkeel.data.scenarios.scenario.scenario import Step


def show(group: Opened, run: Run, number: int) -> None:
    """Draw the strip of a step that makes ids; it grows while seeds are computed."""
    if number > run.last or not draws_ids(run.steps[number - 1]) or run.walk.answers[number].error:
        return
    drawn, is_done = seeds_of(group, run.steps, number, run.candidate)
    if is_done:
        seeds.show(drawn)
    else:
        _look(group, run.steps, number, run.candidate)


@st.fragment(run_every=0.7)
def _look(group: Opened, steps: Sequence[Step], number: int, name: str) -> None:
    drawn, is_done = seeds_of(group, steps, number, name)
    if is_done:
        st.rerun()
    seeds.show(drawn)
