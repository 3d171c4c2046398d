"""What can be done with one member of the step that is shown: a next step in which it stops, restarts or becomes static."""

import streamlit as st

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits.runs import Run
from evenkeel.dashboard.widgets.edits.steps import what_if
from evenkeel.dashboard.widgets.steps.editing import state
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.edits.remove_members import RemoveMembers
from evenkeel.data.scenarios.edits.restart_members import RestartMembers
from evenkeel.data.scenarios.edits.set_instance_id import SetInstanceId
from evenkeel.data.scenarios.scenario.scenario import MOST_STEPS, Step

_KEY = "what-if-member"
_ACTIONS = {"stop": ("Stop", "person_remove"), "restart": ("Restart", "restart_alt"), "static": ("Make static", "push_pin")}


def show(group: Opened, run: Run, step: int) -> None:
    """Draw the choice of a member and the three buttons; a click on a chart chooses too."""
    now = run.walk.answers[step].group
    names = {member_id: run.names.get(member_id, member_id) for member_id in now.snapshot.member_id}
    if not names:
        return
    if st.session_state.get(_KEY) not in names:
        st.session_state[_KEY] = next(iter(names))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<span class="note">Next step, with</span>', width="content")
        st.selectbox("Member", list(names), format_func=names.get, key=_KEY, label_visibility="collapsed", width=240)
        for action, (label, icon) in _ACTIONS.items():
            st.button(
                label,
                key=f"member-{action}",
                icon=f":material/{icon}:",
                on_click=_add,
                args=(group, step, action, names),
                disabled=len(run.steps) >= MOST_STEPS,
            )


def pick(member_id: str) -> None:
    """Choose a member; for callbacks."""
    st.session_state[_KEY] = member_id


def _add(group: Opened, step: int, action: str, names: dict[str, str]) -> None:
    member_id = st.session_state[_KEY]
    state.change(
        what_if(group),
        state.with_steps(state.current(what_if(group)).place, step, [Step(edits=[_edit(action, member_id, names[member_id])])]),
    )


def _edit(action: str, member_id: str, name: str) -> AnyEdit:
    if action == "static":
        return SetInstanceId(member_id=member_id, instance_id=name)
    return (RemoveMembers if action == "stop" else RestartMembers)(member_ids=[member_id])
