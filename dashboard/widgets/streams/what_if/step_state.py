"""The steps of the open application in this session, and in the address while they are short."""

from typing import NamedTuple

import msgspec
import streamlit as st

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.parts import address
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.application_edits import AnyApplicationEdit
from evenkeel.data.scenarios.applications.application_draft import steps_of_text, text_of_steps
from evenkeel.data.scenarios.applications.application_scenario import ApplicationStep
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS

MOST_IN_ADDRESS = 1_500
"""Characters: chat tools break longer addresses."""

_KEY, _STEPS, _AT = "streams-steps", "steps", "at"
_MOST_UNDONE = 100


class Editing(NamedTuple):
    """The steps, the one that is shown, 0 for the application as listed, and the way there."""

    steps: tuple[ApplicationStep, ...] = ()
    at: int = 0
    past: tuple[tuple[ApplicationStep, ...], ...] = ()


def current(opened: Opened) -> Editing:
    """Return what is being edited of an application."""
    return st.session_state.get(_KEY, {}).get(opened.lasting, Editing())


def follow(opened: Opened) -> Editing:
    """Take the steps of the address before anything is drawn, keep the address true to them, and return them."""
    text, at = address.take(_STEPS), address.take(_AT)
    if text or at or address.is_followed():
        try:
            steps = tuple(steps_of_text(text)) if text else ()
            shown = address.whole(at, len(steps))
            _keep(opened, Editing(steps, len(steps) if shown is None else shown))
        except SnapshotError as error:
            address.refuse(_STEPS, f"The address holds steps that cannot be read. {error}")
    _write(opened)
    return current(opened)


def add(opened: Opened, edit: AnyApplicationEdit) -> None:
    """Put a step behind the one that is shown, and show it."""
    now = current(opened)
    if len(now.steps) < MOST_STEPS:
        _change(opened, (*now.steps[: now.at], ApplicationStep(edits=[edit]), *now.steps[now.at :]), now.at + 1)


def remove(opened: Opened, number: int) -> None:
    """Take a step out, counted from 1."""
    steps = current(opened).steps
    _change(opened, (*steps[: number - 1], *steps[number:]), number - 1)


def switch(opened: Opened, number: int) -> None:
    """Switch a step's edits off, or on again."""
    steps = list(current(opened).steps)
    edits = steps[number - 1].edits
    off = not all(edit.off for edit in edits)
    steps[number - 1] = ApplicationStep(steps[number - 1].name, [msgspec.structs.replace(edit, off=off) for edit in edits])
    _change(opened, tuple(steps), number)


def move(opened: Opened, number: int, by: int) -> None:
    """Move a step up or down; nothing at the end of the list."""
    steps = list(current(opened).steps)
    if 1 <= number + by <= len(steps):
        steps.insert(number + by - 1, steps.pop(number - 1))
        _change(opened, tuple(steps), number + by)


def undo(opened: Opened) -> None:
    """Return to before the last change."""
    now = current(opened)
    if now.past:
        _keep(opened, Editing(now.past[-1], len(now.past[-1]), now.past[:-1]))


def look_at(opened: Opened, number: int) -> None:
    """Show another step."""
    _keep(opened, current(opened)._replace(at=number))


def show_refused() -> None:
    """Say why the address could not be read."""
    address.show_refused(_STEPS)


def _change(opened: Opened, steps: tuple[ApplicationStep, ...], at: int) -> None:
    now = current(opened)
    _keep(opened, Editing(steps, at, (*now.past, now.steps)[-_MOST_UNDONE:]))
    address.chosen(_STEPS)


def _keep(opened: Opened, editing: Editing) -> None:
    st.session_state[_KEY] = st.session_state.get(_KEY, {}) | {opened.lasting: editing}


def _write(opened: Opened) -> None:
    now = current(opened)
    text = text_of_steps(now.steps) if now.steps else None
    if text and len(text) > MOST_IN_ADDRESS:
        address.refuse(_STEPS, "These steps are too long for an address: they last as long as this tab.")
        text = None
    address.show(steps=text, at=None if text is None or now.at == len(now.steps) else str(now.at))
