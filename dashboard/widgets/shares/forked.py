"""From a share to a what-if of one's own."""

import streamlit as st

from dashboard.loading import shares
from dashboard.loading.shares import OpenShare
from dashboard.view import Opened
from dashboard.widgets.parts import address
from data.scenarios.scenario.draft import Draft, Named, text_of

_KEY = "forked-from"
WHAT_IF = "app_pages/whatif.py"


def fork(share: OpenShare) -> None:
    """Open the scenario of a share as a new what-if."""
    batch = shares.forked(share)
    st.session_state[_KEY] = st.session_state.get(_KEY, {}) | {batch: share.about.share_id}
    draft = Draft([Named(share.scenario.name, share.scenario.steps)])
    kafka = share.scenario.settings.kafka_version
    address.lead_to(opened=batch, steps=text_of(draft) if share.scenario.steps else None, kafka=kafka)
    st.switch_page(WHAT_IF)


def origin(group: Opened) -> str | None:
    """Return the id of the share that a group was forked from."""
    return st.session_state.get(_KEY, {}).get(group.batch)
