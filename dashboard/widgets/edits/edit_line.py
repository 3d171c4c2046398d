"""One edit in the list: on or off, what it says, what it does alone, and why it is refused."""

from html import escape

import streamlit as st

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits import changes, effects, state
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.dashboard.words.names import in_label
from evenkeel.dashboard.words.refusals import refusal


def show(group: Opened, run: Run, number: int, place: int) -> None:
    """Draw the line of an edit."""
    edit, key = run.steps[number - 1].edits[place], f"edit-{number}-{place}"
    st.session_state[key] = not edit.off
    with st.container(gap=None, key=f"what-if-{key}"):
        st.checkbox(in_label(edit.in_words(run.names)), key=key, on_change=_switch, args=(group, number, place))
        refused = run.refused
        if refused and (refused.step, refused.edit) == (number, place):
            st.html(f'<p class="effect refused">⚠ {escape(refusal(refused.text))}</p>')
        elif number <= run.last + bool(refused and refused.step == number):
            st.html(f'<p class="effect">{escape(effects.of_edit(group, run, number, place))}</p>')


def _switch(group: Opened, number: int, place: int) -> None:
    is_on = st.session_state[f"edit-{number}-{place}"]
    state.change(group, changes.switched(state.current(group).place, number, place, not is_on))
