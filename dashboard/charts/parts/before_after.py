"""Texts of what was before and is after, as columns at the right edge of bars: beside a bar its tick would cover them."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.parts import frame

_BEFORE, _ARROW, _AFTER = 0.42, 0.53, 1.0
"""Shares of the axis of texts."""


def add_before_after(figure: go.Figure, axis: str, places: np.ndarray, texts: Sequence[tuple[str, str]]) -> None:
    """Write a pair of texts at each place."""
    _add(figure, axis, _BEFORE, places, [before for before, _ in texts], theme.MUTED, "middle left")
    _add(figure, axis, _ARROW, places, ["→"] * len(texts), theme.MUTED, "middle center")
    add_after(figure, axis, places, [after for _, after in texts])


def add_after(figure: go.Figure, axis: str, places: np.ndarray, texts: Sequence[str]) -> None:
    """Write into the column of what is after."""
    _add(figure, axis, _AFTER, places, texts, theme.INK, "middle left")


def _add(figure: go.Figure, axis: str, x: float, places: np.ndarray, texts: Sequence[str], color: str, side: str) -> None:
    figure.add_scatter(
        x=np.full(len(places), x),
        y=places,
        xaxis=axis,
        mode="text",
        text=list(texts),
        textposition=side,
        textfont={"color": color, "size": frame.SMALLEST},
        hoverinfo="skip",
        cliponaxis=False,
    )
