"""Lag as colour: √lag on one hue, the same in tiles, matrix and heat map."""

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.parts.ticks import ticks

UNKNOWN_NAME = "lag unknown"
UNKNOWN_MARK = ("■", theme.LINE, UNKNOWN_NAME)
"""For the legend of a figure with cells of unknown lag."""

_COLORS = [[step / (len(theme.LAG_SCALE) - 1), color] for step, color in enumerate(theme.LAG_SCALE)]


def lag_axis(high: float, above: int, word: str = "lag") -> dict:
    """Return a plotly colour axis from 0 to `high` records, with a short bar on the left, `above` pixels over the plot.

    There is no bar if no cell has lag.
    """
    values, texts = ticks(high, most=3)
    bar = {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "xpad": 0,
        "y": 1,
        "yanchor": "bottom",
        "ypad": above,
        "lenmode": "pixels",
        "len": 160,
        "thickness": 7,
        "tickvals": np.sqrt(values),
        "ticktext": [f"{word} {texts[0]}", *texts[1:]],
        "tickfont": {"size": 10, "color": theme.MUTED},
        "tickangle": 0,
        "outlinewidth": 0,
    }
    return {"colorscale": _COLORS, "cmin": 0, "cmax": max(float(np.sqrt(high)), 1.0), "showscale": high > 0, "colorbar": bar}


def add_lag_cells(figure: go.Figure, lag: np.ndarray, shown: np.ndarray, texts: list[list[str]], name: str, **look) -> None:
    """Fill the cells of a heat map that are `shown`: by their lag, in the line colour if it is unknown (NaN)."""
    look = {"xgap": 2, "ygap": 2, "hoverongaps": False, "customdata": texts, "hovertemplate": "%{customdata}<extra></extra>"} | look
    figure.add_heatmap(z=np.where(shown, np.sqrt(lag), np.nan), coloraxis="coloraxis", name=name, **look)
    unknown = shown & np.isnan(lag)
    if unknown.any():
        color = [[0, theme.LINE], [1, theme.LINE]]
        figure.add_heatmap(z=np.where(unknown, 1.0, np.nan), colorscale=color, showscale=False, name=UNKNOWN_NAME, **look)


def text_colors(share: np.ndarray) -> list[str]:
    """Return a readable text colour for each share of the scale, 0 to 1."""
    return [theme.PAPER if value >= theme.PAPER_TEXT_FROM else theme.INK for value in share]
