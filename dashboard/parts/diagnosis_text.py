"""The diagnosis of a group and its advice, from JSON: of an open group, and of a frozen share."""

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from evenkeel.data.diagnosis.answer import remedy_words


def show(diagnosis: Mapping[str, Any]) -> None:
    """Draw the sentence in bold with its advice, the notes, and the remedies."""
    headline, *notes = diagnosis["findings"]
    show_sentence(headline["text"], headline["advice"])
    lines = [*(note["text"] for note in notes), *map(remedy_words, diagnosis["remedies"])]
    st.html(f'<ul class="assumed">{"".join(f"<li>{escape(line)}</li>" for line in lines)}</ul>')


def show_sentence(text: str, rest: str = "") -> None:
    """Draw one sentence in bold, and the next one."""
    st.html(f'<p class="verdict advice"><b>{escape(text)}</b> {escape(rest)}</p>')
