"""The fair-share lines of a panel, with one text for all of them."""

from collections.abc import Sequence

import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.loads import Panel, joined_shares
from evenkeel.dashboard.charts.parts import frame
from evenkeel.dashboard.charts.parts.text_width import text_width

_WIDTH = 520
"""Pixels of all panels together in a narrow window."""


def add_fair_lines(figure: go.Figure, shares: Sequence[tuple[float, str]], axis: str, panel: Panel, layer: str = "above") -> None:
    """Draw `fair_shares` across a panel; their text stands above the first, or at the panel's end if it would leave the panel."""
    for value, _ in shares:
        figure.add_shape(type="line", xref=axis, yref="paper", x0=value, x1=value, y0=0, y1=1, layer=layer, line=frame.FAIR)
    joined = joined_shares(shares)
    if joined:
        value, text = joined
        left, right = panel.domain
        half, share = text_width(text) / 2 / (_WIDTH * (right - left)), value / panel.high
        x, side = (value, "center") if half <= share <= 1 - half else (0, "left") if share < half else (panel.high, "right")
        frame.label(figure, text, x, 1, xref=axis, yref="paper", xanchor=side, yanchor="bottom", color=theme.INK)
