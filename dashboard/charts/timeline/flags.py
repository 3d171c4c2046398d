"""Flags of the moments A and B, through all panels."""

from collections.abc import Sequence

import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.parts import frame
from evenkeel.dashboard.charts.timeline.time_axis import milliseconds

ASIDE = 13
"""Pixels from the middle of a flag to a text beside it."""


def add_flags(figure: go.Figure, times: Sequence[float]) -> None:
    """Draw A and B at these times, seconds since 1970."""
    for letter, time in zip("AB", times, strict=False):
        x = milliseconds(time)
        figure.add_shape(type="line", xref="x", yref="paper", x0=x, x1=x, y0=0, y1=1, line={"color": theme.INK, "width": 1.3})
        look = {"bgcolor": theme.INK, "color": theme.PAPER, "borderpad": 3, "size": 11}
        frame.label(figure, f"<b>{letter}</b>", x, 1, yref="paper", xanchor="center", yanchor="bottom", **look)


def add_end(figure: go.Figure, until: float, words: str) -> None:
    """Write what the end of the range is to the right of it, beside a flag that may stand there."""
    frame.label(figure, words, milliseconds(until), 1, yref="paper", yanchor="bottom", xshift=ASIDE, color=theme.INK)
