"""From a share to a what-if of one's own."""

import streamlit as st

from dashboard.loading.shares import OpenShare
from dashboard.view import Opened
from dashboard.widgets.opening import scenario

_KEY = "forked-from"


def fork(share: OpenShare) -> None:
    """Open the scenario of a share as a new what-if."""
    batch = scenario.lead_to(share.scenario, "share.json")
    st.session_state[_KEY] = st.session_state.get(_KEY, {}) | {batch: share.about.share_id}
    st.switch_page(scenario.WHAT_IF)


def origin(group: Opened) -> str | None:
    """Return the id of the share that a group was forked from."""
    return st.session_state.get(_KEY, {}).get(group.batch)
