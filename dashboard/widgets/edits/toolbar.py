"""In the line above the page: which scenarios are open, whether they are kept, undo and redo."""

import streamlit as st

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.edits import state


def show(group: Opened) -> None:
    """Take the scenarios of the address, and draw the tools."""
    state.follow(group)
    now = state.current(group)
    if now.is_saved:
        st.html('<span class="note">draft saved for a day</span>', width="content")
    for label, shortcut, is_possible, act in (
        ("Undo", "Ctrl+Z", bool(now.past), state.undo),
        ("Redo", "Ctrl+Shift+Z", bool(now.future), state.redo),
    ):
        word = label.lower()
        st.button(
            label,
            key=word,
            type="tertiary",
            icon=f":material/{word}:",
            shortcut=shortcut,
            disabled=not is_possible,
            on_click=act,
            args=(group,),
        )
