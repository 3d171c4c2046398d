"""The steps of a scenario as a list: what happens, and what it does to the candidate."""

import streamlit as st

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits import effects, state, step_card
from evenkeel.dashboard.widgets.edits.forms import form
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.data.scenarios.run.rolling_restart import ROLLING, ROLLING_FORM
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS, Step

_MENU = "what-if-add"
_AS_IT_IS = "as_it_is"
_MOST_OPEN = 12
"""Of a longer list only the step that is shown lists its edits."""


def show(group: Opened, run: Run) -> None:
    """Draw the list and, where it belongs, the form that is open."""
    shown, asked = state.current(group).place.step, form.opened()
    count = len(run.steps)
    with st.container(border=True, gap=None, key="steps"):
        step_card.show_listed(group, effects.of_group(run.walk.answers[0]), effects.of_switch(group, run), shown == 0)
        for number in range(1, count + 1):
            step_card.show(group, run, number, shown == number, shown == number or count <= _MOST_OPEN)
            if asked and not asked.is_new and asked.step == number:
                form.show(group, run, asked)
    if asked and asked.is_new:
        form.show(group, run, asked)
    _show_add(group, count)


def _show_add(group: Opened, count: int) -> None:
    labels = form.menu_labels() | {ROLLING: form.label_of(ROLLING_FORM), _AS_IT_IS: ":material/sync: Rebalance as it is"}
    st.menu_button(
        "Add a step",
        list(labels),
        format_func=labels.get,
        key=_MENU,
        icon=":material/add:",
        width="stretch",
        disabled=count >= MOST_STEPS,
        on_click=_add,
        args=(group, count),
    )
    st.html('<p class="note keys"><b>← →</b> walk through the steps &nbsp; <b>Alt ↑ ↓</b> move a step</p>')


def _add(group: Opened, count: int) -> None:
    if st.session_state[_MENU] == _AS_IT_IS:
        step_card.add_step(group, count, Step())
    else:
        form.open_form(st.session_state[_MENU], count + 1, is_new=True)
