"""The strip at the top of a group's page: at most six figures, each with a short note."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import streamlit as st

from evenkeel.data.text.formats import UNKNOWN


class Kpi(NamedTuple):
    """A figure of the strip: label, value, note and tone.

    `tone`: colour of the note: empty, `better`, `worse`, `bad` (also colours the value) or
    `guessed` (makes the value grey). `label_name`, `note_name`: an assignor's name in code type,
    after the label or the note.
    `tip`: explanation of the note.
    """

    label: str
    value: str
    note: str = ""
    tone: str = ""
    label_name: str = ""
    note_name: str = ""
    tip: str = ""


def show(kpis: Sequence[Kpi], page: str = "") -> None:
    """Draw the strip. Figures with unknown values are left out, and texts are escaped.

    `page`: the page's CSS class, which sets the widths of the cells.
    """
    cells = "".join(_cell(kpi) for kpi in kpis if kpi.value != UNKNOWN)
    st.html(f'<dl class="{" ".join(filter(None, ("kpis", page)))}">{cells}</dl>')


def _cell(kpi: Kpi) -> str:
    note = f'<span class="{kpi.tone}">{_text(kpi.note, kpi.note_name)}</span>' if kpi.note else ""
    tip = f' title="{escape(kpi.tip)}"' if kpi.tip else ""
    return (
        f"<div{tip}><dt>{_text(kpi.label, kpi.label_name)}"
        f"</dt><dd><b>{escape(kpi.value)}</b>{note}</dd></div>"
    )


def _text(words: str, name: str) -> str:
    return escape(words) + (f" <code>{escape(name)}</code>" if name else "")
