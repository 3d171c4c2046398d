"""The line above the Timeline: which group, its verdict, and what was read of it."""

from html import escape

import streamlit as st

from assignors.history.changes.verdicts import VERDICTS
from dashboard.loading.history.timelines import Timeline
from dashboard.words.formats import count, duration, exact
from data.words.history import REASONS

_LOOKS = {
    "OK": ("green", ":material/check:"),
    "SLOW": ("orange", ":material/warning:"),
    "STALL": ("red", ":material/pause:"),
    "STOP": ("red", ":material/dangerous:"),
    "REWIND": ("orange", ":material/fast_rewind:"),
}


def show(name: str, shown: Timeline | None) -> None:
    """Draw the line; without a history the name alone."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="scope"):
        st.html(f'<h1 class="scope-title" title="{escape(name)}">{escape(name)}</h1>', width="content")
        if shown:
            verdict = VERDICTS[shown.verdict]
            color, icon = _LOOKS[verdict]
            st.badge(verdict, icon=icon, color=color, help=f"The group's worst partition: {REASONS[verdict]}.")
            every = f", one every {duration(shown.step_seconds)}" if shown.slot_count > 1 else ""
            missing = f", {exact(shown.missing_count)} missing" if shown.missing_count else ""
            st.html(f'<span class="note">{count(shown.slot_count, "reading")}{every}{missing} · times are UTC</span>', width="content")
