"""The form that is open: for a new step, for one more edit of a step, or for an edit that is changed."""

from typing import NamedTuple

import msgspec
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.dashboard.loading.scenarios.advance_rates import stretches, with_history
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits import changes, state
from evenkeel.dashboard.widgets.edits.forms import fields, making
from evenkeel.dashboard.widgets.edits.forms.choices import Choices, choices_of
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.dashboard.widgets.parts import problem
from evenkeel.dashboard.words.refusals import refusal
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.edits import EDITS, AnyEdit
from evenkeel.data.scenarios.edits.advance import Advance
from evenkeel.data.scenarios.edits.edit import Form, in_menu_order
from evenkeel.data.scenarios.run.rolling_restart import ROLLING, ROLLING_FORM
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS, Step

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


def form_of(op: str) -> Form:
    """Return the form of an edit, or of a rolling restart."""
    return EDITS[op].form if op in EDITS else ROLLING_FORM


def menu_labels() -> dict[str, str]:
    """Return what a menu shows for each form, by op."""
    return {op: label_of(edit.form) for op, edit in in_menu_order(EDITS).items()}


def label_of(form: Form) -> str:
    """Return what a menu shows for a form."""
    return f":material/{form.icon}: {form.title}"


def close() -> None:
    """Close it; for callbacks."""
    st.session_state.pop(_KEY, None)


def show(group: Opened, run: Run, asked: Open) -> None:
    """Draw the form."""
    place, start = state.current(group).place, run.start(asked.step)
    choices = choices_of(start, run.names, stretches(group) if form_of(asked.op).by_history else ())
    now = None if asked.edit is None else msgspec.to_builtins(place.steps[asked.step - 1].edits[asked.edit])
    form = form_of(asked.op)
    shown = form.by_history if form.by_history and (choices.stretches or (now or {}).get("measured")) else form.fields
    given = {} if now is None else form.read(now)
    button = st.button if form.is_live else st.form_submit_button
    with st.container(border=True, key=f"what-if-{asked.op}") if form.is_live else st.form(f"what-if-{asked.op}", border=True):
        st.html(f'<b class="form-title">{form.title}</b>')
        values = {field.key: fields.show(field, choices, given.get(field.key), f"{asked.op}-{field.key}-{asked.edit}") for field in shown}
        # Above the buttons: whoever presses one sees it.
        refused = st.container()
        with st.container(horizontal=True, gap="small"):
            is_sent = button("Add" if now is None else "Change", type="primary", key="form-add")
            button("Cancel", type="tertiary", key="form-cancel", on_click=close)
        if is_sent and _take(group, run, choices, asked, values, refused):
            close()
            st.rerun()


def _take(group: Opened, run: Run, choices: Choices, asked: Open, values: dict, refused: DeltaGenerator) -> bool:
    """Put what the form makes into the list; where it cannot be, say why in `refused` and return False."""
    place = state.current(group).place
    try:
        if asked.op == ROLLING:
            steps = making.rolling_steps(run.start(asked.step), values, MOST_STEPS - len(place.steps))
            state.change(group, changes.with_steps(place, asked.step - 1, steps))
        elif asked.is_new:
            state.change(group, changes.with_steps(place, asked.step - 1, [Step(edits=_edits(group, run, choices, asked, values, []))]))
        else:
            edits = _edits(group, run, choices, asked, values, place.steps[asked.step - 1].edits)
            state.change(group, changes.with_edits(place, asked.step, edits, asked.edit))
    except SnapshotError as error:
        with refused:
            problem.show(str(error))
        return False
    return True


def _edits(group: Opened, run: Run, choices: Choices, asked: Open, values: dict, there: list[AnyEdit]) -> list[AnyEdit]:
    """Return the edits of the form with the rates of the group's history, tried behind those of the step that come first."""
    first, start = len(there) if asked.edit is None else asked.edit, run.start(asked.step)
    edits = making.edits_of(asked.op, values, choices)
    try:
        edits = [with_history(group, run.walk.answers[: asked.step], start, each) if isinstance(each, Advance) else each for each in edits]
    except SnapshotError as error:
        raise SnapshotError(refusal(str(error))) from None
    making.require_possible(start, asked.step, there[:first], edits, first)
    return edits
