"""The group that this session has open; `by_link` reads it from the address and writes it there."""

import streamlit as st

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.parts import address

KEY = "opened"


def current() -> Opened | None:
    """Return what is open."""
    return st.session_state.get(KEY)


def close() -> None:
    """Open nothing."""
    st.session_state.pop(KEY, None)


def open_example(slug: str) -> None:
    """Open a worked example."""
    open_group(Opened(slug=slug))


def open_group(group: Opened) -> None:
    """Open one group of an upload."""
    st.session_state[KEY] = group
    address.chosen(KEY)
