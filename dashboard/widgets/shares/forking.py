"""From a share to a what-if of one's own."""

import streamlit as st

from evenkeel.dashboard.loading.shares import OpenApplication, OpenShare
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import application_scenario, scenario

_KEY = "forked-from"


def fork(share: OpenShare) -> None:
    """Open the scenario of a share as a new what-if."""
    _go(scenario.lead_to(share.scenario, "share.json"), share, scenario.WHAT_IF)


def fork_application(share: OpenApplication) -> None:
    """Open the scenario of a share of an application on Streams."""
    _go(application_scenario.lead_to(share.scenario, "share.json"), share, application_scenario.STREAMS)


def words(share: OpenShare | OpenApplication) -> str:
    """Return what forking does."""
    plain = "Opens a copy as a what-if of your own."
    return f"{plain} It computes on the stand-ins: answers may differ, because names decide them." if share.about.redacted else plain


def origin(group: Opened) -> str | None:
    """Return the id of the share that a group was forked from."""
    return st.session_state.get(_KEY, {}).get(group.batch)


def _go(batch: str, share: OpenShare | OpenApplication, page: str) -> None:
    st.session_state[_KEY] = st.session_state.get(_KEY, {}) | {batch: share.about.share_id}
    st.switch_page(page)
