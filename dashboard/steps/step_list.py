"""The list of steps: a choice of the scenarios A to D, and the open scenario's steps with their
edits, effects and buttons.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple, Protocol

import streamlit as st

from evenkeel.dashboard.names import in_label, literal, numbered
from evenkeel.dashboard.shell.loading.walks import Refusal
from evenkeel.dashboard.steps import form, state
from evenkeel.dashboard.steps.form import FormSource, Open
from evenkeel.dashboard.steps.refusals import refusal
from evenkeel.dashboard.steps.state import Subject
from evenkeel.data.scenarios.edits.edit import Names
from evenkeel.data.scenarios.scenario.draft import MOST_SCENARIOS
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS, Step
from evenkeel.data.text.formats import count
from evenkeel.data.text.names import elided

_KEY, _SCENARIO_MENU, _SCENARIO_RENAMES = (
    "what-if-scenario",
    "what-if-scenario-menu",
    "what-if-scenario-name",
)
_WIDTH = 18


def choose_scenario(subject: Subject) -> None:
    """Draw the choice of the scenario with its menu: copy, rename, remove."""
    place = state.current(subject).place
    scenarios = place.draft.scenarios
    labels = [
        f"{letter} · {elided(each.name or _default(letter), _WIDTH)}"
        for letter, each in place.by_letter
    ]
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
        options = ["Copy to the side"] * (len(scenarios) < MOST_SCENARIOS) + [
            "Rename",
            "Clear" if len(scenarios) == 1 else "Remove",
        ]
        st.menu_button(
            "Change the scenario",
            options,
            key=_SCENARIO_MENU,
            type="tertiary",
            help="Copy, rename, remove",
            on_click=_do_with_scenario,
            args=(subject,),
        )
    if len(scenarios) == MOST_SCENARIOS:
        st.caption(
            f"There is room for {MOST_SCENARIOS} scenarios. Remove a scenario to copy another."
        )
    if st.session_state.get(_SCENARIO_RENAMES):
        st.text_input(
            "Name of the scenario",
            place.named.name or "",
            key=f"{_SCENARIO_RENAMES}-text",
            on_change=_rename_scenario,
            args=(subject,),
        )


def _default(letter: str) -> str:
    return "as edited here" if letter == state.LETTERS[0] else f"variant {letter}"


def _choose(subject: Subject) -> None:
    state.look_at(subject, scenario=st.session_state[_KEY])


def _do_with_scenario(subject: Subject) -> None:
    place = state.current(subject).place
    match st.session_state[_SCENARIO_MENU]:
        case "Copy to the side":
            state.change(subject, state.copied_scenario(place))
        case "Rename":
            st.session_state[_SCENARIO_RENAMES] = True
        case _:
            state.change(subject, state.without_scenario(place))


def _rename_scenario(subject: Subject) -> None:
    st.session_state.pop(_SCENARIO_RENAMES)
    state.change(
        subject,
        state.renamed_scenario(
            state.current(subject).place, st.session_state[f"{_SCENARIO_RENAMES}-text"]
        ),
    )


# The steps of a scenario as a list: edits, effects and actions.


_MENU, _STEP_MENU, _ADD, _RENAMES = "what-if-add", "step-menu", "edit-add", "step-name"
_RENAME, _COPY, _REMOVE, _CHANGE, _DROP = "rename", "copy", "remove", "change", "drop"
_AS_IT_IS = "as_it_is"
_MOST_OPEN = 12
"""In a longer list, only the open step lists its edits."""
_MOST_EDITS = 100
"""A step lists at most this number of edits, because each edit's own effect is computed."""


class Effect(NamedTuple):
    """The effect of a step in words. `tone` is `refused` if the step has a refused edit, else
    empty.
    """

    text: str
    tone: str = ""


class StepListSource(FormSource, Protocol):
    """The data and functions of a page for its list of steps. `names`: short names by id.
    `refused`: the first refused edit. `last`: the last step that has answers.
    """

    @property
    def steps(self) -> Sequence[Step]: ...

    @property
    def names(self) -> Names: ...

    @property
    def refused(self) -> Refusal | None: ...

    @property
    def last(self) -> int: ...

    def as_listed(self) -> Sequence[str]:
        """Return the lines of text under step 0, the group as listed."""

    def effect(self, number: int) -> Effect:
        """Return the effect of a step."""

    def edit_effect(self, number: int, place: int) -> str:
        """Return the effect that an edit has without the step's other edits. Empty if unknown."""

    def show_more(self, number: int) -> None:
        """Draw the parts below the edits of the open step."""


