"""The events, latest first."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from evenkeel.dashboard.shell.component import component
from evenkeel.dashboard.timeline.tables import lines
from evenkeel.dashboard.timeline.words import TimelineEvent
from evenkeel.data.text.formats import exact

_list = component("events", Path(__file__).with_name("list.html"))
_KEY = "events"
_MOST = 200


def show(
    events: tuple[TimelineEvent, ...],
    chosen: tuple[float, float],
    pick: Callable[[str, float], None],
) -> None:
    """Draw the list. If there are very many events, only the latest are listed. `chosen`: times of
    A and B.

    `pick` is called with `a` and the time of the reading before an event, or with `b` and the
    event's time.
    """
    st.html(f'<b class="table-title">Events</b> <span class="note">{_note(len(events))}</span>')
    if events:
        _list(
            key=_KEY,
            data={"lines": lines(events[:_MOST]), "label": "Events"}
            | dict(zip("ab", map(int, chosen), strict=True)),
            on_picked_change=lambda: pick(
                st.session_state[_KEY].picked["name"],
                float(st.session_state[_KEY].picked["seconds"]),
            ),
        )


def _note(number: int) -> str:
    if number > _MOST:
        return f"the latest {_MOST} of {exact(number)} in range"
    return f"{number or 'none'} in range"
