"""What the numbered behaviours are that the remarks name, and what to do about them."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from dashboard.words.answers.quirks import MEANINGS
from data.words.lists import listed


def show(names: Sequence[str]) -> None:
    """Draw a closed box; nothing without names."""
    if names:
        with st.expander(f"{listed(names, len(names))}: meaning and remedy", key="quirks"):
            st.html(f'<dl class="remarks meanings">{"".join(map(_row, names))}</dl>')


def _row(name: str) -> str:
    what, action = MEANINGS[name]
    todo = f"<dd><b>What to do:</b> {escape(action)}</dd>" if action else ""
    return f'<div><dt class="quirk">{name}</dt><dd>{escape(what)}</dd>{todo}</div>'
