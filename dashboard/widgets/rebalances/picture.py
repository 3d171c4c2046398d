"""The hours and the chosen rebalances as lanes; a drag chooses some of them, a click opens one. Both stand in the address."""

from typing import NamedTuple

import streamlit as st

from evenkeel.dashboard.charts.rebalances import Lane, Mark, lanes, lanes_finding, strip, strip_finding
from evenkeel.dashboard.loading.rebalances import MOST_LANES, Shown
from evenkeel.dashboard.widgets.parts import address, plot
from evenkeel.dashboard.widgets.rebalances.source import Chosen
from evenkeel.dashboard.words.rebalances import precise
from evenkeel.dashboard.words.times import clock
from evenkeel.data.words.formats import duration

_OPEN, _FROM, _TO, _OF = "rebalance", "from", "to", "rebalances-of"


class Part(NamedTuple):
    """Places of the first and the last rebalance that are looked at, and of the open one."""

    first: int
    last: int
    opened: int


def choose(chosen: Chosen, shown: Shown) -> Part:
    """Return what is looked at: what the address says, what was dragged and clicked, else the longest chain and its longest one."""
    count = len(shown.events)
    linked = [address.whole(address.take(key), count) for key in (_FROM, _TO, _OPEN)]
    if st.session_state.get(_OF) != chosen or address.is_followed():
        st.session_state[_OF] = chosen
        for key in (_FROM, _TO, _OPEN):
            st.session_state.pop(f"{_OF}-{key}", None)
    for key, number in zip((_FROM, _TO, _OPEN), linked, strict=True):
        if number:
            st.session_state[f"{_OF}-{key}"] = number - 1
    first, last = (st.session_state.get(f"{_OF}-{key}", at) for key, at in zip((_FROM, _TO), shown.default, strict=True))
    first, last = max(min(first, count - 1), 0), max(min(last, count - 1), 0)
    first, last = min(first, last), max(first, last)
    opened = st.session_state.get(f"{_OF}-{_OPEN}")
    if opened is None or not first <= opened <= last:
        opened = max(range(first, last + 1), key=lambda place: shown.events[place].duration_ms or 0)
    is_default = (first, last) == shown.default
    ends = {_FROM: None if is_default else str(first + 1), _TO: None if is_default else str(last + 1)}
    address.show(**ends, **{_OPEN: str(opened + 1) if f"{_OF}-{_OPEN}" in st.session_state else None})
    return Part(first, last, opened)


def show(shown: Shown, part: Part) -> None:
    """Draw both figures."""
    marks = [
        Mark((one.time or shown.since) / 1000, None if one.duration_ms is None else one.duration_ms / 1000, kind)
        for one, kind in zip(shown.events, shown.kinds, strict=True)
    ]
    frame = marks[part.first].at, marks[part.last].at
    length = (shown.until - shown.since) / 1000
    span = "24 hours" if not shown.is_whole and length > 86_000 else duration(max(length, 1))
    figure = strip(marks, shown.since / 1000, shown.until / 1000, frame, span)
    plot.show(figure, "rebalance-strip", strip_finding(marks), _drag, mode="box")
    rows = _lanes(shown, part)
    plot.show(lanes(rows, part.opened, _title(shown, part, len(rows))), "rebalance-lanes", lanes_finding(rows), _click)


def _title(shown: Shown, part: Part, drawn: int) -> str:
    count = part.last - part.first + 1
    begin, end = shown.events[part.first].time, shown.events[part.last].time
    exactly = begin is not None and end is not None and end - begin < 600_000
    times = (
        f"{precise(begin)} to {precise(end)}"
        if exactly or begin is None or end is None
        else f"{clock(begin / 1000)} to {clock(end / 1000)}"
    )
    most = f", the longest {drawn:,}" if drawn < count else ""
    return f"The {count:,} of {times}{most}" if count > 1 else f"The one of {precise(begin)}"


def _lanes(shown: Shown, part: Part) -> list[Lane]:
    places = list(range(part.first, part.last + 1))
    longest = sorted(places, key=lambda place: (place != part.opened, -(shown.events[place].duration_ms or 0)))[:MOST_LANES]
    return [_lane(shown, place) for place in sorted(longest)]


def _lane(shown: Shown, place: int) -> Lane:
    one, kind = shown.events[place], shown.kinds[place]
    begin = one.time or shown.since
    waited = None if one.start is None or one.joined is None else (one.joined - one.start) / 1000
    end = None if one.duration_ms is None else one.duration_ms / 1000
    silent = (one.session_timeout_ms or 0) / 1000 if kind == "session_timeout" else 0.0
    name = one.slowest[0].name if one.slowest else ""
    usual = shown.slowest is not None and name == shown.slowest[0].name
    limit = waited if one.ran_into_max_poll_interval else None
    return Lane(place, begin / 1000, kind, silent, waited, end, name, usual, limit)


def _drag() -> None:
    """Look at the rebalances that begin within the box."""
    boxes = st.session_state["rebalance-strip"].selection.get("box") or []
    chosen: Chosen | None = st.session_state.get(_OF)
    if not boxes or chosen is None:
        return
    low, high = sorted(boxes[0]["x"])[:2]
    places = [place for place, one in enumerate(chosen.shown.events) if low <= (one.time or 0) <= high]
    if places:
        st.session_state[f"{_OF}-{_FROM}"], st.session_state[f"{_OF}-{_TO}"] = places[0], places[-1]
        st.session_state.pop(f"{_OF}-{_OPEN}", None)


def _click() -> None:
    points = st.session_state["rebalance-lanes"].selection.points
    place = next((point["customdata"] for point in points if "customdata" in point), None)
    place = place[0] if isinstance(place, list | tuple) else place
    if place is not None:
        st.session_state[f"{_OF}-{_OPEN}"] = int(place)
