"""The step that is shown: its name, its members, and the keys that walk through the steps."""

from html import escape

import streamlit as st

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.dashboard.widgets.edits.steps import what_if
from evenkeel.dashboard.widgets.parts import problem
from evenkeel.dashboard.widgets.steps.editing import state
from evenkeel.dashboard.words.answers.failures import in_words
from evenkeel.dashboard.words.answers.steps import Said, heading
from evenkeel.dashboard.words.refusals import refusal
from evenkeel.data.scenarios.run.step_figures import figures_of
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED


def show(group: Opened, run: Run, step: int) -> bool:
    """Draw the heading; False where the candidate has no answer to this step."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="step-heading"):
        said = _said(run, step)
        st.html(f'<h2 class="step-title">{escape(said.text)} <span>{escape(said.title)}</span></h2>', width="stretch")
        st.html('<span class="note">Walk through the steps</span>', width="content")
        for shortcut, to in (("Left", step - 1), ("Right", step + 1)):
            st.button(
                "Step before" if to < step else "Next step",
                key=f"walk-{shortcut.lower()}",
                type="tertiary",
                shortcut=shortcut,
                disabled=not 0 <= to <= len(run.steps),
                on_click=state.look_at,
                args=(what_if(group), None, to),
            )
    return _has_answer(run, step)


def _said(run: Run, step: int) -> Said:
    name = run.steps[step - 1].title(run.names) if step else AS_LISTED
    answer = run.walk.answers[step] if step <= run.last else None
    return heading(step, name, None if answer is None or answer.group is None else figures_of(answer))


def _has_answer(run: Run, step: int) -> bool:
    refused = run.refused
    if step > run.last:
        problem.show(f"Not possible, {_refused(run)}")
        return False
    answer = run.walk.answers[step]
    if answer.error:
        problem.show(f"{run.candidate}: {in_words(answer.error)}. The other assignors are in the table.")
    elif answer.group is None:
        st.info("This input does not show the current owners, so there are no figures before the first step.")
    return answer.group is not None


def _refused(run: Run) -> str:
    refused, stand = run.refused, "The steps before it stand as they are"
    if refused is None:
        return f"step {run.last + 1}. {stand}; change or switch off this edit to go on."
    if refused.edit is None:
        return f"step {refused.step}: {refused.text}. {stand}; remove steps or edits to go on."
    where = f"step {refused.step}, edit {refused.edit + 1}"
    return f"{where}: {refusal(refused.text)} {stand}; change or switch off this edit to go on."
