"""The panel of lag by member: stacked areas over time, with a space at each gap. A strip above it
shows a week of total lag and marks the range.
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.timeline.forecast import Forecast
from evenkeel.assignors.timeline.pictures.member_lags import MemberLags
from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.parts.frame import LEGEND_SIZE
from evenkeel.dashboard.parts.labels import plain, ticks
from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.dashboard.parts.time_axis import add_hover_bars, milliseconds, time_axis
from evenkeel.dashboard.times import clock, day_and_clock, zone
from evenkeel.data.text.formats import compact, count
from evenkeel.data.text.names import elided

TOTAL = theme.LAG_SCALE[6]
_AIR = 1.1
"""The axis is longer than the highest lag, so that the lag's label fits."""

_MOST_AHEAD = 1.5
"""A forecast may make the axis at most this factor longer. Otherwise a forecast that grows without
end would make the recorded lag too low to see.
"""

_LETTERS, _LEAST_LETTERS, _LEGEND = 28, 10, 720
"""Most and fewest letters of a name in the legend, and pixels of the legend's line in a narrow
window.
"""


def stretches(lags: MemberLags) -> list[np.ndarray]:
    """Return the indices of the readings in each stretch of time without a gap."""
    return (
        np.split(np.arange(lags.time.size), np.flatnonzero(np.diff(lags.stretch)) + 1)
        if lags.time.size
        else []
    )


def add_lag(
    figure: go.Figure,
    lags: MemberLags,
    names: Sequence[str],
    domain: tuple[float, float],
    forecast: float = 0,
) -> None:
    """Draw the members' areas, the member with most lag at the bottom, and a line of the total.
    `forecast`: the lag for which the axis must have room.
    """
    labels, colors = _labels(lags, names), [*theme.MEMBERS[: len(names)], theme.OTHERS]
    tops = np.cumsum(lags.lag, axis=1)
    for place, (label, color) in enumerate(zip(labels, colors, strict=True)):
        if lags.lag[:, place].any():
            figure.add_scatter(
                **_area(lags, tops, place),
                name=label,
                mode="lines",
                fill="toself",
                fillcolor=color,
                line=_EDGE,
                **_SILENT,
            )
    time, total = _opened(lags, milliseconds(lags.time)), _opened(lags, lags.total)
    figure.add_scatter(
        x=time, y=total, name="total", mode="lines", line={"color": TOTAL, "width": 1.6}, **_SILENT
    )
    _add_hover(figure, lags, labels)
    high = float(max(lags.total.max(initial=1), 1))
    high = max(high, min(forecast, _MOST_AHEAD * high))
    figure.update_layout(
        yaxis=frame.value_axis(
            ticks(high, most=4),
            range=[0, high * _AIR],
            domain=domain,
            fixedrange=True,
            zeroline=False,
        )
    )
    _add_peak(figure, lags)


_EDGE = {"color": theme.PAPER, "width": 0.6}
_SILENT = {"hoverinfo": "skip", "connectgaps": False}


def legend(
    lags: MemberLags, names: Sequence[str], has_rows: np.ndarray
) -> list[tuple[str, str, str]]:
    """Return the mark, colour and name of each area. Names are shortened so that the legend fits
    into one line.

    `has_rows`, bool (K + 1,): which members own a partition in the second panel, as `_have_rows`
    returns.
    """
    labels, colors = _labels(lags, names), [*theme.MEMBERS[: len(names)], theme.OTHERS]
    there = has_rows | (lags.lag.any(axis=0) if lags.lag.size else False)
    shown = [
        (label, color)
        for label, color, is_there in zip(labels, colors, there, strict=True)
        if is_there
    ]
    for letters in range(_LETTERS, _LEAST_LETTERS - 1, -1):
        words = [elided(label, letters) for label, _ in shown]
        if text_width("   ".join(f"■ {word}" for word in words), LEGEND_SIZE) <= _LEGEND:
            break
    return [("■", color, word) for word, (_, color) in zip(words, shown, strict=True)]


