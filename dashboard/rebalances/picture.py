"""Two figures: all shown hours (strip), and the chosen rebalances (lanes).

Dragging chooses rebalances, and so does a click on a cause; a click on a rebalance opens it. The
address contains all choices.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import streamlit as st

from evenkeel.dashboard.parts import plot
from evenkeel.dashboard.rebalances.lanes_figure import Lane, lanes, lanes_finding
from evenkeel.dashboard.rebalances.loading.shown import MOST_LANES, LogView, burst_of
from evenkeel.dashboard.rebalances.source import Selection
from evenkeel.dashboard.rebalances.strip_figure import Mark, strip, strip_finding
from evenkeel.dashboard.rebalances.words import precise
from evenkeel.dashboard.shell import address
from evenkeel.dashboard.times import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.rebalances.words import CAUSES
from evenkeel.data.text.formats import duration

_OPEN, _FROM, _TO, _CAUSE, _OF = "rebalance", "from", "to", "cause", "rebalances-of"


class Part(NamedTuple):
    """The chosen rebalances and the open rebalance, as row numbers in `LogView.events`.

    `kind`: the chosen cause, None if no cause is chosen.
    """

    places: Sequence[int]
    opened: int
    kind: str | None

    @property
    def first(self) -> int:
        """Row number of the first chosen rebalance."""
        return self.places[0]

    @property
    def last(self) -> int:
        """Row number of the last chosen rebalance."""
        return self.places[-1]


def choose(chosen: Selection, shown: LogView) -> Part:
    """Return the rebalances that the reader chose by link, drag or click.

    By default: the burst with the most rebalances; its longest rebalance is open.
    """
    linked = {
        key: address.whole(address.take(key), len(shown.events)) for key in (_FROM, _TO, _OPEN)
    }
    cause = address.take(_CAUSE)
    if st.session_state.get(_OF) != chosen or address.is_followed():
        st.session_state[_OF] = chosen
        _set(**dict.fromkeys((_FROM, _TO, _OPEN, _CAUSE)))
    _set(
        **{key: number - 1 for key, number in linked.items() if number},
        **({_CAUSE: cause} if cause else {}),
    )
    part = _part(shown)
    is_default = part.kind or (part.first, part.last) == shown.default
    ends = {
        _FROM: None if is_default else str(part.first + 1),
        _TO: None if is_default else str(part.last + 1),
    }
    address.show(
        **ends, **{_CAUSE: part.kind, _OPEN: None if _get(_OPEN) is None else str(part.opened + 1)}
    )
    return part


def _part(shown: LogView) -> Part:
    row = next((row for row in shown.rows if row.kind == _get(_CAUSE)), None)
    if row:
        places: Sequence[int] = row.places or row.within
    else:
        ends = (
            at if _get(key) is None else _get(key)
            for key, at in zip((_FROM, _TO), shown.default, strict=True)
        )
        first, last = sorted(max(min(end, len(shown.events) - 1), 0) for end in ends)
        places = range(first, last + 1)
    opened = _get(_OPEN)
    if opened not in places:
        opened = max(places, key=lambda place: shown.events[place].duration_ms or 0)
    return Part(places, opened, row.kind if row else None)


def _get(key: str) -> Any:
    return st.session_state.get(f"{_OF}-{key}")


def _set(**choices: Any) -> None:
    """Store choices in the session; None removes a choice."""
    for key, value in choices.items():
        st.session_state[f"{_OF}-{key}"] = value


# Choices by click and keyboard; for callbacks.


def open_one(place: int) -> None:
    """Open a rebalance. If it is not among the chosen rebalances, choose the burst that contains
    it.
    """
    shown = st.session_state[_OF].shown
    if place not in _part(shown).places:
        first, last = burst_of(shown, place)
        _set(**{_FROM: first, _TO: last, _CAUSE: None})
    _set(**{_OPEN: place})


def choose_cause(kind: str) -> None:
    """Choose the rebalances of a cause. If this cause is chosen already, choose the default
    burst.
    """
    _set(**{_FROM: None, _TO: None, _OPEN: None, _CAUSE: None if _get(_CAUSE) == kind else kind})


def beside(shown: LogView, part: Part) -> tuple[int | None, int | None]:
    """Return the row numbers of the previous and the next rebalance; None if there is none.

    If a cause is chosen, only the rebalances of this cause are considered.
    """
    places = part.places if part.kind else range(len(shown.events))
    at = places.index(part.opened)
    return (places[at - 1] if at else None), (places[at + 1] if at + 1 < len(places) else None)


def show(shown: LogView, part: Part) -> None:
    """Draw both figures."""
    marks = [
        Mark(
            _begin(shown, place),
            None if event.duration_ms is None else event.duration_ms / 1000,
            kind,
            part.kind is not None and place not in part.places,
        )
        for place, (event, kind) in enumerate(zip(shown.events, shown.kinds, strict=True))
    ]
    frame = marks[part.first].at, marks[part.last].at
    length = (shown.until - shown.since) / 1000
    span = "24 hours" if not shown.is_whole and length > 86_000 else duration(max(length, 1))
    figure = strip(marks, shown.since / 1000, shown.until / 1000, frame, span)
    plot.show(figure, "rebalance-strip", strip_finding(marks), _drag, mode="box")
    plot.follow_clicks("rebalance-strip", _stem)
    rows = _lanes(shown, part)
    plot.show(
        lanes(rows, part.opened, _title(shown, part, len(rows))),
        "rebalance-lanes",
        lanes_finding(rows),
        _click,
    )


def _title(shown: LogView, part: Part, drawn: int) -> str:
    count = len(part.places)
    begin, end = shown.events[part.first].time, shown.events[part.last].time
    exactly = begin is not None and end is not None and end - begin < 600_000
    times = (
        f"{precise(begin)} to {precise(end)}"
        if exactly or begin is None or end is None
        else f"{clock(begin / 1000)} to {clock(end / 1000)}"
    )
    most = f", the longest {drawn:,}" if drawn < count else ""
    name = CAUSES[part.kind].short.capitalize() if part.kind else ""
    came_later = part.kind is not None and shown.kinds[part.first] != part.kind
    whose = f"{name}: the" if name else "The"
    if came_later:
        whose = f"{name} came later in the"
    return (
        f"{whose} {count:,} of {times}{most}" if count > 1 else f"{whose} one of {precise(begin)}"
    )


def _stem(mark: Sequence[float]) -> None:
    """Open the rebalance whose stem was clicked. `mark`: its row number and start.

    If the shown hours have changed since the figure was drawn, nothing happens.
    """
    place, at = int(mark[0]), mark[1]
    with suppress(SnapshotError):
        shown = st.session_state[_OF].shown
        if place < len(shown.events) and _begin(shown, place) == at:
            open_one(place)


def _begin(shown: LogView, place: int) -> float:
    """Return the start of a rebalance in seconds since 1970, the start of the figure if unknown."""
    return (shown.events[place].time or shown.since) / 1000


def _lanes(shown: LogView, part: Part) -> list[Lane]:
    longest = sorted(
        part.places,
        key=lambda place: (place != part.opened, -(shown.events[place].duration_ms or 0)),
    )[:MOST_LANES]
    return [_lane(shown, place) for place in sorted(longest)]


def _lane(shown: LogView, place: int) -> Lane:
    event, kind = shown.events[place], shown.kinds[place]
    waited = (
        None if event.start is None or event.joined is None else (event.joined - event.start) / 1000
    )
    end = None if event.duration_ms is None else event.duration_ms / 1000
    silent = (event.session_timeout_ms or 0) / 1000 if kind == "session_timeout" else 0.0
    name = event.slowest[0].name if event.slowest else ""
    usual = shown.slowest is not None and name == shown.slowest[0].name
    limit = waited if event.ran_into_max_poll_interval else None
    return Lane(place, _begin(shown, place), kind, silent, waited, end, name, usual, limit)


def _drag() -> None:
    """Choose the rebalances that start within the box that the reader drew."""
    boxes = st.session_state["rebalance-strip"].selection.get("box") or []
    chosen: Selection | None = st.session_state.get(_OF)
    if not boxes or chosen is None:
        return
    low, high = sorted(boxes[0]["x"])[:2]
    places = [
        place for place, event in enumerate(chosen.shown.events) if low <= (event.time or 0) <= high
    ]
    if places:
        _set(**{_FROM: places[0], _TO: places[-1], _OPEN: None, _CAUSE: None})


def _click() -> None:
    points = st.session_state["rebalance-lanes"].selection.points
    place = next((point["customdata"] for point in points if "customdata" in point), None)
    place = place[0] if isinstance(place, list | tuple) else place
    if place is not None:
        open_one(int(place))
