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
    """Draw the list of events. Of very many events, only the latest are listed. `chosen`: the two
    times A and B that the page compares.

    `pick` is called after a click with a letter and a time: `a` and the time of the last reading
    before the event, or `b` and the time of the event.
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
