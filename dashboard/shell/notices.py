"""Short notes about an act, drawn by the next page: a page that is left takes its own notes with
it.
"""

import streamlit as st

_KEY = "notices"


def leave(text: str) -> None:
    """Keep a note for the next page, in Markdown."""
    st.session_state.setdefault(_KEY, []).append(text)


def show() -> None:
    """Draw the notes from the last page, once."""
    for text in st.session_state.pop(_KEY, []):
        st.toast(text, duration="long")
