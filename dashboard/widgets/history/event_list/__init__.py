"""What happened, the latest first."""

from pathlib import Path

import streamlit as st

from dashboard.tables.history.event_lines import lines
from dashboard.words.formats import exact
from dashboard.words.told_events import Told

_HERE = Path(__file__).parent
_FILES = {kind: (_HERE / f"list.{kind}").read_text() for kind in ("html", "css", "js")}
_list = st.components.v2.component("evenkeel.events", **_FILES)
_MOST = 200


def show(events: tuple[Told, ...]) -> None:
    """Draw the list; of very many the latest."""
    st.html(f'<b class="table-title">Events</b> <span class="note">{_note(len(events))}</span>')
    if events:
        _list(key="events", data={"lines": lines(events[:_MOST]), "label": "Events"})


def _note(number: int) -> str:
    if number > _MOST:
        return f"the latest {_MOST} of {exact(number)} in range"
    return f"{number} in range" if number else "none in range"
