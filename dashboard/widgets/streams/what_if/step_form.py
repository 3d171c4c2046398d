"""The form of a new step: which instance dies, comes back or is added, which settings change, how much time passes."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import streamlit as st

from evenkeel.dashboard.view import ApplicationView
from evenkeel.dashboard.widgets.parts import problem
from evenkeel.dashboard.widgets.streams.what_if import step_state
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.application_edits import AnyApplicationEdit
from evenkeel.data.scenarios.application_edits.add_processes import AddProcesses
from evenkeel.data.scenarios.application_edits.advance import PassTime
from evenkeel.data.scenarios.application_edits.remove_processes import RemoveProcesses
from evenkeel.data.scenarios.application_edits.return_processes import ReturnProcesses
from evenkeel.data.scenarios.application_edits.set_settings import SetSettings

_OPEN = "streams-form"
_SETTINGS = ("max.warmup.replicas", "acceptable.recovery.lag", "num.standby.replicas", "probing.rebalance.interval.ms")


class Choices(NamedTuple):
    """Names by process id: of those that run, and of those that have left."""

    running: Mapping[str, str]
    gone: Mapping[str, str]


def show_menu() -> None:
    """Draw the menu of what can happen; a choice opens its form."""
    labels = {op: f":material/{icon}: {title}" for op, (title, icon, _) in _FORMS.items()}
    st.menu_button("What if …", list(labels), format_func=labels.get, key="streams-what-if", icon=":material/experiment:", on_click=_open)


def show(view: ApplicationView, choices: Choices) -> None:
    """Draw the form that is open."""
    op = st.session_state.get(_OPEN)
    if op not in _FORMS:
        return
    title, _, fields = _FORMS[op]
    with st.form("streams-form-drawn", border=True):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.html(f'<b class="form-title">{title}</b>', width="content")
            edit = fields(choices)
            is_sent = st.form_submit_button("Add", type="primary", key="streams-form-add", disabled=edit is None)
            st.form_submit_button("Cancel", type="tertiary", key="streams-form-cancel", on_click=_close)
        if is_sent:
            _take(view, edit)


def _take(view: ApplicationView, edit: Callable[[], AnyApplicationEdit]) -> None:
    try:
        step_state.add(view.opened, edit())
    except (SnapshotError, msgspec.ValidationError) as error:
        problem.show(str(error))
        return
    _close()
    st.rerun()


def _open() -> None:
    st.session_state[_OPEN] = st.session_state["streams-what-if"]


def _close() -> None:
    st.session_state.pop(_OPEN, None)


def _die(choices: Choices) -> Callable[[], AnyApplicationEdit]:
    chosen = _instances("Instances", choices.running, list(choices.running)[:1])
    return lambda: RemoveProcesses(process_ids=_some(chosen))


def _return(choices: Choices) -> Callable[[], AnyApplicationEdit] | None:
    if not choices.gone:
        st.html('<span class="note">No instance has left. Let one die first.</span>', width="content")
        return None
    chosen = _instances("Instances", choices.gone)
    disk = st.checkbox("with their disks", value=True, key="streams-form-disk")
    return lambda: ReturnProcesses(process_ids=_some(chosen), disk=disk)


def _add(choices: Choices) -> Callable[[], AnyApplicationEdit]:
    number = st.number_input("How many", 1, 1_000, 1, key="streams-form-count", width=110)
    like = st.selectbox("Like", list(choices.running), format_func=choices.running.get, key="streams-form-like", width=220)
    return lambda: AddProcesses(like=like, count=int(number))


def _set(choices: Choices) -> Callable[[], AnyApplicationEdit]:
    name = st.selectbox("Setting", _SETTINGS, key="streams-form-setting", width=250)
    value = st.number_input("Value", 0, 2**53 - 1, None, key="streams-form-value", placeholder="Kafka's default", width=170)
    return lambda: SetSettings(settings={name: None if value is None else int(value)})


def _pass(choices: Choices) -> Callable[[], AnyApplicationEdit]:
    minutes = st.number_input("Minutes", 0.1, 500_000.0, 10.0, key="streams-form-minutes", width=130)
    return lambda: PassTime(seconds=60 * minutes)


def _instances(label: str, names: Mapping[str, str], first: Sequence[str] = ()) -> list[str]:
    # Streamlit's first option is all of them, which no application survives.
    return st.multiselect(label, list(names), first, format_func=names.get, key="streams-form-instances", placeholder="Choose", width=320)


def _some(chosen: list[str]) -> list[str]:
    if not chosen:
        raise SnapshotError("Choose at least one instance.")
    return chosen


_FORMS: dict[str, tuple[str, str, Callable[[Choices], Callable[[], AnyApplicationEdit] | None]]] = {
    "remove_processes": ("An instance dies", "power_off", _die),
    "return_processes": ("An instance comes back", "restart_alt", _return),
    "add_processes": ("An instance is added", "add_box", _add),
    "set_settings": ("A setting changes", "tune", _set),
    "advance": ("Time passes", "schedule", _pass),
}
"""By op: title, icon, and the fields, which return what makes the edit."""
