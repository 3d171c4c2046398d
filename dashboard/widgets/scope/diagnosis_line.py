"""What is wrong with the open group, at most two sentences; each leads to the Timeline, which shows since when."""

from collections.abc import Sequence
from html import escape

import streamlit as st

_TIMELINE = "app_pages/timeline.py"


def show(sentences: Sequence[str], leads_on: bool = True) -> None:
    """Draw them; nothing where nothing is wrong. `leads_on`: with a link to the Timeline."""
    if not sentences:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="diagnosis"):
        said = " ".join(f"<span>⚠ {escape(sentence)}.</span>" for sentence in sentences)
        st.html(f'<p class="diagnosis">{said}</p>', width="content")
        if leads_on:
            st.page_link(_TIMELINE, label="Timeline", icon=":material/timeline:", help="Since when, and what else happened")
