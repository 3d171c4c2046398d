"""The form that is open in a list of steps. A form makes a new step, adds an edit to a step, or
changes an edit.
"""

from typing import NamedTuple, Protocol

import msgspec
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.dashboard.shell import problem
from evenkeel.dashboard.steps import state
from evenkeel.dashboard.steps.fields import SOME, Choices, is_possible, show_fields
from evenkeel.dashboard.steps.refusals import malformed
from evenkeel.dashboard.steps.state import Kind, Subject
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.edits.edit import Edit, Form, Values
from evenkeel.data.scenarios.scenario.scenario import Step


class Open(NamedTuple):
    """The form that is open. `step`: number of the step that gets the edits, counted from 1.
    `is_new`: the edits become a new step with this number. `edit`: the edit that the form changes,
    if any.
    """

    op: str
    step: int
    is_new: bool = False
    edit: int | None = None


class FormSource(Protocol):
    """The functions of a page that a form calls."""

    @property
    def more(self) -> dict[str, Form]:
        """Forms that make whole steps, by name. No such name is also the op of an edit."""

    def choices(self, op: str, step: int) -> Choices:
        """Return the options for the form's fields, such as the members and topics at the start of
        a step.
        """

    def made_steps(self, op: str, step: int, values: Values) -> list[Step]:
        """Return the steps that a form of `more` makes from its values."""

    def tried(self, edits: list, open_form: Open, there: list) -> list:
        """Return a form's edits, ready to be added to a step. `there`: the edits that the step
        already has. Raises SnapshotError if the edits are not possible.
        """


def opened(kind: Kind) -> Open | None:
    """Return the open form, or None."""
    return st.session_state.get(_key(kind))


def open_form(kind: Kind, request: Open) -> None:
    """Open a form. Use as a widget callback."""
    st.session_state[_key(kind)] = request


def close(kind: Kind) -> None:
    """Close the open form. Use as a widget callback."""
    st.session_state.pop(_key(kind), None)


def menu_labels(kind: Kind) -> dict[str, str]:
    """Return the menu's label of each form, by op."""
    return {op: label_of(edit.form) for op, edit in kind.edits.items()}


def label_of(form: Form) -> str:
    """Return the menu's label of a form."""
    return f":material/{form.icon}: {form.title}"


def show(subject: Subject, offered: FormSource, open_form: Open, is_wide: bool = False) -> None:
    """Draw the form. `is_wide`: draw the fields next to each other."""
    op, place, choices = (
        open_form.op,
        state.current(subject).place,
        offered.choices(open_form.op, open_form.step),
    )
    now = (
        None
        if open_form.edit is None
        else msgspec.to_builtins(place.steps[open_form.step - 1].edits[open_form.edit])
    )
    form = offered.more[op] if op in offered.more else subject.kind.edits[op].form
    shown = (
        form.by_history
        if form.by_history and (choices.stretches or (now or {}).get("measured"))
        else form.fields
    )
    given = {} if now is None else form.read(now)
    button = st.button if form.is_live else st.form_submit_button
    with (
        st.container(border=True, key=f"what-if-{op}")
        if form.is_live
        else st.form(f"what-if-{op}", border=True)
    ):
        st.html(f'<b class="form-title">{form.title}</b>')
        with st.container(horizontal=is_wide, vertical_alignment="bottom", gap="small"):
            is_whole = all([is_possible(field, choices) for field in shown])
            values = {
                field.key: show_fields(
                    field, choices, given.get(field.key), f"{op}-{field.key}-{open_form.edit}"
                )
                for field in (shown if is_whole else ())
            }
        # Above the buttons, so that a person who clicks a button sees the refusal.
        refused = st.container()
        with st.container(horizontal=True, gap="small"):
            is_sent = button(
                "Add" if now is None else "Change",
                type="primary",
                key="form-add",
                disabled=not is_whole,
            )
            button(
                "Cancel", type="tertiary", key="form-cancel", on_click=close, args=(subject.kind,)
            )
        if is_sent and _take(subject, offered, choices, open_form, values, refused):
            close(subject.kind)
            st.rerun()


def _take(
    subject: Subject,
    offered: FormSource,
    choices: Choices,
    open_form: Open,
    values: Values,
    refused: DeltaGenerator,
) -> bool:
    """Add the form's edits, or its steps, to the scenario. If the scenario refuses them, draw the
    reason in `refused` and return False.
    """
    place = state.current(subject).place
    try:
        if open_form.op in offered.more:
            state.change(
                subject,
                state.with_steps(
                    place,
                    open_form.step - 1,
                    offered.made_steps(open_form.op, open_form.step, values),
                ),
            )
            return True
        there = [] if open_form.is_new else place.steps[open_form.step - 1].edits
        edits = offered.tried(
            edits_of(subject.kind, open_form.op, values, choices), open_form, there
        )
        if open_form.is_new:
            state.change(subject, state.with_steps(place, open_form.step - 1, [Step(edits=edits)]))
        else:
            state.change(subject, state.with_edits(place, open_form.step, edits, open_form.edit))
    except SnapshotError as error:
        with refused:
            problem.show(str(error))
        return False
    return True


def edits_of(kind: Kind, op: str, values: Values, choices: Choices) -> list[Edit]:
    """Return the edits that a form makes from its values.

    Raises
    ------
    SnapshotError
        If a value is missing or out of range.
    """
    form, names = kind.edits[op].form, {**choices.members, **choices.processes, **choices.gone}
    for field in form.fields:
        if field.kind in SOME and not values[field.key]:
            raise SnapshotError(f"Choose at least one {SOME[field.kind]}.")
    given = [
        {"op": op} | {key: value for key, value in each.items() if value is not None}
        for each in form.made(values, names)
    ]
    try:
        return [msgspec.convert(each, kind.edit_type) for each in given]
    except msgspec.ValidationError as error:
        raise SnapshotError(malformed(str(error))) from None


def _key(kind: Kind) -> str:
    return f"{kind.key}-form"
