"""What-if of a Streams application: the open step, the effects of the steps, choices for the
forms.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from evenkeel.dashboard.names import process_names
from evenkeel.dashboard.parts.task_tables import Downtime, downtime
from evenkeel.dashboard.shell.loading.applications import (
    answered,
    application,
    state_before,
    view_of,
)
from evenkeel.dashboard.shell.loading.walks import Refusal
from evenkeel.dashboard.steps import form, state, step_list
from evenkeel.dashboard.steps.fields import Choices
from evenkeel.dashboard.steps.form import Open
from evenkeel.dashboard.steps.state import APPLICATION, Subject
from evenkeel.dashboard.steps.step_list import Effect
from evenkeel.dashboard.view import ApplicationView, OpenGroup
from evenkeel.data.scenarios.application_edits.application_edit import ApplicationEdit
from evenkeel.data.scenarios.edits.edit import Form, RefusedEditError, Values
from evenkeel.data.scenarios.scenario.draft import EMPTY
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS, Step
from evenkeel.data.text.formats import compact, count, duration
from evenkeel.data.text.names import without_uuid

_MENU = "streams-what-if"
_RIBBON = (
    '<p class="ribbon"><b>Simulation – nothing is sent to Kafka</b> Each assignor starts from its'
    " own previous step.</p>"
)
_PATIENCE = 0.3


def subject(opened: OpenGroup) -> Subject:
    """Return the application whose scenarios the reader edits."""
    return Subject(APPLICATION, opened)


def place(opened: OpenGroup) -> state.Place:
    """Return the application's scenarios, and the numbers of the open scenario and step."""
    return state.current(subject(opened)).place


class TaskSteps(NamedTuple):
    """The steps of the open scenario, and their effects under the chosen assignor.

    `refused`: the first refused edit, or None. `last`: the last step before the refused edit.
    """

    opened: OpenGroup
    chosen: str
    steps: Sequence[Step]
    names: Mapping[str, str]
    refused: Refusal | None
    last: int

    @property
    def more(self) -> dict[str, Form]:
        """Return no forms: on Streams, each form makes an edit, no form makes steps."""
        return {}

    def as_listed(self) -> list[str]:
        """Return no lines: the page itself shows the application as listed."""
        return []

    def effect(self, number: int) -> Effect:
        """Return the effect of a step, in words."""
        step = self.steps[number - 1]
        if step.edits and not step.edits_on:
            return Effect("off")
        if number > self.last:
            is_here = self.refused and self.refused.step == number
            return Effect(
                "refused, see below" if is_here and step.edits else "waits for the previous step"
            )
        view = view_of(self.opened, self.steps, number, self.chosen)
        answer = answered(view, self.chosen, _PATIENCE).task_rounds
        return (
            Effect(_in_words(downtime(view, self.chosen, answer)))
            if answer
            else Effect("Kafka's own class throws", "refused")
        )

    def edit_effect(self, number: int, place: int) -> str:
        """Return an empty text: effects are shown for a step, not for an edit."""
        return ""

    def show_more(self, number: int) -> None:
        """Draw nothing: on Streams, a step has only edits."""

    def choices(self, op: str, step: int) -> Choices:
        """Return the running instances at the start of a step, and the departed instances."""
        try:
            before = state_before(self.opened, self.steps, step, self.chosen)
        except RefusedEditError as error:
            before = state_before(self.opened, self.steps, error.at.step + 1, self.chosen)
        processes = before.document.processes or []
        running = dict(
            zip(
                (process.process_id for process in processes), process_names(processes), strict=True
            )
        )
        return Choices(
            processes=running,
            gone={
                each: without_uuid(process.client_id or each)
                for each, process in before.gone.items()
            },
        )

    def made_steps(self, op: str, step: int, values: Values) -> list[Step]:
        """Return no steps: no form on Streams makes steps."""
        return []

    def tried(
        self, edits: list[ApplicationEdit], open_form: Open, there: list[ApplicationEdit]
    ) -> list[ApplicationEdit]:
        """Return the edits as they are: a refused edit is marked in the list of steps."""
        return edits


def steps_of(opened: OpenGroup, chosen: str) -> TaskSteps:
    """Return the steps of the open scenario, with short names of the instances of all steps."""
    steps, refused = place(opened).steps, None
    names: dict[str, str] = {}
    views = [application(opened), view_at(opened, chosen)]
    for number in range(1, len(steps) + 1):
        try:
            views.append(view_of(opened, steps, number, chosen))
        except RefusedEditError as error:
            refused = Refusal(error.at.step + 1, error.at.edit, error.reason)
            break
    for view in views:
        for process, label in zip(view.document.processes or (), view.processes, strict=True):
            names.setdefault(process.process_id, label)
    return TaskSteps(opened, chosen, steps, names, refused, len(views) - 2)


def view_at(opened: OpenGroup, name: str) -> ApplicationView:
    """Return the application with the edits of the open step, before its rebalance.

    If an edit of this step is refused, return the application at the last step before the refused
    edit.
    """
    now = place(opened)
    try:
        return view_of(opened, now.steps, now.step, name)
    except RefusedEditError as error:
        return view_of(opened, now.steps, error.at.step, name)


def show_tools(opened: OpenGroup) -> None:
    """Draw Undo and Redo if something was edited, and the menu "What if …", which opens a form."""
    now = state.current(subject(opened))
    if now.past or now.future:
        state.show_tools(subject(opened))
    labels = form.menu_labels(APPLICATION)
    st.menu_button(
        "What if …",
        list(labels),
        format_func=labels.__getitem__,
        key=_MENU,
        icon=":material/experiment:",
        disabled=len(now.place.steps) >= MOST_STEPS,
        on_click=_open,
        args=(opened,),
    )


def show(opened: OpenGroup, chosen: str) -> None:
    """Draw the open form, the list of scenarios, and the steps of the open scenario."""
    draft, steps = steps_of(opened, chosen), form.opened(APPLICATION)
    if steps and steps.is_new:
        form.show(subject(opened), draft, steps, is_wide=True)
    if place(opened).draft == EMPTY:
        return
    with st.container(key="ribbon"):
        st.html(_RIBBON)
    step_list.choose_scenario(subject(opened))
    step_list.show_steps(subject(opened), draft, is_wide=True)


def _open(opened: OpenGroup) -> None:
    form.open_form(APPLICATION, Open(st.session_state[_MENU], place(opened).step + 1, is_new=True))


def _in_words(row: Downtime) -> str:
    words = count(row.moved, "move")
    if row.stopped:
        words += (
            f", {count(row.stopped, 'task')} stop {_time(row)} to restore {compact(row.records)}"
            " records"
        )
    if row.is_endless:
        return f"{words} · never balanced"
    if row.to_balance is None:
        return words
    when = f"in {duration(row.to_balance)}" if row.to_balance else "at once"
    return f"{words} · balanced {when}"


def _time(row: Downtime) -> str:
    if row.seconds is None:
        return "for an unknown time"
    return "for less than 1 s" if row.seconds < 1 else f"for up to {duration(row.seconds)}"
