"""Short notes about a finished action. The next page draws them, because the page that did the
action disappears.
"""

import streamlit as st

_KEY = "notices"


def leave(text: str) -> None:
    """Store a note in Markdown for the next page."""
    st.session_state.setdefault(_KEY, []).append(text)


def show() -> None:
    """Draw the notes of the previous page, once."""
    for text in st.session_state.pop(_KEY, []):
        st.toast(text, duration="long")
