"""Time axes: values are milliseconds since 1970, texts are times in the reader's zone."""

from datetime import timedelta
from typing import TypeVar

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.times import clock, day, local

SecondsT = TypeVar("SecondsT", np.ndarray, float)
_STEPS = (300, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800)
_MOST_TICKS = 10
_DAY = 86_400

NOW, NARROW_NOW = 0.8, 0.68
"""Share of the axis up to the last reading, in a wide and in a narrow window. Forecasts, numbers
and names need the rest.
"""


def milliseconds(seconds: SecondsT) -> SecondsT:
    """Return times in milliseconds, the unit of plotly's date axes."""
    return np.multiply(seconds, 1000).round()


def end_of_axis(since: float, until: float, now: float = NOW) -> float:
    """Return the end of a time axis that starts at `since`.

    `now`: position of `until` on the axis, as a fraction of the axis.
    """
    return since + max(until - since, 1.0) / now


def time_axis(
    since: float, until: float, last: float | None = None, most: int = _MOST_TICKS, **more
) -> dict:
    """Return a time axis from `since` to `until` (seconds since 1970) with texts at round times.

    The first text of a day has the date. `last`: no text after this time. `most`: about how many
    texts.
    """
    step = next((step for step in _STEPS if (until - since) / step <= most), _STEPS[-1])
    ahead = (local(since).utcoffset() or timedelta()).total_seconds()
    times = np.arange(
        np.ceil((since + ahead) / step) * step - ahead, until if last is None else last, step
    ).tolist()
    return {
        # Numbers, not dates: with dates plotly would use the browser's language.
        "type": "linear",
        "range": [milliseconds(since), milliseconds(until)],
        "tickvals": [milliseconds(time) for time in times],
        "ticktext": [_text(time, step, is_first=not place) for place, time in enumerate(times)],
        "showgrid": True,
        "gridcolor": theme.LINE,
        "fixedrange": True,
        "zeroline": False,
        "tickangle": 0,
        "tickfont": {"color": theme.MUTED, "size": 11},
        "automargin": False,
        "ticklabeloverflow": "allow",
    } | more


def _text(seconds: float, step: float, is_first: bool) -> str:
    if step >= _DAY:
        return day(seconds)
    return (
        f"{clock(seconds)}<br>{day(seconds)}"
        if is_first or clock(seconds) == "00:00"
        else clock(seconds)
    )


# Invisible bars that react to the pointer anywhere below a line.


def add_hover_bars(figure: go.Figure, seconds: np.ndarray, top: np.ndarray, **words) -> None:
    """Draw invisible bars that show `words` as hover text: one bar at each time in `seconds` since
    1970.

    `top`: height of each bar. A bar is as wide as the distance to the nearer neighbour.
    """
    time = milliseconds(seconds)
    beside = np.diff(time, prepend=time[:1], append=time[-1:])
    width = np.minimum(beside[:-1], beside[1:]) + 1
    figure.add_bar(
        x=time,
        y=top,
        width=width,
        marker={"color": theme.UNSEEN, "line": {"width": 0}},
        textposition="none",
        **words,
    )
