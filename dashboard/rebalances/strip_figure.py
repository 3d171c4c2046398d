"""The rebalances of the shown hours as a strip: one stem for each rebalance.

The height of a stem is the length of the rebalance.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, inf, log10
from typing import NamedTuple

import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.parts.labels import plain
from evenkeel.dashboard.parts.time_axis import milliseconds, time_axis
from evenkeel.dashboard.rebalances.figure_look import add_title, colour
from evenkeel.dashboard.rebalances.words import precise, seconds_text
from evenkeel.data.rebalances.chains import NEAR, bursts
from evenkeel.data.rebalances.words import CAUSES
from evenkeel.data.text.formats import counted

STRIP_HEIGHT = 126
_LEFT, _RIGHT = 44, 14
_DECADES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000)
_UNKNOWN_SECONDS = 0.01
_SHORT_SECONDS = 1_800
_MOST_DECADES = 5
_COLUMN = 0.012
"""Width of the invisible column over a stem, as a share of the hours; it reacts to the pointer."""


class Mark(NamedTuple):
    """A rebalance in the strip: start (seconds since 1970), length (seconds, None if unknown),
    cause.

    `is_dim`: another cause is selected.
    """

    at: float
    seconds: float | None
    kind: str
    is_dim: bool = False


def strip(
    marks: Sequence[Mark], since: float, until: float, chosen: tuple[float, float], span: str
) -> go.Figure:
    """Draw the strip. Dragging chooses rebalances, a click on a stem opens its rebalance.

    `customdata` of a stem: row number of the rebalance, and its start.
    """
    figure = frame.figure(STRIP_HEIGHT, _LEFT, 30, frame.TICKS)
    air = max((until - since) * 0.015, 0.5)
    since, until = since - air, until + air
    known = [max(mark.seconds, 0.001) for mark in marks if mark.seconds is not None]
    low, high = min(known, default=1.0) / 2.2, max(known, default=10.0) * 1.9
    for kind, is_dim in dict.fromkeys((mark.kind, mark.is_dim) for mark in marks):
        mine = [mark for mark in marks if (mark.kind, mark.is_dim) == (kind, is_dim)]
        figure.add_traces(_stems(mine, kind, low, 0.3 if is_dim else 1.0))
    figure.add_trace(_columns(marks, until - since, low, high))
    shown = [decade for decade in _DECADES if low <= decade <= high]
    shown = (
        shown
        if len(shown) <= _MOST_DECADES
        else [decade for decade in shown if f"{decade:g}".strip("0.").startswith("1")]
    )
    figure.update_layout(
        xaxis=_time_axis(since, max(until, since + 1)),
        yaxis=frame.value_axis(
            (shown, [seconds_text(round(decade * 1000)) for decade in shown]),
            type="log",
            range=[log10(low), log10(high)],
        ),
        dragmode="select",
        selectdirection="h",
        margin_r=_RIGHT,
    )
    figure.update_yaxes(title_text="")
    pad = max((until - since) * 0.004, 0.5)
    place = {
        "x0": milliseconds(chosen[0] - pad),
        "x1": milliseconds(chosen[1] + pad),
        "y0": 0,
        "y1": 1,
    }
    figure.add_shape(
        type="rect", xref="x", yref="y domain", line={"color": theme.INK, "width": 1.5}, **place
    )
    _count_bursts(figure, marks, until - since)
    add_title(
        figure, span, "seconds until assigned (log scale); drag or click to choose", _LEFT, 10
    )
    return figure


def _time_axis(since: float, until: float) -> dict:
    """Return the time axis. If only minutes are shown, its texts have seconds."""
    axis = time_axis(since, until, most=6, side="bottom")
    if until - since >= _SHORT_SECONDS:
        return axis
    step = next(step for step in (1, 2, 5, 10, 30, 60, 120, 300) if (until - since) / step <= 7)
    times = [at * step for at in range(ceil(since / step), floor(until / step) + 1)]
    return axis | {
        "tickvals": [milliseconds(at) for at in times],
        "ticktext": [precise(round(at * 1000)) for at in times],
    }


def _columns(marks: Sequence[Mark], length: float, low: float, high: float) -> go.Bar:
    """Return one invisible column over each stem; it reacts to the pointer.

    Columns of close stems are narrower, but have at least a twelfth of the usual width.
    """
    at = [mark.at for mark in marks]
    gaps = [inf, *(after - before for before, after in pairwise(at)), inf]
    widest = length * _COLUMN
    widths = [max(min(widest, *both), widest / 12) for both in pairwise(gaps)]
    return go.Bar(
        x=[milliseconds(mark.at) for mark in marks],
        y=[high - low] * len(marks),
        base=low,
        width=[1000 * width for width in widths],
        customdata=[[place, mark.at] for place, mark in enumerate(marks)],
        marker={"color": theme.UNSEEN, "line": {"width": 0}},
        unselected={"marker": {"opacity": 0}},
        hovertext=[f"{_hover(mark)}; click to open" for mark in marks],
        hoverinfo="text",
    )


def _hover(mark: Mark) -> str:
    length = seconds_text(None if mark.seconds is None else round(mark.seconds * 1000))
    return f"{precise(round(mark.at * 1000))} {plain(CAUSES[mark.kind].short)}<br>{length}"


def _stems(marks: Sequence[Mark], kind: str, low: float, opacity: float) -> list[go.Scatter]:
    look, shade = CAUSES[kind].look, colour(kind)
    xs: list = []
    ys: list = []
    for mark in marks:
        xs += [milliseconds(mark.at)] * 2 + [None]
        ys += [low, max(mark.seconds or _UNKNOWN_SECONDS, low), None]
    points = go.Scatter(
        x=[milliseconds(mark.at) for mark in marks],
        y=[max(mark.seconds or _UNKNOWN_SECONDS, low) for mark in marks],
        mode="markers",
        marker={"symbol": look.symbol, "size": 8, "color": shade},
        opacity=opacity,
        unselected={"marker": {"opacity": 1}},
        hoverinfo="skip",
        name=CAUSES[kind].short,
    )
    return [
        go.Scatter(
            x=xs,
            y=ys,
            mode="lines",
            line={"width": 1.6, "color": shade},
            opacity=opacity,
            hoverinfo="skip",
        ),
        points,
    ]


def _count_bursts(figure: go.Figure, marks: Sequence[Mark], length: float) -> None:
    """Draw the number of rebalances above each burst of more than three stems."""
    for burst in bursts([mark.at for mark in marks], length * NEAR):
        if len(burst) > 3:
            middle = milliseconds((marks[burst[0]].at + marks[burst[-1]].at) / 2)
            more = {
                "xref": "x",
                "yref": "paper",
                "yanchor": "bottom",
                "xanchor": "center",
                "size": 12,
                "color": theme.INK,
            }
            frame.label(figure, f"<b>{len(burst):,}</b>", middle, 1, **more)


def strip_finding(marks: Sequence[Mark]) -> str:
    """Return a sentence: number of shown rebalances, and length of the longest."""
    slow = max((mark.seconds or 0 for mark in marks), default=0)
    return (
        f"{counted(len(marks), 'rebalance')}; the longest took {seconds_text(round(slow * 1000))}."
    )