def show(subject: Subject, step_list: StepListSource) -> None:
    """Draw the list of steps, the open form, and the menu that adds a step."""
    open_form = form.opened(subject.kind)
    show_steps(subject, step_list)
    if open_form and open_form.is_new:
        form.show(subject, step_list, open_form)
    _show_add(subject, step_list, len(step_list.steps))


def show_steps(subject: Subject, step_list: StepListSource, is_wide: bool = False) -> None:
    """Draw the steps. A form that adds or changes an edit of a step is drawn below this step."""
    shown, open_form, last = (
        state.current(subject).place.step,
        form.opened(subject.kind),
        len(step_list.steps),
    )
    with st.container(border=True, gap=None, key="steps"):
        _show_listed(subject, step_list.as_listed(), shown == 0)
        for number in range(1, last + 1):
            _show_step(
                subject, step_list, number, shown == number, shown == number or last <= _MOST_OPEN
            )
            if open_form and not open_form.is_new and open_form.step == number:
                form.show(subject, step_list, open_form, is_wide)


def _show_listed(subject: Subject, lines: Sequence[str], is_shown: bool) -> None:
    with st.container(gap=None, key="what-if-step-shown-0" if is_shown else "what-if-step-0"):
        st.button(
            "0  **as listed**",
            key="step-0",
            type="tertiary",
            on_click=state.look_at,
            args=(subject, None, 0),
        )
        if lines:
            st.html("".join(f'<p class="effect">{escape(line)}</p>' for line in lines))


def _show_step(
    subject: Subject, step_list: StepListSource, number: int, is_shown: bool, has_edits: bool
) -> None:
    """Draw a step. `is_shown`: it is the open step. `has_edits`: draw its edits too."""
    step, effect = step_list.steps[number - 1], step_list.effect(number)
    with st.container(
        gap=None, key=f"what-if-step-shown-{number}" if is_shown else f"what-if-step-{number}"
    ):
        with st.container(
            horizontal=True, vertical_alignment="center", gap=None, key=f"step-head-{number}"
        ):
            label = f"{number}  **{literal(step.title(step_list.names))}**"
            st.button(
                label,
                key=f"step-{number}",
                type="tertiary",
                on_click=state.look_at,
                args=(subject, None, number),
                width="stretch",
            )
            if is_shown:
                _show_tools(subject, number, step, step_list.names)
        if is_shown and st.session_state.get(_RENAMES) == number:
            st.text_input(
                "Name of the step",
                step.name or "",
                key=f"{_RENAMES}-text",
                on_change=_rename,
                args=(subject, number),
            )
        st.html(f'<p class="{f"effect {effect.tone}".rstrip()}">{escape(effect.text)}</p>')
        for place in range(len(step.edits[:_MOST_EDITS])) if has_edits else ():
            _show_edit(subject, step_list, number, place)
        if has_edits and len(step.edits) > _MOST_EDITS:
            st.caption(
                f"{count(len(step.edits) - _MOST_EDITS, 'more edit')}: a step lists its first"
                f" {_MOST_EDITS}."
            )
        if is_shown:
            step_list.show_more(number)
            _show_add_edit(subject, number)


def _show_edit(subject: Subject, step_list: StepListSource, number: int, place: int) -> None:
    """Draw one edit: a checkbox, its words, its effect without the step's other edits, and the
    reason if it is refused.
    """
    edit, key = step_list.steps[number - 1].edits[place], f"edit-{number}-{place}"
    st.session_state[key] = not edit.off
    with st.container(gap=None, key=f"what-if-{key}"):
        st.checkbox(
            in_label(edit.in_words(step_list.names)),
            key=key,
            on_change=_switch,
            args=(subject, number, place),
        )
        refused = step_list.refused
        if refused and (refused.step, refused.edit) == (number, place):
            st.html(f'<p class="effect refused">⚠ {escape(refusal(refused.text))}</p>')
        elif number <= step_list.last + bool(refused and refused.step == number):
            effect = step_list.edit_effect(number, place)
            if effect:
                st.html(f'<p class="effect">{escape(effect)}</p>')


