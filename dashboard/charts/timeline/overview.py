"""The strip above the Timeline: a week of total lag, in it the range that the page shows."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts import frame
from evenkeel.dashboard.charts.timeline.lag_panel import TOTAL
from evenkeel.dashboard.charts.timeline.time_axis import milliseconds, time_axis

HEIGHT, _BELOW, _BESIDE = 54, 38, 28
_MOST_TICKS = 5
"""As many as fit beside each other on a phone."""

_AIR = 1.4
"""Room for the words above the highest lag."""
_LEAST_SHARE = 0.006
"""Of the strip, for the box of a short range."""

_GRIP = 0.004, 0.25, 0.75
"""Half the width of a grip as a share of the strip, and its lower and upper end."""


class Strip(NamedTuple):
    """Times in seconds since 1970; `stretch`: equal numbers have no gap between them. `words`: what the strip shows."""

    since: float
    until: float
    time: np.ndarray
    stretch: np.ndarray
    lag: np.ndarray
    words: str


def overview(strip: Strip, since: float, until: float) -> go.Figure:
    """Draw the strip; what lies outside of `since` to `until` is dim, and a drag chooses another range."""
    figure = frame.figure(HEIGHT + _BELOW, _BESIDE, 0, _BELOW)
    for rows in np.split(np.arange(strip.time.size), np.flatnonzero(np.diff(strip.stretch)) + 1):
        figure.add_scatter(
            x=milliseconds(strip.time[rows]),
            y=strip.lag[rows],
            mode="lines",
            line={"color": TOTAL, "width": 1},
            fill="tozeroy",
            fillcolor=theme.BAND,
            hoverinfo="skip",
        )
    high = float(max(strip.lag.max(initial=1), 1)) * _AIR
    figure.update_layout(
        xaxis=time_axis(strip.since, max(strip.until, strip.since + 1), most=_MOST_TICKS, side="bottom"),
        yaxis={"range": [0, high], "visible": False, "fixedrange": True},
        dragmode="select",
        selectdirection="h",
        margin_r=_BESIDE,
    )
    _add_range(figure, strip, since, until)
    frame.label(figure, strip.words, 0, 1, xref="paper", yref="paper", yanchor="top", xshift=6)
    return figure


def _add_range(figure: go.Figure, strip: Strip, since: float, until: float) -> None:
    length = max(strip.until - strip.since, 1.0)
    middle, half = (since + until) / 2, max(until - since, _LEAST_SHARE * length) / 2
    first, last = max(middle - half, strip.since), min(middle + half, strip.until)
    for begin, end in ((strip.since, first), (last, strip.until)):
        _add_box(figure, begin, end, 0, 1, fillcolor=theme.PAPER, opacity=0.55, line={"width": 0})
    _add_box(figure, first, last, 0, 1, line={"color": theme.INK, "width": 1.5})
    width, low, high = _GRIP
    for edge in (first, last):
        _add_box(figure, edge - width * length, edge + width * length, low, high, fillcolor=theme.INK, line={"width": 0})


def _add_box(figure: go.Figure, begin: float, end: float, low: float, high: float, **look) -> None:
    place = {"x0": milliseconds(begin), "x1": milliseconds(end), "y0": low, "y1": high}
    figure.add_shape(type="rect", xref="x", yref="y domain", **place, **look)
