"""The reading before the one that is open: between the two, restore rates are measured. It stands in the address."""

import streamlit as st

from evenkeel.dashboard.loading.applications import is_application
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.parts import address
from evenkeel.data.errors import SnapshotError

_KEY, _LINK = "streams-before", "since"


def follow(before: Opened, batch: str) -> None:
    """Remember that a reading follows another of the same application."""
    st.session_state[_KEY] = st.session_state.get(_KEY, {}) | {batch: before.batch}


def asked(group: Opened) -> Opened:
    """Return the application with the reading before it, that of the address or of this session; refuse one that is not there."""
    linked = address.take(_LINK)
    if linked is not None and group.batch:
        follow(group._replace(batch=linked), group.batch)
    earlier = st.session_state.get(_KEY, {}).get(group.batch)
    if earlier and not _is_there(group._replace(batch=earlier)):
        st.session_state[_KEY].pop(group.batch)
        address.refuse(_LINK, "The reading before this one is gone: rates are not measured.")
        earlier = None
    address.show(since=earlier)
    address.show_refused(_LINK)
    return group._replace(earlier=earlier)


def _is_there(group: Opened) -> bool:
    try:
        return is_application(group)
    except SnapshotError:
        return False
