"""The answers of What-if: the strip, table and charts over all steps, the charts of the open step,
and the table of all scenarios.
"""

from html import escape

import streamlit as st

from evenkeel.dashboard.moves import owner_changes
from evenkeel.dashboard.names import numbered
from evenkeel.dashboard.parts import diagnosis_text
from evenkeel.dashboard.scope import gain, group_facts, scope
from evenkeel.dashboard.shell import problem
from evenkeel.dashboard.shell.answer_words import ShortText, heading, in_words
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.loading import answer_facts
from evenkeel.dashboard.shell.loading.diagnoses import diagnosis
from evenkeel.dashboard.shell.loading.walks import moves_of, walked
from evenkeel.dashboard.steps import state, strip
from evenkeel.dashboard.steps.refusals import refusal
from evenkeel.dashboard.steps.strips import step_strip
from evenkeel.dashboard.view import OpenGroup, View
from evenkeel.dashboard.whatif import charts
from evenkeel.dashboard.whatif.effects import what_if
from evenkeel.dashboard.whatif.loading import StepTimes
from evenkeel.dashboard.whatif.runs import Run
from evenkeel.data.compare.advice import advice_after
from evenkeel.data.scenarios.edits import AnyEdit
from evenkeel.data.scenarios.edits.add_members import AddMembers
from evenkeel.data.scenarios.edits.remove_members import RemoveMembers
from evenkeel.data.scenarios.edits.restart_members import RestartMembers
from evenkeel.data.scenarios.edits.set_instance_id import SetInstanceId
from evenkeel.data.scenarios.run.step_figures import (
    Figures,
    figures_of,
    figures_of_row,
    figures_of_steps,
)
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED, MOST_STEPS, Step
from evenkeel.data.text.formats import count
from evenkeel.data.text.names import elided


def show_heading(group: OpenGroup, run: Run, step: int) -> bool:
    """Draw the title of the open step, and buttons to the next and previous step. Return False if
    the candidate has no answer.
    """
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="step-heading"
    ):
        heading = _said(run, step)
        st.html(
            f'<h2 class="step-title">{escape(heading.text)}'
            f" <span>{escape(heading.title)}</span></h2>",
            width="stretch",
        )
        with st.container(horizontal=True, width="content", gap="small"):
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


def _said(run: Run, step: int) -> ShortText:
    name = run.steps[step - 1].title(run.names) if step else AS_LISTED
    answer = run.walk.answers[step] if step <= run.last else None
    return heading(
        step, name, None if answer is None or answer.group is None else figures_of(answer)
    )


def _has_answer(run: Run, step: int) -> bool:
    if step > run.last:
        problem.show(f"Not possible, {_refused(run)}")
        return False
    answer = run.walk.answers[step]
    if answer.error:
        problem.show(
            f"{run.candidate}: {in_words(answer.error)}. The other assignors are in the table."
        )
    elif answer.group is None:
        st.info(
            "This input does not show the current owners, so there are no figures before the first"
            " step."
        )
    return answer.group is not None


def _refused(run: Run) -> str:
    refused, stand = run.refused, "Earlier steps are unchanged"
    if refused is None:
        return f"step {run.last + 1}. {stand}; change or switch off this edit to continue."
    if refused.edit is None:
        return f"step {refused.step}: {refused.text}. {stand}; remove steps or edits to continue."
    where = f"step {refused.step}, edit {refused.edit + 1}"
    return f"{where}: {refusal(refused.text)} {stand}; change or switch off this edit to continue."


_FIRST_MEMBERS = 2


def show_without_members(group: OpenGroup, view: View, run: Run, step: int) -> bool:
    """Return whether the group has no member after a step. If so, draw the reason and a button that
    adds members.
    """
    answer = run.walk.answers[min(step, run.last)]
    now = answer.group or answer.start
    if now is None or now.snapshot.member_id:
        return False
    reason = "Without members there is nothing to assign."
    if not step:
        group_facts.show_diagnosis(group)
        reason = problem.without_members(view.observed)
    st.info(f"{reason} Add members here to see which partitions they would get.")
    joins = AddMembers(count=_FIRST_MEMBERS, subscribed=list(now.snapshot.topic_name))
    st.button(
        f"Add {count(_FIRST_MEMBERS, 'member')}",
        icon=":material/person_add:",
        key="first-members",
        on_click=_add,
        args=(group, step, joins),
    )
    return True


_MEMBER = "what-if-member"


_ACTIONS = {
    "stop": ("Stop", "person_remove"),
    "restart": ("Restart", "restart_alt"),
    "static": ("Make static", "push_pin"),
}


def show_actions(group: OpenGroup, run: Run, step: int) -> None:
    """Draw a select box of members and three buttons that add a step for the selected member. The
    reader can also select a member by a click on a chart.
    """
    now = run.walk.answers[step].group
    names = numbered(
        {member_id: run.names.get(member_id, member_id) for member_id in now.snapshot.member_id}
    )
    if not names:
        return
    if st.session_state.get(_MEMBER) not in names:
        ids = run.walk.answers[0].group.snapshot.member_id
        worst = [ids[row] for row in diagnosis(group).headline.members if row < len(ids)]
        st.session_state[_MEMBER] = next(each for each in [*worst, *names] if each in names)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<span class="note">Next step, with</span>', width="content")
        st.selectbox(
            "Member",
            list(names),
            format_func=names.__getitem__,
            key=_MEMBER,
            label_visibility="collapsed",
            width=240,
        )
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
    """Select a member. Used as a widget callback."""
    st.session_state[_MEMBER] = member_id


def _add_step(group: OpenGroup, step: int, action: str, names: dict[str, str]) -> None:
    member_id = st.session_state[_MEMBER]
    _add(group, step, _edit(action, member_id, names[member_id]))


