"""The frame of all figures: paper, axes, and a title with its legend in one line."""

from collections.abc import Iterable, Sequence

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.parts.labels import plain, ticks

CONFIG = {"displayModeBar": False}
"""Configuration for `st.plotly_chart`: no tool bar, because readers click on marks instead."""

X_AXES = (("x", "xaxis"), ("x2", "xaxis2"))
"""Names of the value axes of the first and the second panel: in traces, and in the layout."""

FAIR = {"color": theme.INK, "width": 1.2, "dash": "dash"}
"""Look of the fair-share line."""

SMALLEST = 10
"""Font size of the smallest text, in pixels."""

LEGEND_SIZE = 12
"""Font size of a legend with its own line, in pixels."""

TITLES = 60
"""Pixels above the column names of a figure: one line for the title, one for the scale of lag."""

_AS_GIVEN = {"automargin": False, "ticklabeloverflow": "allow"}
"""Texts of axes stay in the figure's margin. With automatic margins plotly draws every figure
twice.
"""

TICKS = 22
"""Pixels below a plot for the texts of a value axis."""

TITLED = 42
"""Pixels below a plot for the texts of a value axis and its title."""


LARGE_GROUP = 392
"""Height of the figures of a large group; the figures are side by side."""


def figure(height: float, left: int = 0, top: int = 44, bottom: int = 0) -> go.Figure:
    """Return an empty figure with fixed axes and without a legend. Hovering shows the nearest mark.

    `left`, `top`, `bottom`: margins in pixels.
    """
    still = {
        "fixedrange": True,
        "zeroline": False,
        "showgrid": False,
        "ticks": "",
        "tickfont": {"color": theme.MUTED, "size": 11},
        "title_font": {"color": theme.MUTED, "size": 11},
    } | _AS_GIVEN
    layout = {
        "height": height,
        "margin": {"l": left, "r": 8, "t": top, "b": bottom},
        "dragmode": False,
        "hovermode": "closest",
        "showlegend": False,
        "xaxis": still,
        "yaxis": still,
    }
    # The layout does not use Streamlit's default template: an update of a figure with a template
    # takes twenty times as long.
    return go.Figure(layout=layout)


def value_axis(ticks: tuple[Sequence[float], Sequence[str]], **more) -> dict:
    """Return a value axis with a grid. `ticks`: values and their texts."""
    values, texts = ticks
    return {
        "showgrid": True,
        "gridcolor": theme.LINE,
        "gridwidth": 1,
        "tickvals": list(values),
        "ticktext": list(texts),
        "tickfont": {"color": theme.MUTED, "size": 11},
    } | (_AS_GIVEN | more)


def title(
    figure: go.Figure,
    name: str,
    unit: str = "",
    marks: Sequence[tuple[str, str, str]] = (),
    x: float = 0,
    y: float = 1,
    shift: int = 20,
) -> None:
    """Draw a figure's title above the plot: name in bold, unit, and legend, all in one line.

    `marks`: glyph, colour and word of each legend entry.
    """
    text = (
        f"<b>{plain(name)}</b>{', ' + plain(unit) if unit else ''}"
        f"{'   ' * bool(marks)}{glyphs(marks)}"
    )
    label(
        figure,
        text,
        x,
        y,
        xref="paper",
        yref="paper",
        yshift=shift,
        size=12.5,
        color=theme.INK,
        yanchor="bottom",
    )


def legend(
    figure: go.Figure, marks: Sequence[tuple[str, str, str]], shift: int = 36, left: int = 0
) -> None:
    """Draw the legend alone, above panels whose titles are side by side.

    It starts `shift` pixels above the plot and `left` pixels left of the plot's left edge.
    """
    place = {
        "xref": "paper",
        "yref": "paper",
        "xshift": -left,
        "yshift": shift,
        "yanchor": "bottom",
    }
    label(figure, glyphs(marks), 0, 1, size=LEGEND_SIZE, color=theme.INK, **place)


def glyphs(marks: Sequence[tuple[str, str, str]]) -> str:
    """Return a legend as HTML: each glyph in its colour, then its word."""
    return "   ".join(
        f"<span style='color:{colour}'>{glyph}</span> {plain(word)}"
        for glyph, colour, word in marks
    )


def upright(figure: go.Figure, x: float, line: dict, axis: str = "x", layer: str = "above") -> None:
    """Draw a vertical line through all panels, at one value of the x axis."""
    place = {"xref": axis, "x0": x, "x1": x, "yref": "paper", "y0": 0, "y1": 1}
    figure.add_shape(type="line", line=line, layer=layer, **place)


