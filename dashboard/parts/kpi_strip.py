"""The head of a page about a group: four to six numbers in one line, each with a short note, and
the sentence of the advice.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import streamlit as st

from evenkeel.data.compare.advice import Advised


class Kpi(NamedTuple):
    """A label, its value, a note and its tone; an assignor's name behind label or note is set as
    code.

    `tone`: empty, `better`, `worse`; `bad`, which colours the value too, or `guessed`, which greys
    it. `tip`: what the note means.
    """

    label: str
    value: str
    note: str = ""
    tone: str = ""
    label_name: str = ""
    note_name: str = ""
    tip: str = ""


def show(kpis: Sequence[Kpi], page: str = "") -> None:
    """Draw the strip; texts are escaped here. `page`: a class whose cells have widths of their own
    in `page.css`.
    """
    st.html(
        f'<dl class="{" ".join(filter(None, ("kpis", page)))}">{"".join(map(_cell, kpis))}</dl>'
    )


def _cell(kpi: Kpi) -> str:
    note = f'<span class="{kpi.tone}">{_text(kpi.note, kpi.note_name)}</span>' if kpi.note else ""
    tip = f' title="{escape(kpi.tip)}"' if kpi.tip else ""
    return f"<div{tip}><dt>{_text(kpi.label, kpi.label_name)}</dt><dd><b>{escape(kpi.value)}</b>{note}</dd></div>"


def _text(words: str, name: str) -> str:
    return escape(words) + (f" <code>{escape(name)}</code>" if name else "")


# The first sentence of a page about a group: whether a switch is worth it.


def show_advice(advised: Advised, aside: tuple[str, str] | None = None) -> None:
    """Draw the answer in bold, green only where a switch is worth it, and the sentences behind it.

    `aside`: one more sentence in short, and in full for its title.
    """
    words, beyond = advised.words, advised.advice.beyond
    tone = ' class="better"' if advised.advice.worth_it else ""
    rest = "".join(
        f". {_with_code(escape(sentence), beyond and beyond.name)}" for sentence in words.rest
    )
    more = f' <span title="{escape(aside[1])}">{escape(aside[0])}</span>' if aside else ""
    st.html(f'<p class="verdict advice"><b{tone}>{escape(words.headline)}</b>{rest}.{more}</p>')


def _with_code(sentence: str, name: str | None) -> str:
    """Set the assignor that a sentence begins with as code: `lag` is a word as well as a name."""
    start = f"{escape(name)} would " if name else None
    return (
        f"<code>{escape(name)}</code> would {sentence.removeprefix(start)}"
        if start and sentence.startswith(start)
        else sentence
    )
