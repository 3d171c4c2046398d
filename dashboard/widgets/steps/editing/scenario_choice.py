"""Which scenario is edited: A to D, each a copy of another one to begin with."""

import streamlit as st

from evenkeel.dashboard.widgets.steps.editing import state
from evenkeel.dashboard.widgets.steps.editing.state import Subject
from evenkeel.dashboard.words.names import literal
from evenkeel.data.scenarios.scenario.draft import MOST_SCENARIOS
from evenkeel.data.words.names import elided

_KEY, _MENU, _RENAMES = "what-if-scenario", "what-if-scenario-menu", "what-if-scenario-name"
_WIDTH = 18


def show(subject: Subject) -> None:
    """Draw the choice with its menu: copy, rename, remove."""
    place = state.current(subject).place
    scenarios = place.draft.scenarios
    labels = [f"{letter} · {elided(each.name or _default(letter), _WIDTH)}" for letter, each in place.by_letter]
    st.session_state[_KEY] = place.scenario
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="scenarios"):
        st.segmented_control(
            "Scenario",
            range(len(scenarios)),
            format_func=lambda at: literal(labels[at]),
            key=_KEY,
            required=True,
            label_visibility="collapsed",
            on_change=_choose,
            args=(subject,),
            width="stretch",
        )
        options = ["Copy to the side"] * (len(scenarios) < MOST_SCENARIOS) + ["Rename", "Clear" if len(scenarios) == 1 else "Remove"]
        st.menu_button(
            "Change the scenario", options, key=_MENU, type="tertiary", help="Copy, rename, remove", on_click=_do, args=(subject,)
        )
    if len(scenarios) == MOST_SCENARIOS:
        st.caption(f"{MOST_SCENARIOS} scenarios fit side by side: remove one to copy another.")
    if st.session_state.get(_RENAMES):
        st.text_input("Name of the scenario", place.named.name or "", key=f"{_RENAMES}-text", on_change=_rename, args=(subject,))


def _default(letter: str) -> str:
    return "as edited here" if letter == state.LETTERS[0] else f"variant {letter}"


def _choose(subject: Subject) -> None:
    state.look_at(subject, scenario=st.session_state[_KEY])


def _do(subject: Subject) -> None:
    place = state.current(subject).place
    match st.session_state[_MENU]:
        case "Copy to the side":
            state.change(subject, state.copied_scenario(place))
        case "Rename":
            st.session_state[_RENAMES] = True
        case _:
            state.change(subject, state.without_scenario(place))


def _rename(subject: Subject) -> None:
    st.session_state.pop(_RENAMES)
    state.change(subject, state.renamed_scenario(state.current(subject).place, st.session_state[f"{_RENAMES}-text"]))
