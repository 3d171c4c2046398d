"""An opened share: its bar, facts, strip, table and figures."""

import streamlit as st

from evenkeel.dashboard.loading.shares import OpenShare
from evenkeel.dashboard.tables.steps import differing
from evenkeel.dashboard.tables.strips import step_strip
from evenkeel.dashboard.widgets.parts import address, advice
from evenkeel.dashboard.widgets.shares import copy_link, forking, report_files
from evenkeel.dashboard.widgets.shares.page import facts, frozen_bar
from evenkeel.dashboard.widgets.steps import charts, strip, table
from evenkeel.dashboard.words.names import in_badge, literal
from evenkeel.data.scenarios.advice import step_advice
from evenkeel.data.scenarios.leaders import in_use
from evenkeel.data.scenarios.run.group_step import listed_answer
from evenkeel.data.scenarios.run.step_drains import current_drain_of
from evenkeel.data.scenarios.run.step_figures import titles_of, with_current
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED, MOST_STEPS
from evenkeel.data.words.formats import count

_STEP, _CANDIDATE = "share-step", "share-candidate"


def show(share: OpenShare) -> None:
    """Draw the share at the step and for the candidate that the address names."""
    _show_title(share)
    frozen_bar.show(share)
    facts.show(share, differing(share.figures, share.was) if share.was else None)
    figures, used, names = share.figures, in_use(share.result.listed), titles_of(share.result)
    step = _step(len(names))
    advised = step_advice(share.result, step, share.gain, current_drain_of(share.head))
    candidate = _candidate(list(figures[0]), advised.first)
    advice.show(advised)
    if names:
        strip.show(step_strip(names, figures, candidate), step, _pick_step, key="share-strip", label="Steps of the share")
    listed, answers = share.result.listed, share.result.steps[step]
    rows = with_current(figures, step, listed, current_drain_of(share.head))
    kind = listed.group_type
    table.show(rows, step, candidate, used, _pick_candidate, was=share.was, group_type=kind, gain=share.gain, key="share-table")
    beside = answers.get(used or "") if step else listed_answer(listed)
    if not names:
        charts.show_members(beside, answers.get(candidate), step)
    else:
        left, right = st.columns([36, 64], gap="small")
        with left:
            charts.show_over_steps(figures, step, candidate, used, [AS_LISTED, *names], pick=_pick_step)
        with right:
            charts.show_members(beside, answers.get(candidate), step)
    address.show(step=str(step) if step != len(names) else None, candidate=candidate)


def _show_title(share: OpenShare) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(literal(share.about.title), anchor=False, width="content")
        st.badge(in_badge(share.scenario.group.group_id or "group without a name"), icon=":material/group_work:", color="gray")
        steps = len(share.scenario.steps)
        st.badge(f"What-if, {count(steps, 'step')}" if steps else "Comparison", icon=":material/experiment:", color="yellow")
        st.space("stretch")
        copy_link.show()
        with st.popover("Report", icon=":material/description:", on_change="rerun", key="share-report") as menu:
            if menu.open:
                report_files.show_of_share(
                    share, st.session_state.get(_STEP, len(share.scenario.steps)), st.session_state.get(_CANDIDATE, "")
                )
        if st.button("Fork", key="fork", type="primary", icon=":material/fork_right:", help=forking.words(share)):
            forking.fork(share)


def _step(last: int) -> int:
    linked = address.take("step")
    if (number := address.whole(linked, MOST_STEPS)) is not None:
        st.session_state[_STEP] = number
    return min(st.session_state.get(_STEP, last), last)


def _candidate(names: list[str], first: str | None) -> str:
    linked = address.take("candidate")
    if linked in names:
        st.session_state[_CANDIDATE] = linked
    chosen = st.session_state.get(_CANDIDATE)
    return chosen if chosen in names else first if first in names else names[0]


def _pick_step(step: int) -> None:
    st.session_state[_STEP] = step


def _pick_candidate(name: str) -> None:
    st.session_state[_CANDIDATE] = name
