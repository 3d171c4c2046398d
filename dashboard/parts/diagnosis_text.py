"""The sentence that a page begins with: what is wrong with a group, or what a switch is worth."""

from html import escape

import streamlit as st


def show_sentence(text: str, rest: str = "") -> None:
    """Draw one sentence in bold, and the next one."""
    st.html(f'<p class="verdict advice"><b>{escape(text)}</b> {escape(rest)}</p>')
