"""Marks in the panels of the Timeline: rebalances, gaps and people's marks."""

from collections.abc import Sequence
from html import escape
from textwrap import shorten

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.timeline.ownership import Burst
from evenkeel.assignors.timeline.pictures.member_lags import MemberLags
from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.parts.time_axis import (
    milliseconds,
)

# Marks that cross all panels: rebalances and gaps.


_LEAST_ROOM = 0.035
"""Space that the text of a burst's number needs, as a fraction of the axis."""

_LEAST_GAP = 0.02
"""A gap that is at least this wide, as a fraction of the axis, has a text."""


def add_rebalances(
    figure: go.Figure, bursts: Sequence[Burst], length: float, flags: Sequence[float] = ()
) -> None:
    """Draw a dotted line for each burst of rebalances, and the number of its rebalances if there is
    room. A number that one of the `flags` would cover is drawn next to the flag.

    `flags`: times of the flags A and B. `length`: seconds of the range.
    """
    last, line = -np.inf, {"color": theme.INK, "width": 1, "dash": "dot"}
    times, panels = [milliseconds(burst.first) for burst in bursts], ("y domain", "y2 domain")
    lines = [
        {
            "type": "line",
            "xref": "x",
            "yref": panel,
            "x0": x,
            "x1": x,
            "y0": 0,
            "y1": 1,
            "line": line,
        }
        for x in times
        for panel in panels
    ]
    # All lines in one call: hundreds of separate calls take longer than the rest of the figure.
    figure.layout.shapes += tuple(lines)
    for burst, x in zip(bursts, times, strict=True):
        if burst.first - last > _LEAST_ROOM * length:
            place = _beside(burst.first, flags, length)
            frame.label(
                figure,
                f"↻ {len(burst.rows)}",
                x,
                1,
                yref="paper",
                yanchor="bottom",
                color=theme.INK,
                **place,
            )
            last = burst.first


def _beside(time: float, flags: Sequence[float], length: float) -> dict:
    """Return the alignment of a burst's number: centred at the burst, or next to a flag that would
    cover the number.
    """
    near = [flag for flag in flags if abs(flag - time) < _LEAST_ROOM * length]
    if not near:
        return {"xanchor": "center"}
    return (
        {"xanchor": "left", "xshift": ASIDE}
        if time >= near[0]
        else {"xanchor": "right", "xshift": -ASIDE}
    )


def add_gaps(figure: go.Figure, lags: MemberLags, length: float) -> None:
    """Draw the text “no reading” in each wide gap."""
    for row in np.flatnonzero(np.diff(lags.stretch)).tolist():
        first, last = lags.time[row], lags.time[row + 1]
        if last - first > _LEAST_GAP * length:
            middle = milliseconds((first + last) / 2)
            for panel in ("y domain", "y2 domain"):
                frame.label(
                    figure,
                    "no reading",
                    middle,
                    0.5,
                    yref=panel,
                    textangle=-90,
                    xanchor="center",
                    yanchor="middle",
                )


def add_unrecorded(figure: go.Figure, first: float, last: float, words: str) -> None:
    """Draw a grey band over the panel of owners, between two times, with `words` in its middle."""
    begin, end = milliseconds(first), milliseconds(last)
    figure.add_shape(
        type="rect",
        xref="x",
        yref="y2 domain",
        x0=begin,
        x1=end,
        y0=0,
        y1=1,
        fillcolor=theme.MUTED,
        opacity=0.2,
        line={"width": 0},
        layer="below",
    )
    middle = float(milliseconds((first + last) / 2))
    frame.label(figure, words, middle, 0.5, yref="y2 domain", xanchor="center", yanchor="middle")


# Flags of the moments A and B, through all panels.


_MOST_TEXT = 40


def add_named(
    figure: go.Figure, named: Sequence[tuple[float, str]], since: float, length: float
) -> None:
    """Draw a line for each person's mark. The text is in the first panel: right of a line in the
    panel's left half, else left of the line.
    """
    for time, text in named:
        x, is_late = float(milliseconds(time)), time - since > length / 2
        line = {"color": theme.MUTED, "width": 1, "dash": "dash"}
        frame.upright(figure, x, line)
        frame.label(
            figure,
            f"⚑ {escape(shorten(text, _MOST_TEXT, placeholder=' …'))}",
            x,
            1,
            yref="y domain",
            yanchor="top",
            xanchor="right" if is_late else "left",
            xshift=-4 if is_late else 4,
        )


ASIDE = 13
"""Pixels from the middle of a flag to a text at its side."""


def add_flags(figure: go.Figure, times: Sequence[float]) -> None:
    """Draw the flags A and B at these times, seconds since 1970."""
    for letter, time in zip("AB", times, strict=False):
        x = milliseconds(time)
        frame.upright(figure, x, {"color": theme.INK, "width": 1.3})
        look = {"bgcolor": theme.INK, "color": theme.PAPER, "borderpad": 3, "size": 11}
        frame.label(
            figure,
            f"<b>{letter}</b>",
            x,
            1,
            yref="paper",
            xanchor="center",
            yanchor="bottom",
            **look,
        )


def add_end(figure: go.Figure, until: float, words: str) -> None:
    """Write the label of the end of the range. The label is to the right of the end, where no flag
    covers it.
    """
    frame.label(
        figure,
        words,
        milliseconds(until),
        1,
        yref="paper",
        yanchor="bottom",
        xshift=ASIDE,
        color=theme.INK,
    )
