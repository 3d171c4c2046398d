"""The form that is open: for a new step, for one more edit of a step, or for an edit that is changed."""

from typing import NamedTuple, Protocol

import msgspec
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.dashboard.widgets.parts import problem
from evenkeel.dashboard.widgets.steps.editing import fields, state
from evenkeel.dashboard.widgets.steps.editing.fields import Choices
from evenkeel.dashboard.widgets.steps.editing.state import Kind, Subject
from evenkeel.dashboard.words.refusals import malformed
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.edits.edit import Edit, Form, Values
from evenkeel.data.scenarios.scenario.scenario import Step

_SOME = {"members": "member", "processes": "instance", "gone": "instance"}
"""Kinds of fields in which at least one thing must be chosen."""


class Open(NamedTuple):
    """`step`: where its edits go, counted from 1; `is_new`: they make a step of their own there. `edit`: the one that is changed."""

    op: str
    step: int
    is_new: bool = False
    edit: int | None = None


class Offered(Protocol):
    """What a page gives to a form."""

    @property
    def more(self) -> dict[str, Form]:
        """Forms that make steps in place of an edit, by a name beside the edits' ops."""

    def choices(self, op: str, step: int) -> Choices:
        """Return what can be chosen where a step starts."""

    def made_steps(self, op: str, step: int, values: Values) -> list[Step]:
        """Return the steps of a form of `more`."""

    def tried(self, edits: list[Edit], asked: Open, there: list[Edit]) -> list[Edit]:
        """Return edits of a form as they join the list; `there`: the edits of their step. SnapshotError where they are not possible."""


def opened(kind: Kind) -> Open | None:
    """Return which form is open."""
    return st.session_state.get(_key(kind))


def open_form(kind: Kind, asked: Open) -> None:
    """Open a form; for callbacks."""
    st.session_state[_key(kind)] = asked


def close(kind: Kind) -> None:
    """Close it; for callbacks."""
    st.session_state.pop(_key(kind), None)


def menu_labels(kind: Kind) -> dict[str, str]:
    """Return what a menu shows for each form, by op."""
    return {op: label_of(edit.form) for op, edit in kind.edits.items()}


def label_of(form: Form) -> str:
    """Return what a menu shows for a form."""
    return f":material/{form.icon}: {form.title}"


def show(subject: Subject, offered: Offered, asked: Open, is_wide: bool = False) -> None:
    """Draw the form; `is_wide`: its fields beside each other."""
    op, place, choices = asked.op, state.current(subject).place, offered.choices(asked.op, asked.step)
    now = None if asked.edit is None else msgspec.to_builtins(place.steps[asked.step - 1].edits[asked.edit])
    form = offered.more[op] if op in offered.more else subject.kind.edits[op].form
    shown = form.by_history if form.by_history and (choices.stretches or (now or {}).get("measured")) else form.fields
    given = {} if now is None else form.read(now)
    button = st.button if form.is_live else st.form_submit_button
    with st.container(border=True, key=f"what-if-{op}") if form.is_live else st.form(f"what-if-{op}", border=True):
        st.html(f'<b class="form-title">{form.title}</b>')
        with st.container(horizontal=is_wide, vertical_alignment="bottom", gap="small"):
            is_possible = all([fields.is_possible(field, choices) for field in shown])
            values = {
                field.key: fields.show(field, choices, given.get(field.key), f"{op}-{field.key}-{asked.edit}")
                for field in (shown if is_possible else ())
            }
        # Above the buttons: whoever presses one sees it.
        refused = st.container()
        with st.container(horizontal=True, gap="small"):
            is_sent = button("Add" if now is None else "Change", type="primary", key="form-add", disabled=not is_possible)
            button("Cancel", type="tertiary", key="form-cancel", on_click=close, args=(subject.kind,))
        if is_sent and _take(subject, offered, choices, asked, values, refused):
            close(subject.kind)
            st.rerun()


def _take(subject: Subject, offered: Offered, choices: Choices, asked: Open, values: Values, refused: DeltaGenerator) -> bool:
    """Put what the form makes into the list; where it cannot be, say why in `refused` and return False."""
    place = state.current(subject).place
    try:
        if asked.op in offered.more:
            state.change(subject, state.with_steps(place, asked.step - 1, offered.made_steps(asked.op, asked.step, values)))
            return True
        there = [] if asked.is_new else place.steps[asked.step - 1].edits
        edits = offered.tried(edits_of(subject.kind, asked.op, values, choices), asked, there)
        if asked.is_new:
            state.change(subject, state.with_steps(place, asked.step - 1, [Step(edits=edits)]))
        else:
            state.change(subject, state.with_edits(place, asked.step, edits, asked.edit))
    except SnapshotError as error:
        with refused:
            problem.show(str(error))
        return False
    return True


def edits_of(kind: Kind, op: str, values: Values, choices: Choices) -> list[Edit]:
    """Return the edits that a form makes.

    Raises
    ------
    SnapshotError
        Where a value is missing or out of range.
    """
    form, names = kind.edits[op].form, {**choices.members, **choices.processes, **choices.gone}
    for field in form.fields:
        if field.kind in _SOME and not values[field.key]:
            raise SnapshotError(f"Choose at least one {_SOME[field.kind]}.")
    given = [{"op": op} | {key: value for key, value in each.items() if value is not None} for each in form.made(values, names)]
    try:
        return [msgspec.convert(each, kind.edit_type) for each in given]
    except msgspec.ValidationError as error:
        raise SnapshotError(malformed(str(error))) from None


def _key(kind: Kind) -> str:
    return f"{kind.key}-form"