def _add(group: OpenGroup, step: int, edit: AnyEdit) -> None:
    subject = what_if(group)
    place = state.current(subject).place
    state.change(subject, state.with_steps(place, step, [Step(edits=[edit])]))


def _edit(action: str, member_id: str, name: str) -> AnyEdit:
    if action == "static":
        return SetInstanceId(member_id=member_id, instance_id=name)
    return (RemoveMembers if action == "stop" else RestartMembers)(member_ids=[member_id])


def show_moves(group: OpenGroup, run: Run, step: int) -> None:
    """Draw the partitions that moved in a step, as tiles, matrix and list. Draw nothing for step 0,
    the group as listed.
    """
    if not step:
        return
    answer = run.walk.answers[step]
    moves = moves_of(group, run.steps, step, answer, run.names)
    if moves is None:
        st.info("The owners before this step are unknown, so there are no moves to show.")
        return
    view, change = moves
    before = "the group as listed" if step == 1 else f"step {step - 1}"
    st.html(
        f'<h2 class="step-title">Moves from {before} to step {step} <span>under'
        f" {run.candidate}</span></h2>"
    )
    if not len(change.moves.lag):
        back = (
            f": {count(answer.moved_partitions, 'move')} are undone within the step"
            if answer.moved_partitions
            else ""
        )
        st.info(f"No partition has a new owner after this step{back}.")
    else:
        owner_changes.show_charts(view, change, (before, f"step {step}"))
    owner_changes.show_rows(view, change, f"step-{step - 1}", f"step-{step}-{run.candidate}")


# All steps of What-if: the strip, the table of the open step, the charts, and all scenarios in a
# table.


def figures(group: OpenGroup, view: View, run: Run, times: StepTimes) -> Figures:
    """Return the figures by step and assignor, up to the candidate's last answer. The figures of
    step 0 are the same as on the page Assignors.
    """
    switches, current = answer_facts.switches(group), view.comparison.rows[0].balance
    as_listed, *drains = times.drains[: run.last + 1] or [{}]
    listed = {
        row.name: figures_of_row(
            row,
            view.observed,
            current,
            switches.get(row.name),
            as_listed.get(row.name),
        )
        for row in view.comparison.rows[1:]
    }
    return [
        listed,
        *figures_of_steps([run.answers(step) for step in range(1, run.last + 1)], drains),
    ]


def show_strip(group: OpenGroup, run: Run, step_figures: Figures, step: int) -> None:
    """Draw the strip of steps with the candidate's answers. A click on a card opens its step."""
    shown = step_strip([each.title(run.names) for each in run.steps], step_figures, run.candidate)
    strip.show(
        shown,
        step,
        lambda number: state.look_at(what_if(group), step=number),
        key="what-if-strip",
        label="Steps of the scenario",
    )


def show_table(view: View, run: Run, step_figures: Figures, step: int) -> None:
    """Draw the table of a step. Each row has the figures of an assignor; a click on the row makes
    this assignor the candidate.
    """
    if step <= run.last:
        kind = view.observed.group_type
        charts.show_table(
            step_figures,
            step,
            run.candidate,
            run.used,
            scope.choose,
            group_type=kind,
            key="what-if-table",
        )


def show_advice(group: OpenGroup, view: View, run: Run, step: int) -> None:
    """Draw the diagnosis of the group as listed. At a later step, draw what a switch of the
    assignor would gain, as soon as all assignors have answered.
    """
    if not step:
        group_facts.show_diagnosis(group)
    elif step <= run.last and not run.waiting:
        steps = [run.answers(number) for number in range(step + 1)]
        text = advice_after(view.observed, group.settings, steps, gain.asked()).text
        if text:
            diagnosis_text.show_sentence(text)


def show_charts(group: OpenGroup, run: Run, step_figures: Figures, step: int) -> None:
    """Draw a chart of worst lag and moves over the steps, and a chart of each member's lag. A click
    on the first chart opens a step; a click on the second chart selects a member.
    """
    if not run.steps:
        _show_members(run, step)
        return
    over, members = st.columns([38, 62], gap="small")
    with over:
        names = [AS_LISTED, *(each.title(run.names) for each in run.steps)]
        charts.show_over_steps(
            step_figures,
            step,
            run.candidate,
            run.used,
            names,
            pick=lambda number: state.look_at(what_if(group), step=int(number)),
        )
    with members:
        _show_members(run, step)


def _show_members(run: Run, step: int) -> None:
    answers = run.answers(step)
    charts.show_members(
        answers.get(run.used or ""), answers[run.candidate], step, pick=pick, names=run.names
    )


_STEPS, _SIDE = "steps", "side"


def is_side_by_side(place: state.Place) -> bool:
    """Draw the choice “Side by side” if there are several scenarios. Return whether it is on."""
    if len(place.draft.scenarios) < 2:
        return False
    words = {_STEPS: f"Steps of {place.letter}", _SIDE: "Side by side"}
    choice = Options("what-if-show", words, _STEPS, "view", "show")
    choice.follow()
    return choice.show("View") == _SIDE


def show_side_by_side(
    group: OpenGroup, place: state.Place, candidate: str, used: str | None
) -> None:
    """Draw the ends of all scenarios next to each other. A scenario with a refused edit ends before
    the step of this edit.
    """
    titles = [
        f"{letter} · {elided(named.name or count(len(named.steps), 'step'), 24)}"
        for letter, named in place.by_letter
    ]
    answers = [walked(group, named.steps, candidate).answers for named in place.draft.scenarios]
    charts.show_scenarios(list(zip(titles, answers, strict=True)), used)