def _labels(lags: MemberLags, names: Sequence[str]) -> list[str]:
    others = count(lags.other_count, "other") if lags.other_count else ""
    unrecorded = "owners not recorded" * lags.has_unrecorded
    unowned = "unowned" * (lags.has_unowned or not (others or unrecorded))
    return [*names, " and ".join(filter(None, [others, unowned, unrecorded]))]


def _area(lags: MemberLags, tops: np.ndarray, place: int) -> dict[str, np.ndarray]:
    """Return the outline of one member's area. In each stretch without a gap, the outline goes
    forward along the top and back along the bottom.
    """
    x, y = [], []
    for rows in stretches(lags):
        time, top = milliseconds(lags.time[rows]), tops[rows, place]
        x += [time, time[::-1], time[:1], [np.nan]]
        y += [top, (top - lags.lag[rows, place])[::-1], top[:1], [np.nan]]
    return {"x": np.concatenate(x), "y": np.concatenate(y)}


def _opened(lags: MemberLags, values: np.ndarray) -> np.ndarray:
    """Return the values with a NaN after each stretch, because a NaN interrupts a line."""
    return (
        np.concatenate([part for rows in stretches(lags) for part in (values[rows], [np.nan])])
        if lags.time.size
        else values
    )


def _add_hover(figure: go.Figure, lags: MemberLags, labels: Sequence[str]) -> None:
    there = np.flatnonzero(lags.lag.any(axis=0)).tolist() if lags.lag.size else []
    lines = [
        f"{plain(labels[place])}: %{{customdata[{column + 1}]:,}}"
        for column, place in enumerate(there)
    ]
    unknown = [
        f"<br>{count(number, 'unknown lag')}" if number else ""
        for number in lags.unknown_count.tolist()
    ]
    add_hover_bars(
        figure,
        lags.time,
        lags.total,
        customdata=np.column_stack([lags.total, lags.lag[:, there]]),
        text=[
            f"{clock(seconds)} {zone(seconds)}{more}"
            for seconds, more in zip(lags.time.tolist(), unknown, strict=True)
        ],
        hovertemplate="<br>".join(["<b>%{text}</b>", "total: %{customdata[0]:,}", *lines])
        + "<extra></extra>",
        name="lag",
    )


def _add_peak(figure: go.Figure, lags: MemberLags) -> None:
    if not lags.total.any():
        return
    row = int(np.argmax(lags.total))
    share = (lags.time[row] - lags.time[0]) / max(float(np.ptp(lags.time)), 1)
    side = "left" if share < 0.1 else "center"
    frame.label(
        figure,
        f"peak {compact(float(lags.total[row]))}",
        milliseconds(lags.time[row]),
        float(lags.total[row]),
        color=theme.INK,
        yanchor="bottom",
        xanchor="right" if share > 0.9 else side,
    )


# The lag to the right of now: a dashed median in its band, or why there is no forecast.


_RIGHT_OF_NOW = 14
"""Distance in pixels, so that a flag at the last reading does not cover the text."""

_WHY_LETTERS = 22
"""Letters in a line of text to the right of now, in a narrow window."""

_DAY = 86_400

_SILENT_LINE = {"hoverinfo": "skip", "mode": "lines", "connectgaps": False}


def forecast_top(ahead: Forecast | str | None) -> float:
    """Return the largest median lag of the forecast, for which the lag axis needs room. 0 without a
    forecast.
    """
    return float(ahead.lag.middle.max()) if isinstance(ahead, Forecast) else 0.0


def add_forecast(figure: go.Figure, ahead: Forecast | str | None, until: float) -> None:
    """Draw the forecast after the time `until`, or why there is none. Draw nothing if `ahead` is
    None.
    """
    if ahead is None:
        return
    now = milliseconds(until)
    if isinstance(ahead, Forecast):
        _add_band(figure, ahead, until)
    else:
        words = "no forecast:<br>" + "<br>".join(wrap(ahead, _WHY_LETTERS))
        frame.label(
            figure,
            words,
            now,
            0.5,
            yref="y domain",
            xshift=_RIGHT_OF_NOW,
            yanchor="middle",
            align="left",
        )