def label(figure: go.Figure, text: str, x: float, y: float, **more) -> None:
    """Draw `text` at a point of the figure. `text` is HTML: escape names with `labels.plain`."""
    figure.add_annotation(note(text, x, y, **more))


def note(
    text: str, x: float, y: float, *, size: float = 11, color: str = theme.MUTED, **more
) -> dict:
    """Return a text to add to `layout.annotations`.

    Add many texts at once: plotly needs longer to add 100 texts one by one than for the rest of a
    figure.
    """
    return {
        "text": text,
        "x": x,
        "y": y,
        "showarrow": False,
        "xanchor": "left",
        "font": {"size": size, "color": color},
    } | more


def row_height(rows: int) -> int:
    """Return the height in pixels of a member's row, for the tiles and for the matrix."""
    if rows <= 14:
        return 30
    return 22 if rows <= 30 else 16


# Lag as colour: the square root of lag, on one hue. Tiles, matrix and heat map use the same scale.


UNKNOWN_NAME = "lag unknown"
UNKNOWN_MARK = ("■", theme.LINE, UNKNOWN_NAME)
"""Legend entry of cells with unknown lag."""

_COLORS = [[step / (len(theme.LAG_SCALE) - 1), color] for step, color in enumerate(theme.LAG_SCALE)]


def lag_axis(high: float, above: int, word: str = "lag") -> dict:
    """Return a plotly colour axis from 0 to `high` records, with a short colour bar above the plot.

    `above`: pixels between the plot and the colour bar. If `high` is 0, there is no colour bar.
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
    return {
        "colorscale": _COLORS,
        "cmin": 0,
        "cmax": max(float(np.sqrt(high)), 1.0),
        "showscale": high > 0,
        "colorbar": bar,
    }


def add_lag_cells(
    figure: go.Figure, lag: np.ndarray, shown: np.ndarray, texts: list[list[str]], name: str, **look
) -> None:
    """Colour the cells of a heat map by lag, only where `shown` is True.

    Cells with unknown lag (NaN) are grey.
    """
    look = {
        "xgap": 2,
        "ygap": 2,
        "hoverongaps": False,
        "customdata": texts,
        "hovertemplate": "%{customdata}<extra></extra>",
    } | look
    figure.add_heatmap(
        z=np.where(shown, np.sqrt(lag), np.nan), coloraxis="coloraxis", name=name, **look
    )
    unknown = shown & np.isnan(lag)
    if unknown.any():
        color = [[0, theme.LINE], [1, theme.LINE]]
        figure.add_heatmap(
            z=np.where(unknown, 1.0, np.nan),
            colorscale=color,
            showscale=False,
            name=UNKNOWN_NAME,
            **look,
        )


def text_colors(share: np.ndarray) -> list[str]:
    """Return a readable text colour for cells; `share`: 0 to 1, position of each cell on the colour
    scale.
    """
    return [theme.PAPER if value >= theme.PAPER_TEXT_FROM else theme.INK for value in share]


# Look of load bars: short and hollow for an idle member, hatched above twice the fair share.


_IDLE_SHARE = 0.013
"""Length of an idle member's bar, as a share of the highest value."""


def bar_lengths(values: np.ndarray, idle: np.ndarray, high: float) -> np.ndarray:
    """Return the length of each bar. Idle members get a short bar, so that they are visible."""
    return np.where(idle, high * _IDLE_SHARE, values)


def load_marker(color: str, idle: Iterable[bool], over: Iterable[bool]) -> dict:
    """Return plotly's `marker` for bars of members. `idle`: True for a hollow bar. `over`: True for
    a hatched bar.
    """
    is_idle = list(idle)
    return {
        "color": [theme.PAPER if is_idle_bar else color for is_idle_bar in is_idle],
        "cornerradius": 2,
        "line": {"color": color, "width": [1.4 if is_idle_bar else 0 for is_idle_bar in is_idle]},
        "pattern": {
            "shape": ["/" if is_over_bar else "" for is_over_bar in over],
            "fillmode": "overlay",
            # One colour for all bars: plotly computes a contrast colour for it. An idle bar has no
            # pattern.
            "bgcolor": color,
            "fgcolor": theme.PAPER,
            "fgopacity": 0.55,
            "size": 6,
            "solidity": 0.25,
        },
    }
