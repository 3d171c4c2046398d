"""The first sentence of a page about a group: whether a switch is worth it."""

from html import escape

import streamlit as st

from evenkeel.data.scenarios.advice import Advised


def show(advised: Advised) -> None:
    """Draw the answer in bold, green only where a switch is worth it, and the sentences behind it."""
    words, beyond = advised.words, advised.advice.beyond
    tone = ' class="better"' if advised.advice.worth_it else ""
    rest = "".join(f". {_named(escape(sentence), beyond and beyond.name)}" for sentence in words.rest)
    st.html(f'<p class="verdict advice"><b{tone}>{escape(words.headline)}</b>{rest}.</p>')


def _named(sentence: str, name: str | None) -> str:
    """Set the assignor that a sentence begins with as code: `lag` is a word as well as a name."""
    start = f"{escape(name)} would " if name else None
    return f"<code>{escape(name)}</code> would {sentence.removeprefix(start)}" if start and sentence.startswith(start) else sentence
