"""The share that the address names, or none."""

import streamlit as st

from evenkeel.dashboard.widgets.parts import address
from evenkeel.dashboard.widgets.shares.own_list import OPEN


def chosen() -> str | None:
    """Return the id of the share that is open, and keep the address true to it."""
    linked = address.take("share")
    if linked is not None:
        st.session_state[OPEN] = linked
    elif address.is_followed():
        st.session_state.pop(OPEN, None)
    found = st.session_state.get(OPEN)
    address.show(share=found)
    return found


def close() -> None:
    """Show the list again; for callbacks."""
    st.session_state.pop(OPEN, None)
