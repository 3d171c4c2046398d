"""The steps as a list: what happens, what it does, and what can be done with it."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from evenkeel.dashboard.loading.streams.probing import answered
from evenkeel.dashboard.loading.streams.steps import view_of
from evenkeel.dashboard.tables.streams.downtimes import Downtime, downtime
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.streams.what_if import step_state
from evenkeel.dashboard.words.names import literal
from evenkeel.data.scenarios.edits.edit import RefusedEditError
from evenkeel.data.words.formats import compact, count, duration

_RIBBON = '<p class="ribbon"><b>Simulation – nothing is sent to Kafka</b> Each assignor starts where its own step before ended.</p>'


def show(opened: Opened, chosen: str, names: Mapping[str, str]) -> None:
    """Draw ribbon and steps; nothing where there are none. `names`: of instances by process id."""
    now = step_state.current(opened)
    if not now.steps:
        return
    with st.container(key="ribbon"):
        st.html(_RIBBON)
    with st.container(border=True, gap=None, key="streams-steps"):
        _show_line(opened, 0, "as listed", now.at == 0)
        for number, step in enumerate(now.steps, 1):
            _show_line(opened, number, step.title(names), now.at == number, _effect(opened, now, number, chosen))


def _show_line(opened: Opened, number: int, title: str, is_shown: bool, effect: tuple[str, str] = ("", "")) -> None:
    key = f"streams-step-{'shown-' * is_shown}{number}"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=key):
        st.button(
            f"{number}  **{literal(title)}**",
            key=f"streams-step-button-{number}",
            type="tertiary",
            on_click=step_state.look_at,
            args=(opened, number),
        )
        st.html(f'<span class="effect {effect[1]}">{escape(effect[0])}</span>', width="content")
        st.space("stretch")
        if number and is_shown:
            _show_tools(opened, number)


def _show_tools(opened: Opened, number: int) -> None:
    is_off = all(edit.off for edit in step_state.current(opened).steps[number - 1].edits)
    for icon, help_text, act, args in (
        ("toggle_off" if is_off else "toggle_on", "Switch on" if is_off else "Switch off", step_state.switch, ()),
        ("arrow_upward", "Move the step up", step_state.move, (-1,)),
        ("arrow_downward", "Move the step down", step_state.move, (1,)),
        ("close", "Remove the step", step_state.remove, ()),
    ):
        st.button(
            help_text,
            key=f"streams-{icon}",
            type="tertiary",
            icon=f":material/{icon}:",
            help=help_text,
            on_click=act,
            args=(opened, number, *args),
        )


def _effect(opened: Opened, now: step_state.Editing, number: int, chosen: str) -> tuple[str, str]:
    """Return what a step does, and its tone."""
    if all(edit.off for edit in now.steps[number - 1].edits):
        return "off", ""
    try:
        view = view_of(opened, now.steps, number, chosen)
    except RefusedEditError as error:
        is_here = error.at.step == number - 1
        return (f"⚠ {error.reason}", "refused") if is_here else ("waits for the step before it", "")
    found = answered(view, chosen, 0.3).found
    return (_in_words(downtime(view, chosen, found)), "") if found else ("Kafka's own class throws", "refused")


def _in_words(row: Downtime) -> str:
    stops = f", {count(row.stopped, 'task')} stop {_time(row)} to restore {compact(row.records)} records" if row.stopped else ""
    ends = "never balanced" if row.is_endless else f"balanced in {duration(row.to_balance)}" if row.to_balance else ""
    return " · ".join(filter(None, [f"{count(row.moved, 'move')}{stops}", ends or ("balanced at once" if row.to_balance == 0 else "")]))


def _time(row: Downtime) -> str:
    return (
        "for an unknown time" if row.seconds is None else "for less than 1 s" if row.seconds < 1 else f"for up to {duration(row.seconds)}"
    )
