"""The frame of all figures: paper, axes, and a title with its legend in one line."""

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from evenkeel.dashboard import theme

CONFIG = {"displayModeBar": False}
"""For `st.plotly_chart`: no tool bar; the marks themselves are clicked."""

X_AXES = (("x", "xaxis"), ("x2", "xaxis2"))
"""Names of the value axes of a first and a second panel, in traces and in the layout."""

FAIR = {"color": theme.INK, "width": 1.2, "dash": "dash"}
"""The fair-share line."""

SMALLEST = 10
"""Pixels of the smallest text."""

LEGEND_SIZE = 12
"""Pixels of a legend in a line of its own."""

TITLES = 60
"""Pixels above the names of a figure's columns: a line for the title, one for the scale of lag."""

_AS_GIVEN = {"automargin": False, "ticklabeloverflow": "allow"}
"""Texts of axes stay in the margin of the figure: plotly draws everything twice to find a better margin."""

TICKS = 22
"""Pixels below a plot for the texts of a value axis."""

TITLED = 42
"""Pixels below a plot for the texts of a value axis and its title."""


LARGE_GROUP = 392
"""Height of the figures of a large group, which stand side by side."""


def figure(height: int, left: int = 0, top: int = 44, bottom: int = 0) -> go.Figure:
    """Return an empty figure: still axes, no legend, hover on the nearest mark; the margins are room for texts."""
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
    # The layout is given here, without the default template of Streamlit: an update that names the template takes twenty times as long.
    return go.Figure(layout=layout)


def value_axis(ticks: tuple[Sequence[float], Sequence[str]], **more) -> dict:
    """Return an axis of values: grid in the line colour, ticks as given."""
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
    figure: go.Figure, name: str, unit: str = "", marks: Sequence[tuple[str, str, str]] = (), x: float = 0, y: float = 1, shift: int = 20
) -> None:
    """Write a bold name, its unit and the legend as coloured glyphs (glyph, colour, word) into one line above the plot."""
    text = f"<b>{plain(name)}</b>{', ' + plain(unit) if unit else ''}{'   ' * bool(marks)}{glyphs(marks)}"
    label(figure, text, x, y, xref="paper", yref="paper", yshift=shift, size=12.5, color=theme.INK, yanchor="bottom")


def legend(figure: go.Figure, marks: Sequence[tuple[str, str, str]], shift: int = 36, left: int = 0) -> None:
    """Write the legend into a line of its own, `left` pixels beyond the plot: for panels, whose titles stand side by side."""
    place = {"xref": "paper", "yref": "paper", "xshift": -left, "yshift": shift, "yanchor": "bottom"}
    label(figure, glyphs(marks), 0, 1, size=LEGEND_SIZE, color=theme.INK, **place)


def glyphs(marks: Sequence[tuple[str, str, str]]) -> str:
    """Return a legend as markup: glyphs in their colours, each with its word."""
    return "   ".join(f"<span style='color:{colour}'>{glyph}</span> {plain(word)}" for glyph, colour, word in marks)


def label(figure: go.Figure, text: str, x: float, y: float, **more) -> None:
    """Write text beside a place; `text` is markup, names in it must be `plain`."""
    figure.add_annotation(note(text, x, y, **more))


def note(text: str, x: float, y: float, *, size: float = 11, color: str = theme.MUTED, **more) -> dict:
    """Return a text for `layout.annotations`: to add a hundred texts one by one takes longer than the rest of a figure."""
    return {"text": text, "x": x, "y": y, "showarrow": False, "xanchor": "left", "font": {"size": size, "color": color}} | more


def plain(name: str) -> str:
    """Escape a name: plotly reads `<b>` in any text as markup."""
    return escape(name, quote=False)


def row_height(rows: int) -> int:
    """Return the height of a member's row in tiles and matrix, which stand side by side."""
    return 30 if rows <= 14 else 22 if rows <= 30 else 16
