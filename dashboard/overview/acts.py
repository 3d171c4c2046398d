"""Actions of the page's buttons: to read the group again later, and to try a remedy in What-if or
Best.
"""

from typing import Any

import streamlit as st

from evenkeel.dashboard.overview.loading import live_cluster
from evenkeel.dashboard.scope import readings, snapshots
from evenkeel.dashboard.shell import address, by_link, opened
from evenkeel.dashboard.shell.navigation import BEST, WHAT_IF
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.diagnosis.answer import Answer
from evenkeel.data.scenarios.edits.add_members import AddMembers
from evenkeel.data.scenarios.edits.restart_members import RestartMembers
from evenkeel.data.scenarios.scenario.draft import Draft, NamedSteps, text_of
from evenkeel.data.scenarios.scenario.scenario import Step

_TRIED, _AGAIN = "overview-tried", "overview-again"


def ask(remedy: dict[str, Any]) -> None:
    """Store the remedy that the next run will try; for callbacks."""
    st.session_state[_TRIED] = remedy


def ask_later(group: OpenGroup) -> None:
    """Read a live group again in the next run, or ask for a later listing; for callbacks."""
    if live_cluster(group):
        st.session_state[_AGAIN] = True
    else:
        readings.ask_later()


def read_again(group: OpenGroup) -> None:
    """Read a live group again if the reader requested it, then draw the page again."""
    cluster = live_cluster(group) if st.session_state.pop(_AGAIN, False) else None
    if cluster and opened.read_next(cluster, group, snapshots.follow):
        st.rerun()


def follow(group: OpenGroup, answer: Answer) -> None:
    """Open the page that tries the reader's remedy. Do nothing if the reader chose no remedy."""
    wanted = st.session_state.pop(_TRIED, None)
    if wanted is None:
        return
    remedy = next(
        (document for document in answer.remedy_documents() if _is(document, wanted)), None
    )
    if remedy is None:
        return
    is_plan = remedy["action"] == "best_plan"
    place = BEST if is_plan else WHAT_IF
    aim = "lag" if is_plan else None
    link = {"steps": steps_of(remedy), "candidate": remedy["assignor"], "aim": aim}
    chosen = {key: value for key, value in link.items() if value}
    address.lead_to(**chosen)
    st.switch_page(place.script, query_params=by_link.params(group) | chosen)


def _is(remedy: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return all(remedy.get(key) == value for key, value in wanted.items())


def steps_of(remedy: dict[str, Any]) -> str | None:
    """Return the steps of a remedy, as in the address of What-if. None for a remedy without a
    step.
    """
    if remedy["action"] == "restart":
        step: Step = Step(edits=[RestartMembers(member_ids=remedy["subject"])])
    elif remedy["action"] == "add_members":
        step = Step(edits=[AddMembers(count=remedy["count"])])
    else:
        return None
    return text_of(Draft([NamedSteps(None, [step])]))