def _add_band(figure: go.Figure, ahead: Forecast, until: float) -> None:
    time, band = milliseconds(until + ahead.seconds), ahead.lag
    outline = {
        "x": np.concatenate([time, time[::-1]]),
        "y": np.concatenate([band.high, band.low[::-1]]),
    }
    figure.add_scatter(
        **outline,
        fill="toself",
        fillcolor=theme.BAND,
        line={"width": 0},
        name="forecast, 5–95 %",
        **_SILENT_LINE,
    )
    figure.add_scatter(
        x=time,
        y=band.middle,
        line={"color": TOTAL, "width": 1.6, "dash": "dash"},
        name="forecast",
        **_SILENT_LINE,
    )
    _add_words(figure, ahead, until)


def _add_words(figure: go.Figure, ahead: Forecast, until: float) -> None:
    """Write the lag at the end of the forecast, with its range, next to the line of the
    forecast.
    """
    low, middle, high = (float(end[-1]) for end in ahead.lag)
    seconds = float(ahead.seconds[-1])
    time = day_and_clock(until + seconds) if seconds > _DAY else clock(until + seconds)
    ends = " to ".join(dict.fromkeys(compact(round(end)) for end in (low, high)))
    is_high = middle > figure.layout.yaxis.range[1] / 2
    y, anchor = (0.5, "middle") if is_high else (1.0, "top")
    # With few readings there is only one draw, and no band.
    name = "forecast" if np.array_equal(ahead.lag.low, ahead.lag.high) else "forecast, 5–95 %"
    words = f"{name}:<br>{ends}<br>at {time}"
    # The background hides grid lines behind the words.
    frame.label(
        figure,
        words,
        1,
        y,
        xref="paper",
        yref="y domain",
        xanchor="right",
        yanchor=anchor,
        align="right",
        bgcolor=theme.PAPER,
        borderpad=0,
    )


# The strip above the Timeline: total lag over a week, with the page's range marked.


HEIGHT, _BELOW, _BESIDE = 54, 38, 28
_MOST_TICKS = 5
"""Number of ticks that fit next to each other on a phone."""

_OVERVIEW_AIR = 1.4
"""The axis is longer than the highest lag, so that words fit above it."""
_LEAST_SHARE = 0.006
"""Least width of the range's box, as a fraction of the strip."""

_GRIP = 0.004, 0.25, 0.75
"""Half the width of a grip, as a fraction of the strip's width. Lower and upper end of a grip, as
fractions of the strip's height.
"""


class Strip(NamedTuple):
    """The data of the strip: the total lag at each reading. All times are in seconds since 1970.

    `stretch`: a number for each reading, which changes after a gap. `words`: the label of the
    strip. `past`: first and last time of the readings from a metrics store, which have another
    shade.
    """

    since: float
    until: float
    time: np.ndarray
    stretch: np.ndarray
    lag: np.ndarray
    words: str
    past: tuple[float, float] | None = None


def overview(strip: Strip, since: float, until: float) -> go.Figure:
    """Draw the strip. The part outside `since` to `until` is dim. The reader drags over the strip
    to choose another range.
    """
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
    high = float(max(strip.lag.max(initial=1), 1)) * _OVERVIEW_AIR
    figure.update_layout(
        xaxis=time_axis(
            strip.since, max(strip.until, strip.since + 1), most=_MOST_TICKS, side="bottom"
        ),
        yaxis={"range": [0, high], "visible": False, "fixedrange": True},
        dragmode="select",
        selectdirection="h",
        margin_r=_BESIDE,
    )
    if strip.past:
        begin, end = strip.past
        _add_box(
            figure,
            begin,
            end,
            0,
            1,
            fillcolor=theme.MUTED,
            opacity=0.2,
            line={"width": 0},
            layer="below",
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
        _add_box(
            figure,
            edge - width * length,
            edge + width * length,
            low,
            high,
            fillcolor=theme.INK,
            line={"width": 0},
        )


def _add_box(figure: go.Figure, begin: float, end: float, low: float, high: float, **look) -> None:
    place = {"x0": milliseconds(begin), "x1": milliseconds(end), "y0": low, "y1": high}
    figure.add_shape(type="rect", xref="x", yref="y domain", **place, **look)
