"""The strip above the figure: a drag over it chooses the range of the page."""

import streamlit as st

from evenkeel.dashboard.charts.timeline.overview import Strip, overview
from evenkeel.dashboard.loading.history import overviews
from evenkeel.dashboard.loading.history.readings import Range, whole_range
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.history import time_range
from evenkeel.dashboard.widgets.parts import plot
from evenkeel.dashboard.words.times import between, day_and_clock
from evenkeel.data.words.formats import compact, duration

_AN_HOUR, _DAYS = 3600, 2 * 86_400


def show(group: Opened, chosen: Range | None) -> None:
    """Draw it; without a chosen range nothing of it is dim."""
    since, until = chosen or whole_range(group)
    found = overviews.overview(group, since, until)
    strip = Strip(found.since, found.until, found.time, found.stretch, found.lag, _words(found))
    # A selection stays drawn on its chart: another range is another chart.
    key = f"overview-{int(since)}-{int(until)}"
    alt = f"Total lag from {between(since, until)}, {_most(found)}"
    plot.show(overview(strip, since, until), key, alt, lambda: _pick(key), "box")


def _most(found: overviews.Overview) -> str:
    return f"at most {compact(float(found.lag.max()))}" if found.lag.size else "unknown"


def _words(found: overviews.Overview) -> str:
    seconds = found.until - found.since
    # The last reading of a day is some seconds before its end.
    words = f"total lag, {duration(seconds + _AN_HOUR / 2 if seconds > _DAYS else seconds)}: drag to choose a range"
    return f"{words}; one reading in {found.every} since {day_and_clock(found.sparse_since)}" if found.every > 1 else words


def _pick(key: str) -> None:
    boxes = st.session_state[key].selection.box
    if boxes:
        time_range.pick(*sorted(seconds / 1000 for seconds in boxes[0]["x"]))
