"""The lag right of now: a dashed median in its band, or why there is none."""

from textwrap import wrap

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.history.forecast import Forecast
from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.parts import frame
from evenkeel.dashboard.charts.timeline.lag_panel import TOTAL
from evenkeel.dashboard.charts.timeline.time_axis import milliseconds
from evenkeel.dashboard.words.times import clock, day_and_clock
from evenkeel.data.words.formats import compact

_RIGHT_OF_NOW = 14
"""Pixels: beside the flag that may stand at the last reading."""

_LETTERS = 22
"""Of a line of words right of now, in a narrow window."""

_DAY = 86_400

_SILENT = {"hoverinfo": "skip", "mode": "lines", "connectgaps": False}


def forecast_top(ahead: Forecast | str | None) -> float:
    """Return how high the axis of lags has to be for the median, 0 without a forecast."""
    return float(ahead.lag.middle.max()) if isinstance(ahead, Forecast) else 0.0


def add_forecast(figure: go.Figure, ahead: Forecast | str | None, until: float) -> None:
    """Draw what is ahead of `until`; nothing for a range that ends in the past."""
    if ahead is None:
        return
    now = milliseconds(until)
    if isinstance(ahead, Forecast):
        _add_band(figure, ahead, until)
    else:
        words = "no forecast:<br>" + "<br>".join(wrap(ahead, _LETTERS))
        frame.label(figure, words, now, 0.5, yref="y domain", xshift=_RIGHT_OF_NOW, yanchor="middle", align="left")


def _add_band(figure: go.Figure, ahead: Forecast, until: float) -> None:
    time, band = milliseconds(until + ahead.seconds), ahead.lag
    outline = {"x": np.concatenate([time, time[::-1]]), "y": np.concatenate([band.high, band.low[::-1]])}
    figure.add_scatter(**outline, fill="toself", fillcolor=theme.BAND, line={"width": 0}, name="forecast, 5–95 %", **_SILENT)
    figure.add_scatter(x=time, y=band.middle, line={"color": TOTAL, "width": 1.6, "dash": "dash"}, name="forecast", **_SILENT)
    _add_words(figure, ahead, until)


def _add_words(figure: go.Figure, ahead: Forecast, until: float) -> None:
    """Write where the band ends, which may be above the axis; beside the line."""
    low, middle, high = (float(end[-1]) for end in ahead.lag)
    seconds = float(ahead.seconds[-1])
    time = day_and_clock(until + seconds) if seconds > _DAY else clock(until + seconds)
    ends = " to ".join(dict.fromkeys(compact(round(end)) for end in (low, high)))
    is_high = middle > figure.layout.yaxis.range[1] / 2
    place = {"y": 0.5, "yanchor": "middle"} if is_high else {"y": 1, "yanchor": "top"}
    # Of few readings there is one draw, and no band.
    name = "forecast" if np.array_equal(ahead.lag.low, ahead.lag.high) else "forecast, 5–95 %"
    words = f"{name}:<br>{ends}<br>at {time}"
    # A line of the grid would go through the words.
    look = {"xanchor": "right", "align": "right", "bgcolor": theme.PAPER, "borderpad": 0}
    frame.label(figure, words, x=1, xref="paper", yref="y domain", **look, **place)
