"""In the line above the page: which scenarios are open, whether they are kept, undo and redo."""

import streamlit as st

from dashboard.view import Opened
from dashboard.widgets.edits import state


def show(group: Opened) -> None:
    """Take the scenarios of the address, and draw the tools."""
    state.follow(group)
    now = state.current(group)
    if now.is_saved:
        st.html('<span class="note">draft saved for a day</span>', width="content")
    st.button(
        "Undo",
        key="undo",
        type="tertiary",
        icon=":material/undo:",
        shortcut="Ctrl+Z",
        disabled=not now.past,
        on_click=state.undo,
        args=(group,),
    )
    st.button(
        "Redo",
        key="redo",
        type="tertiary",
        icon=":material/redo:",
        shortcut="Ctrl+Shift+Z",
        disabled=not now.future,
        on_click=state.redo,
        args=(group,),
    )

