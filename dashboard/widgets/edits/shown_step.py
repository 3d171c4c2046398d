"""The step of What-if that is shown: its name, keys that walk through the steps, what a member can do next, and what changes owner."""

from html import escape

import streamlit as st

from evenkeel.dashboard.loading.walks import moves_of
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.dashboard.widgets.edits.steps import what_if
from evenkeel.dashboard.widgets.parts import problem
from evenkeel.dashboard.widgets.parts.moves import charts, rows
from evenkeel.dashboard.widgets.steps.editing import state
from evenkeel.dashboard.words.answers import Said, heading, in_words
from evenkeel.dashboard.words.refusals import refusal
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.edits.remove_members import RemoveMembers
from evenkeel.data.scenarios.edits.restart_members import RestartMembers
from evenkeel.data.scenarios.edits.set_instance_id import SetInstanceId
from evenkeel.data.scenarios.run.step_figures import figures_of
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED, MOST_STEPS, Step
from evenkeel.data.words.formats import count


def show_heading(group: Opened, run: Run, step: int) -> bool:
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
    refused, stand = run.refused, "The steps before it stay as they are"
    if refused is None:
        return f"step {run.last + 1}. {stand}; change or switch off this edit to go on."
    if refused.edit is None:
        return f"step {refused.step}: {refused.text}. {stand}; remove steps or edits to go on."
    where = f"step {refused.step}, edit {refused.edit + 1}"
    return f"{where}: {refusal(refused.text)} {stand}; change or switch off this edit to go on."


_MEMBER = "what-if-member"


_ACTIONS = {"stop": ("Stop", "person_remove"), "restart": ("Restart", "restart_alt"), "static": ("Make static", "push_pin")}


def show_actions(group: Opened, run: Run, step: int) -> None:
    """Draw the choice of a member and the three buttons; a click on a chart chooses too."""
    now = run.walk.answers[step].group
    names = {member_id: run.names.get(member_id, member_id) for member_id in now.snapshot.member_id}
    if not names:
        return
    if st.session_state.get(_MEMBER) not in names:
        st.session_state[_MEMBER] = next(iter(names))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<span class="note">Next step, with</span>', width="content")
        st.selectbox("Member", list(names), format_func=names.get, key=_MEMBER, label_visibility="collapsed", width=240)
        for action, (label, icon) in _ACTIONS.items():
            st.button(
                label,
                key=f"member-{action}",
                icon=f":material/{icon}:",
                on_click=_add_step,
                args=(group, step, action, names),
                disabled=len(run.steps) >= MOST_STEPS,
            )


def pick(member_id: str) -> None:
    """Choose a member; for callbacks."""
    st.session_state[_MEMBER] = member_id


def _add_step(group: Opened, step: int, action: str, names: dict[str, str]) -> None:
    member_id = st.session_state[_MEMBER]
    state.change(
        what_if(group),
        state.with_steps(state.current(what_if(group)).place, step, [Step(edits=[_edit(action, member_id, names[member_id])])]),
    )


def _edit(action: str, member_id: str, name: str) -> AnyEdit:
    if action == "static":
        return SetInstanceId(member_id=member_id, instance_id=name)
    return (RemoveMembers if action == "stop" else RestartMembers)(member_ids=[member_id])


def show_moves(group: Opened, run: Run, step: int) -> None:
    """Draw tiles, matrix and list; nothing for the group as listed."""
    if not step:
        return
    answer = run.walk.answers[step]
    found = moves_of(group, run.steps, step, answer, run.names)
    if found is None:
        st.info("The owners before this step are unknown, so there are no moves to show.")
        return
    view, change = found
    before = "the group as listed" if step == 1 else f"step {step - 1}"
    st.html(f'<h2 class="step-title">Moves from {before} to step {step} <span>under {run.candidate}</span></h2>')
    if not len(change.moves.lag):
        back = f": {count(answer.moved_partitions, 'move')} on the way end where they began" if answer.moved_partitions else ""
        st.info(f"No partition has another owner after this step than before it{back}.")
    else:
        charts.show(view, change, (before, f"step {step}"))
    rows.show(view, change, f"step-{step - 1}", f"step-{step}-{run.candidate}")
