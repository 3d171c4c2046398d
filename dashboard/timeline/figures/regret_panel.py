"""The regret panel: the worst member's lag over time, as recorded and under each other assignor."""

from textwrap import wrap
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.timeline.replay import Regret
from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.parts.labels import apart, ticks
from evenkeel.dashboard.parts.time_axis import (
    add_hover_bars,
    milliseconds,
)
from evenkeel.dashboard.timeline.words import LIMIT
from evenkeel.dashboard.times import clock, zone
from evenkeel.data.text.formats import UNKNOWN, compact, count, exact
from evenkeel.data.text.names import elided

# Regret: the recorded lag of the worst member, and its lag under other assignors. Names are at the
# right end.


HEIGHT = 108
"""Pixels."""

_AIR, _NAME_LINE, _LETTERS, _NAME = 1.06, 13, 24, 20
"""Axis length as a multiple of the highest lag. Pixels of a line of text. In a narrow window:
letters of a line of words, and letters of a name.
"""

_WORDS, _GAP = 14.5, 3
"""Pixels of a line of the sentence `finding`, and pixels of the space above the sentence."""

_RIGHT_OF_NOW = 8


class _Look(NamedTuple):
    color: str
    width: float
    glyph: str


_CURRENT, _CANDIDATE, _OTHER = (
    _Look(theme.CURRENT, 2, "■"),
    _Look(theme.CANDIDATE, 1.6, "◆"),
    _Look(theme.MUTED, 1.3, "●"),
)


def add_regret(
    figure: go.Figure,
    regret: Regret | None,
    finding: str,
    until: float,
    domain: tuple[float, float],
    is_narrow: bool = False,
) -> None:
    """Draw the panel's lines and the sentence `finding`. `regret` is None while assignors are
    replayed; then the panel has no lines.
    """
    high = max(float(regret.worst.max(initial=1)) if regret else 1.0, 1.0)
    scale = ticks(high, most=3) if regret else ([], [])
    axis = frame.value_axis(
        scale, range=[0, high * _AIR], domain=domain, anchor="x", fixedrange=True, zeroline=False
    )
    figure.update_layout(yaxis3=axis)
    title = "<b>Regret</b>: lag of the worst member, other assignors replayed"
    title += "" if is_narrow else " on the recorded lags"
    frame.label(
        figure,
        title,
        0,
        1,
        xref="paper",
        yref="y3 domain",
        yanchor="bottom",
        yshift=4,
        size=12.5,
        color=theme.INK,
        hovertext=LIMIT,
    )
    if regret is None:
        frame.label(
            figure,
            "other assignors are replayed …",
            0.4,
            0.5,
            xref="paper",
            yref="y3 domain",
            xanchor="center",
            yanchor="middle",
        )
        # Plotly does not draw a panel without a trace.
        figure.add_scatter(
            x=[milliseconds(until)], y=[None], yaxis="y3", hoverinfo="skip", name="regret"
        )
        return
    for place in sorted(range(len(regret.names)), key=lambda place: _look(regret, place).width):
        _add_line(figure, regret, place)
    _add_hover(figure, regret)
    words = wrap(finding, _LETTERS)
    _add_names(figure, regret, until, high, _WORDS * len(words) + _GAP)
    look = {
        "xanchor": "right",
        "yanchor": "bottom",
        "align": "right",
        "bgcolor": theme.PAPER,
        "borderpad": 0,
    }
    frame.label(figure, "<br>".join(words), 1, 0, xref="paper", yref="y3 domain", **look)


def _look(regret: Regret, place: int) -> _Look:
    if place == 0:
        return _CURRENT
    return _CANDIDATE if place == regret.candidate else _OTHER


def _add_line(figure: go.Figure, regret: Regret, place: int) -> None:
    look, lag = _look(regret, place), regret.worst[:, place].astype(np.float64)
    lag[lag == UNKNOWN_LAG] = np.nan
    ends = np.flatnonzero(np.diff(regret.stretch)) + 1
    time, lag = np.insert(milliseconds(regret.time), ends, np.nan), np.insert(lag, ends, np.nan)
    line = {"color": look.color, "width": look.width}
    figure.add_scatter(
        x=time,
        y=lag,
        yaxis="y3",
        mode="lines",
        line=line,
        hoverinfo="skip",
        connectgaps=False,
        name=regret.names[place],
    )


def _add_hover(figure: go.Figure, regret: Regret) -> None:
    texts = [
        [UNKNOWN if lag == UNKNOWN_LAG else exact(lag) for lag in row]
        for row in regret.worst.tolist()
    ]
    rows = [
        "<br>".join(
            [
                f"<b>{clock(seconds)} {zone(seconds)}</b>",
                *(f"{name}: {lag}" for name, lag in zip(regret.names, row, strict=True)),
            ]
        )
        for seconds, row in zip(regret.time.tolist(), texts, strict=True)
    ]
    add_hover_bars(
        figure,
        regret.time,
        regret.worst.max(axis=1),
        yaxis="y3",
        text=rows,
        hovertemplate="%{text}<extra></extra>",
        name="regret",
    )


def _add_names(figure: go.Figure, regret: Regret, until: float, high: float, below: float) -> None:
    """At the end of each assignor's line, write the assignor's name and lag. Assignors with the
    same lag share one text. `below`: pixels that must stay free at the bottom of the panel.
    """
    by_lag: dict[int, list[int]] = {}
    for place, lag in enumerate(regret.worst[-1].tolist() if regret.time.size else []):
        if lag != UNKNOWN_LAG:
            by_lag.setdefault(lag, []).append(place)
    lags = list(by_lag)
    for lag, pixel in zip(
        lags, _places([lag / (high * _AIR) * HEIGHT for lag in lags], below), strict=True
    ):
        look = min((_look(regret, place) for place in by_lag[lag]), key=lambda look: -look.width)
        text = (
            f"{frame.glyphs([(look.glyph, look.color, _names(regret, by_lag[lag]))])}"
            f" {compact(float(lag))}"
        )
        frame.label(
            figure,
            text,
            milliseconds(until),
            pixel / HEIGHT,
            yref="y3 domain",
            xshift=_RIGHT_OF_NOW,
            yanchor="middle",
            size=frame.SMALLEST,
            color=theme.INK,
            bgcolor=theme.PAPER,
            borderpad=0,
            hovertext="<br>".join(regret.names[place] for place in by_lag[lag]),
        )


def _places(pixels: list[float], below: float) -> list[float]:
    """Return the heights of texts, moved so that they do not overlap and stay within the panel.
    `below`: pixels that must stay free at the bottom of the panel.
    """
    return apart(pixels, _NAME_LINE, below + _NAME_LINE / 2, HEIGHT - _NAME_LINE / 2)


def _names(regret: Regret, places: list[int]) -> str:
    """Return the text for assignors with the same lag: `range`, or `range + 2 others`. It names the
    current assignment or the best assignor first.
    """
    first = min(places, key=lambda place: -_look(regret, place).width)
    more = f" + {count(len(places) - 1, 'other')}" if len(places) > 1 else ""
    return elided(regret.names[first], _NAME - len(more)) + more
