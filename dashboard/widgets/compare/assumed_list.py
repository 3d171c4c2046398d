"""The assumptions as a list: the badge shows them only under the pointer."""

from html import escape

import streamlit as st

from evenkeel.dashboard.view import View
from evenkeel.dashboard.widgets.scope import scope
from evenkeel.dashboard.words.inputs import EXPLAINED
from evenkeel.data.words.formats import first_of

_MOST_WORDS = 12


def show(view: View) -> None:
    """Draw the list; nothing if nothing is assumed."""
    words = scope.assumed(view)
    if words:
        lines = "".join(f"<li>{escape(text)}</li>" for text in first_of(words, _MOST_WORDS))
        st.html(f'<span class="note">{EXPLAINED}</span><ul class="assumed">{lines}</ul>')