def _switch(subject: Subject, number: int, place: int) -> None:
    is_on = st.session_state[f"edit-{number}-{place}"]
    state.change(subject, state.switched(state.current(subject).place, number, place, not is_on))


def _show_tools(subject: Subject, number: int, step: Step, names: Names) -> None:
    for icon, shortcut, by in (("arrow_upward", "Alt+Up", -1), ("arrow_downward", "Alt+Down", 1)):
        st.button(
            f"Move the step {'up' if by < 0 else 'down'}",
            key=f"step-{icon}",
            type="tertiary",
            icon=f":material/{icon}:",
            shortcut=shortcut,
            help=f"Move the step {'up' if by < 0 else 'down'}",
            on_click=_move,
            args=(subject, number, by),
        )
    labels = {_RENAME: "Rename", _COPY: "Copy", _REMOVE: "Remove"}
    for place, edit in enumerate(step.edits[:_MOST_EDITS]):
        words = literal(edit.in_words(names))
        labels |= {
            f"{_CHANGE} {place}": f":material/edit: Change: {words}",
            f"{_DROP} {place}": f":material/close: Remove: {words}",
        }
    labels = numbered(labels)
    st.menu_button(
        "Change the step",
        list(labels),
        format_func=labels.__getitem__,
        key=_STEP_MENU,
        type="tertiary",
        help="Rename, copy, remove",
        on_click=_do,
        args=(subject, number),
    )


def _show_add_edit(subject: Subject, number: int) -> None:
    labels = form.menu_labels(subject.kind)
    st.menu_button(
        "Add an edit to this step",
        list(labels),
        format_func=labels.__getitem__,
        key=_ADD,
        type="tertiary",
        icon=":material/add:",
        on_click=_open_form,
        args=(subject, number),
    )


def _open_form(subject: Subject, number: int) -> None:
    form.open_form(subject.kind, Open(st.session_state[_ADD], number))


def _move(subject: Subject, number: int, by: int) -> None:
    now = state.current(subject).place
    moved = state.moved_step(now, number, by)
    if moved != now:
        state.change(subject, moved)


def _rename(subject: Subject, number: int) -> None:
    st.session_state.pop(_RENAMES)
    state.change(
        subject,
        state.renamed_step(
            state.current(subject).place, number, st.session_state[f"{_RENAMES}-text"]
        ),
    )


def _do(subject: Subject, number: int) -> None:
    place, (verb, _, which) = (
        state.current(subject).place,
        st.session_state[_STEP_MENU].partition(" "),
    )
    match verb:
        case "rename":
            st.session_state[_RENAMES] = number
        case "copy":
            state.change(subject, state.copied_step(place, number))
        case "remove":
            state.change(subject, state.without_step(place, number))
        case "change":
            form.open_form(
                subject.kind,
                Open(place.steps[number - 1].edits[int(which)].op, number, edit=int(which)),
            )
        case _:
            state.change(subject, state.without_edit(place, number, int(which)))


def _show_add(subject: Subject, step_list: StepListSource, last: int) -> None:
    more = {op: form.label_of(kind) for op, kind in step_list.more.items()}
    labels = (
        form.menu_labels(subject.kind)
        | more
        | {_AS_IT_IS: ":material/sync: Rebalance without a change"}
    )
    st.menu_button(
        "Add a step",
        list(labels),
        format_func=labels.__getitem__,
        key=_MENU,
        icon=":material/add:",
        width="stretch",
        disabled=last >= MOST_STEPS,
        on_click=_add,
        args=(subject, last),
    )
    st.html(
        '<p class="note keys"><b>← →</b> walk through the steps &nbsp; <b>Alt ↑ ↓</b> move a'
        " step</p>"
    )


def _add(subject: Subject, last: int) -> None:
    if st.session_state[_MENU] == _AS_IT_IS:
        state.change(subject, state.with_steps(state.current(subject).place, last, [Step()]))
    else:
        form.open_form(subject.kind, Open(st.session_state[_MENU], last + 1, is_new=True))
