"""What was assumed for the candidate's answer, sentence by sentence, for who does not hover over the badge."""

from html import escape

import streamlit as st

from dashboard.view import View
from dashboard.widgets.scope import scope
from dashboard.words.assumptions import EXPLAINED
from data.words.lists import first_of

_MOST_WORDS = 12


def show(view: View) -> None:
    """Draw the list where anything is assumed."""
    words = scope.assumed(view)
    if words:
        lines = "".join(f"<li>{escape(text)}</li>" for text in first_of(words, _MOST_WORDS))
        st.html(f'<span class="note">{EXPLAINED}</span><ul class="assumed">{lines}</ul>')
