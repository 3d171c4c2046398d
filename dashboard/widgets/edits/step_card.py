"""One step in the list: its name, its effect, its edits, and what can be done with it."""

from html import escape

import streamlit as st

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits import changes, edit_line, effects, new_ids, state
from evenkeel.dashboard.widgets.edits.forms import form
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.dashboard.words.names import literal
from evenkeel.data.scenarios.edits.edit import Names
from evenkeel.data.scenarios.scenario.scenario import Step

_MENU, _ADD, _RENAMES = "step-menu", "edit-add", "step-name"
_RENAME, _COPY, _REMOVE, _CHANGE, _DROP = "rename", "copy", "remove", "change", "drop"


def show_listed(group: Opened, facts: str, switch: str, is_shown: bool) -> None:
    """Draw the group as listed, which is step 0; `switch`: what the switch to the candidate alone does, empty where there is none."""
    with st.container(gap=None, key="what-if-step-shown-0" if is_shown else "what-if-step-0"):
        st.button("0  **as listed**", key="step-0", type="tertiary", on_click=state.look_at, args=(group, None, 0))
        st.html(f'<p class="effect">{escape(facts)}</p>' + f'<p class="effect">{escape(switch)}</p>' * bool(switch))


def show(group: Opened, run: Run, number: int, is_shown: bool, has_edits: bool) -> None:
    """Draw a step; `has_edits`: with its edits."""
    step = run.steps[number - 1]
    with st.container(gap=None, key=f"what-if-step-shown-{number}" if is_shown else f"what-if-step-{number}"):
        with st.container(horizontal=True, vertical_alignment="center", gap=None, key=f"step-head-{number}"):
            label = f"{number}  **{literal(step.title(run.names))}**"
            st.button(label, key=f"step-{number}", type="tertiary", on_click=state.look_at, args=(group, None, number), width="stretch")
            if is_shown:
                _show_tools(group, number, step, run.names)
        if is_shown and st.session_state.get(_RENAMES) == number:
            st.text_input("Name of the step", step.name or "", key=f"{_RENAMES}-text", on_change=_rename, args=(group, number))
        st.html(f'<p class="effect">{escape(_effect(run, number))}</p>')
        for place in range(len(step.edits)) if has_edits else ():
            edit_line.show(group, run, number, place)
        if is_shown:
            new_ids.show(group, run, number)
            _show_add(group, number)


def add_step(group: Opened, after: int, step: Step) -> None:
    """Put a step behind another one; for callbacks."""
    state.change(group, changes.with_steps(state.current(group).place, after, [step]))


def _effect(run: Run, number: int) -> str:
    if number > run.last:
        return "refused, see below" if run.refused and run.refused.step == number else "waits for the step before it"
    return effects.of_step(*run.walk.answers[number - 1 : number + 1])


def _show_tools(group: Opened, number: int, step: Step, names: Names) -> None:
    for icon, shortcut, by in (("arrow_upward", "Alt+Up", -1), ("arrow_downward", "Alt+Down", 1)):
        st.button(
            f"Move the step {'up' if by < 0 else 'down'}",
            key=f"step-{icon}",
            type="tertiary",
            icon=f":material/{icon}:",
            shortcut=shortcut,
            help=f"Move the step {'up' if by < 0 else 'down'}",
            on_click=_move,
            args=(group, number, by),
        )
    labels = {_RENAME: "Rename", _COPY: "Copy", _REMOVE: "Remove"}
    for place, edit in enumerate(step.edits):
        words = literal(edit.in_words(names))
        labels |= {f"{_CHANGE} {place}": f":material/edit: Change: {words}", f"{_DROP} {place}": f":material/close: Remove: {words}"}
    st.menu_button(
        "Change the step",
        list(labels),
        format_func=labels.get,
        key=_MENU,
        type="tertiary",
        help="Rename, copy, remove",
        on_click=_do,
        args=(group, number),
    )


def _show_add(group: Opened, number: int) -> None:
    labels = form.menu_labels()
    st.menu_button(
        "Add an edit to this step",
        list(labels),
        format_func=labels.get,
        key=_ADD,
        type="tertiary",
        icon=":material/add:",
        on_click=_open_form,
        args=(number,),
    )


def _open_form(number: int) -> None:
    form.open_form(st.session_state[_ADD], number)


def _move(group: Opened, number: int, by: int) -> None:
    now = state.current(group).place
    moved = changes.moved_step(now, number, by)
    if moved != now:
        state.change(group, moved)


def _rename(group: Opened, number: int) -> None:
    st.session_state.pop(_RENAMES)
    state.change(group, changes.renamed_step(state.current(group).place, number, st.session_state[f"{_RENAMES}-text"]))


def _do(group: Opened, number: int) -> None:
    place, (what, _, which) = state.current(group).place, st.session_state[_MENU].partition(" ")
    match what:
        case "rename":
            st.session_state[_RENAMES] = number
        case "copy":
            state.change(group, changes.copied_step(place, number))
        case "remove":
            state.change(group, changes.without_step(place, number))
        case "change":
            form.open_form(place.steps[number - 1].edits[int(which)].__struct_config__.tag, number, edit=int(which))
        case _:
            state.change(group, changes.without_edit(place, number, int(which)))
