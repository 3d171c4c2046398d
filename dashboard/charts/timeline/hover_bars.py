"""Invisible bars: they answer the pointer anywhere below a line."""

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.timeline.time_axis import milliseconds


def add_hover_bars(figure: go.Figure, seconds: np.ndarray, top: np.ndarray, **words) -> None:
    """Add one bar for each of `seconds` since 1970, as high as `top` and as wide as the nearer neighbour is away; `words` of its label."""
    time = milliseconds(seconds)
    beside = np.diff(time, prepend=time[:1], append=time[-1:])
    width = np.minimum(beside[:-1], beside[1:]) + 1
    figure.add_bar(x=time, y=top, width=width, marker={"color": theme.UNSEEN, "line": {"width": 0}}, textposition="none", **words)
