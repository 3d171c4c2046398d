"""The form that is open: for a new step, for one more edit of a step, or for an edit that is changed."""

from typing import NamedTuple

import msgspec
import streamlit as st

from dashboard.view import Opened
from dashboard.widgets.edits import changes, state
from dashboard.widgets.edits.forms import fields, making
from dashboard.widgets.edits.forms.choices import choices_of
from dashboard.widgets.edits.forms.table import FORMS
from dashboard.widgets.parts import problem
from data.columns.observed import ObservedGroup
from data.errors import SnapshotError
from data.scenarios.scenario.scenario import Step

_KEY = "what-if-form"


class Open(NamedTuple):
    """`step`: where its edits go, counted from 1; `is_new`: they make a step of their own there. `edit`: the one that is changed."""

    op: str
    step: int
    is_new: bool = False
    edit: int | None = None


def opened() -> Open | None:
    """Return which form is open."""
    return st.session_state.get(_KEY)


def open_form(op: str, step: int, is_new: bool = False, edit: int | None = None) -> None:
    """Open a form; for callbacks."""
    st.session_state[_KEY] = Open(op, step, is_new, edit)


def close() -> None:
    """Close it; for callbacks."""
    st.session_state.pop(_KEY, None)


def show(group: Opened, start: ObservedGroup, asked: Open) -> None:
    """Draw the form; `start`: the group when the step starts."""
    form, place, choices = FORMS[asked.op], state.current(group).place, choices_of(start)
    now = None if asked.edit is None else place.steps[asked.step - 1].edits[asked.edit]
    given = {} if now is None else form.read(msgspec.to_builtins(now))
    with st.form(f"what-if-{asked.op}", border=True):
        st.html(f'<b class="form-title">{form.title}</b>')
        values = {
            field.key: fields.show(field, choices, given.get(field.key), f"{asked.op}-{field.key}-{asked.edit}") for field in form.fields
        }
        with st.container(horizontal=True, gap="small"):
            is_sent = st.form_submit_button("Add" if now is None else "Change", type="primary", key="form-add")
            st.form_submit_button("Cancel", type="tertiary", key="form-cancel", on_click=close)
        if is_sent and _take(group, start, asked, values):
            close()
            st.rerun()


def _take(group: Opened, start: ObservedGroup, asked: Open, values: dict) -> bool:
    """Put the edits of the form into the list; where they cannot be, say why below the form and return False."""
    place = state.current(group).place
    edits_there = [] if asked.is_new else place.steps[asked.step - 1].edits
    first = len(edits_there) if asked.edit is None else asked.edit
    try:
        edits = making.edits_of(asked.op, values, choices_of(start))
        making.require_possible(start, asked.step, edits_there[:first], edits, first)
    except SnapshotError as error:
        problem.show(str(error))
        return False
    if asked.is_new:
        state.change(group, changes.with_step(place, asked.step - 1, Step(edits=edits)))
    else:
        state.change(group, changes.with_edits(place, asked.step, edits, asked.edit))
    return True
