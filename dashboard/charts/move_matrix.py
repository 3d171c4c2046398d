"""From whom to whom: how many partitions change owner, coloured by the lag that goes along; for up to 60 members."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from assignors.figures.moves import Moves
from dashboard import theme
from dashboard.charts.parts import frame, name_room
from dashboard.charts.parts.lag_scale import UNKNOWN_MARK, lag_axis, text_colors, unknown_cells
from dashboard.words.formats import count, exact
from dashboard.words.names import NO_OWNER, without_common_prefix

MOST_MEMBERS = 60
_MOST_COLUMN_NAMES = 30
_NUMBERED = 22
"""Pixels of a row in which a number has room."""
_WIDTH = 270
"""Pixels of the plot in a narrow window."""


class Matrix(NamedTuple):
    """Rows give, columns get; both in the order of `names`, nobody last where somebody gets from or gives to nobody.

    `moves` int64 counts what each row gives to each column; the diagonal is what is kept. `lag` float is what
    it carries, NaN where something moves and none of it is known.
    """

    names: list[str]
    moves: np.ndarray
    lag: np.ndarray


def move_matrix(moves: Moves, names: Sequence[str], order: np.ndarray, above: int = 0) -> go.Figure:
    """Draw who gives how much to whom, members in `order`; at least `above` pixels for the names of the columns, so that it lines up with its neighbour."""
    return _drawn(matrix(moves, names, order), max(above, names_height(names)))


def names_height(names: Sequence[str]) -> int:
    """Return the pixels that the names of the columns take."""
    return name_room.names_height(without_common_prefix(names), _WIDTH / max(len(names), 1))


def matrix(moves: Moves, names: Sequence[str], order: np.ndarray) -> Matrix:
    """Put the matrix of the moves into drawing order and leave nobody out where nobody takes part."""
    counts, carried = moves.matrix()
    lag, flows = carried.astype(float), moves.flows()
    unknown = flows.load.unknown_lag_count == flows.load.partition_count
    lag[flows.from_member[unknown], flows.to_member[unknown]] = np.nan
    nobody = bool(counts[-1].any() or counts[:, -1].any())
    shown = np.append(order, len(order)) if nobody else order
    return Matrix([names[member] for member in order] + [NO_OWNER] * nobody, counts[np.ix_(shown, shown)], lag[np.ix_(shown, shown)])


def _drawn(info: Matrix, above: int) -> go.Figure:
    size = len(info.names)
    height = frame.row_height(size)
    top = frame.TITLES + above
    figure = frame.figure(top + height * size, left=name_room.name_margin(info.names), top=top)
    away = (info.moves > 0) & ~np.eye(size, dtype=bool)
    high = float(np.nanmax(np.where(away, info.lag, np.nan), initial=0.0))
    names = [frame.plain(name) for name in info.names]
    _add_kept(figure, info)
    unknown = away & np.isnan(info.lag)
    texts = [
        [
            f"{giver} → {getter}<br>{count(int(moved), 'partition')}, lag {exact(lag)}"
            for getter, moved, lag in zip(names, *row, strict=True)
        ]
        for giver, *row in zip(names, info.moves, info.lag, strict=True)
    ]
    look = {"xgap": 2, "ygap": 2, "hoverongaps": False, "customdata": texts, "hovertemplate": "%{customdata}<extra></extra>"}
    figure.add_heatmap(z=np.where(away, np.sqrt(info.lag), np.nan), coloraxis="coloraxis", name="moved", **look)
    unknown_cells(figure, unknown, **look)
    if height >= _NUMBERED:
        _add_counts(figure, info, away, high)
    columns = without_common_prefix(info.names)
    every = -(-size // _MOST_COLUMN_NAMES)
    figure.update_xaxes(
        side="top",
        tickvals=list(range(0, size, every)),
        ticktext=[frame.plain(name_room.cut(name)) for name in columns[::every]],
        range=[-0.5, size - 0.5],
    )
    figure.update_xaxes(tickangle=-90 if name_room.are_turned(columns, _WIDTH / size) else 0)
    figure.update_yaxes(
        tickvals=list(range(size)), ticktext=[frame.plain(name_room.cut(name)) for name in info.names], range=[size - 0.5, -0.5]
    )
    figure.update_layout(margin_autoexpand=False, coloraxis=lag_axis(high, above + 8, "lag moved"))
    marks = [("□", theme.MUTED, "kept"), *[UNKNOWN_MARK] * bool(unknown.any())]
    frame.title(figure, "From (row) → to (column)", "number of partitions" if height >= _NUMBERED else "", marks, shift=above + 40)
    return figure


def _add_kept(figure: go.Figure, info: Matrix) -> None:
    for place in np.flatnonzero(info.moves.diagonal()):
        box = {"x0": place - 0.46, "x1": place + 0.46, "y0": place - 0.44, "y1": place + 0.44}
        figure.add_shape(type="rect", **box, fillcolor=theme.SURFACE, line={"color": theme.LINE, "width": 1}, layer="below")


def _add_counts(figure: go.Figure, info: Matrix, away: np.ndarray, high: float) -> None:
    giver, getter = np.nonzero(info.moves)
    share = np.sqrt(np.nan_to_num(info.lag[giver, getter]) / (high or 1.0)) * away[giver, getter]
    colors = [color if moved else theme.MUTED for color, moved in zip(text_colors(share), away[giver, getter], strict=True)]
    figure.add_scatter(
        x=getter,
        y=giver,
        mode="text",
        name="count",
        text=[exact(value) for value in info.moves[giver, getter]],
        textfont={"size": 11, "color": colors},
        hoverinfo="skip",
    )
