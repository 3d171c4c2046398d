"""Moves between members as a matrix, for up to 60 members: number of partitions, coloured
by lag.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.compare.moves import Moves
from evenkeel.dashboard import theme
from evenkeel.dashboard.names import NO_OWNER, without_common_prefix
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.frame import UNKNOWN_MARK, add_lag_cells, lag_axis, text_colors
from evenkeel.dashboard.parts.labels import plain
from evenkeel.data.text.formats import count, exact

MOST_MEMBERS = 60
_MOST_COLUMN_NAMES = 30
_NUMBERED = 22
"""Height in pixels of the lowest row that has room for a number."""
_WIDTH = 270
"""Width of the plot in a narrow window, in pixels."""


class Matrix(NamedTuple):
    """A matrix of moves. A row is a previous owner, a column is a new owner, both in the order of
    `names`.

    The last row and the last column are for partitions without an owner. Both are omitted if both
    are empty. `moves`: int64, number of partitions that move from the row's member to the column's
    member. The diagonal has the kept partitions. `lag`: float, lag of these partitions, NaN if no
    lag is known.
    """

    names: list[str]
    moves: np.ndarray
    lag: np.ndarray


def move_matrix(moves: Moves, names: Sequence[str], order: np.ndarray, above: int = 0) -> go.Figure:
    """Draw the matrix of moves, with the members in `order`.

    Column names have a height of at least `above` pixels, so that the rows align with the figure
    next to them.
    """
    return _drawn(matrix(moves, names, order), max(above, names_height(names)))


def names_height(names: Sequence[str]) -> int:
    """Return the height of the column names in pixels."""
    return labels.names_height(without_common_prefix(names), _WIDTH / max(len(names), 1))


def matrix(moves: Moves, names: Sequence[str], order: np.ndarray) -> Matrix:
    """Return the matrix of the moves, in drawing order. The row and the column for partitions
    without an owner are omitted if they are empty.
    """
    counts, carried = moves.matrix()
    lag, flows = carried.astype(float), moves.flows()
    unknown = flows.load.unknown_lag_count == flows.load.partition_count
    lag[flows.from_member[unknown], flows.to_member[unknown]] = np.nan
    some_unowned = bool(counts[-1].any() or counts[:, -1].any())
    shown = np.append(order, len(order)) if some_unowned else order
    return Matrix(
        [names[member] for member in order] + [NO_OWNER] * some_unowned,
        counts[np.ix_(shown, shown)],
        lag[np.ix_(shown, shown)],
    )


def _drawn(info: Matrix, above: int) -> go.Figure:
    size = len(info.names)
    height = frame.row_height(size)
    top = frame.TITLES + above
    figure = frame.figure(top + height * size, left=labels.name_margin(info.names), top=top)
    away = (info.moves > 0) & ~np.eye(size, dtype=bool)
    high = float(np.nanmax(np.where(away, info.lag, np.nan), initial=0.0))
    _add_kept(figure, info)
    add_lag_cells(figure, info.lag, away, _texts(info), "moved")
    if height >= _NUMBERED:
        _add_counts(figure, info, away, high)
    columns = without_common_prefix(info.names)
    every = -(-size // _MOST_COLUMN_NAMES)
    texts, angle = (
        labels.axis_texts(columns[::every]),
        -90 if labels.are_turned(columns, _WIDTH / size) else 0,
    )
    figure.update_xaxes(
        side="top",
        tickvals=list(range(0, size, every)),
        ticktext=texts,
        range=[-0.5, size - 0.5],
        tickangle=angle,
    )
    figure.update_yaxes(labels.row_axis(info.names))
    figure.update_layout(margin_autoexpand=False, coloraxis=lag_axis(high, above + 8, "lag moved"))
    marks = [("□", theme.MUTED, "kept"), *[UNKNOWN_MARK] * bool(np.isnan(info.lag[away]).any())]
    frame.title(
        figure,
        "From (row) → to (column)",
        "number of partitions" if height >= _NUMBERED else "",
        marks,
        shift=above + 40,
    )
    return figure


def _texts(info: Matrix) -> list[list[str]]:
    names = [plain(name) for name in info.names]
    return [
        [
            f"{giver} → {getter}<br>{count(int(moved), 'partition')}, lag {exact(lag)}"
            for getter, moved, lag in zip(names, *row, strict=True)
        ]
        for giver, *row in zip(names, info.moves, info.lag, strict=True)
    ]


def _add_kept(figure: go.Figure, info: Matrix) -> None:
    for place in np.flatnonzero(info.moves.diagonal()):
        box = {"x0": place - 0.46, "x1": place + 0.46, "y0": place - 0.44, "y1": place + 0.44}
        figure.add_shape(
            type="rect",
            **box,
            fillcolor=theme.SURFACE,
            line={"color": theme.LINE, "width": 1},
            layer="below",
        )


def _add_counts(figure: go.Figure, info: Matrix, away: np.ndarray, high: float) -> None:
    giver, getter = np.nonzero(info.moves)
    share = np.sqrt(np.nan_to_num(info.lag[giver, getter]) / (high or 1.0)) * away[giver, getter]
    colors = [
        color if moved else theme.MUTED
        for color, moved in zip(text_colors(share), away[giver, getter], strict=True)
    ]
    figure.add_scatter(
        x=getter,
        y=giver,
        mode="text",
        name="count",
        text=[exact(value) for value in info.moves[giver, getter]],
        textfont={"size": 11, "color": colors},
        hoverinfo="skip",
    )
