"""Lag by member and topic after a change, for groups with too many partitions for tiles."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.moves.holdings import ADDED, REVOKED, Holdings
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.frame import UNKNOWN_MARK, add_lag_cells, lag_axis
from evenkeel.dashboard.parts.labels import plain
from evenkeel.data.text.formats import exact

# Lag by member and topic, before and after a change, for groups with too many members or partitions
# for tiles.


SINGLE_ROWS = 15
MOST_TOPICS = 12
_ROW = 18


class HeatMap(NamedTuple):
    """Lag by row and topic. The first rows have one member each, worst first. Later rows are bands
    of ranks: each band is twice as large as the previous band. The first columns are the topics
    with the most lag. The last column is for all other topics, if there are any.

    `before`, `after`: float (rows, topics), mean known lag of the row's members; NaN if these
    members have partitions but no known lag.
    """

    rows: list[str]
    topics: list[str]
    before: np.ndarray
    after: np.ndarray


def topic_heat_map(
    holdings: Holdings,
    names: Sequence[str],
    topics: Sequence[str],
    order: np.ndarray,
    words: tuple[str, str],
) -> go.Figure:
    """Draw two maps on one colour scale. `words`: names of the assignments before and after."""
    return _drawn_map(lag_by_topic(holdings, names, topics, order), words)


def lag_by_topic(
    holdings: Holdings, names: Sequence[str], topics: Sequence[str], order: np.ndarray
) -> HeatMap:
    """Return the known lag by row and topic, with the members in `order`."""
    edges = _edges(len(order))
    row = np.empty(len(order), dtype=np.int64)
    row[order] = np.searchsorted(edges, np.arange(len(order)), side="right") - 1
    lag = np.nan_to_num(holdings.lag)
    heaviest = np.argsort(
        -np.bincount(holdings.topic, weights=lag, minlength=len(topics)), kind="stable"
    )
    shown = heaviest[:MOST_TOPICS]
    column = np.full(len(topics), len(shown))
    column[shown] = np.arange(len(shown))
    width = len(shown) + (len(topics) > len(shown))
    cell, size = row[holdings.member] * width + column[holdings.topic], (len(edges) - 1) * width
    members = np.diff(edges)[:, None]
    sides = (holdings.kind != ADDED, holdings.kind != REVOKED)
    before, after = (
        _sums(cell[held], holdings.lag[held], size).reshape(-1, width) / members for held in sides
    )
    columns = [topics[topic] for topic in shown] + [f"{exact(len(topics) - len(shown))} others"] * (
        width - len(shown)
    )
    return HeatMap(
        [
            _row_name(names, order, first, last)
            for first, last in zip(edges, edges[1:], strict=False)
        ],
        columns,
        before,
        after,
    )


def _sums(cell: np.ndarray, lag: np.ndarray, size: int) -> np.ndarray:
    known = ~np.isnan(lag)
    # Without any cell, bincount returns whole numbers, which cannot be NaN.
    sums = np.bincount(cell[known], weights=lag[known], minlength=size).astype(float)
    sums[np.setdiff1d(cell[~known], cell[known])] = np.nan
    return sums


def _edges(member_count: int) -> np.ndarray:
    """Return the first rank of each row, and the end of the last row. The first rows have one
    member each. Later rows are bands of ranks: each band is twice as large as the previous band.
    """
    edges, start = list(range(min(SINGLE_ROWS, member_count))), SINGLE_ROWS
    while start < member_count:
        edges.append(start)
        start *= 2
    return np.array([*edges, member_count])


def _row_name(names: Sequence[str], order: np.ndarray, first: int, last: int) -> str:
    return names[order[first]] if last - first == 1 else f"{exact(first + 1)}–{exact(last)}"


def _texts(info: HeatMap, word: str, lags: np.ndarray) -> list[list[str]]:
    rows, topics, word = map(plain, info.rows), list(map(plain, info.topics)), plain(word)
    return [
        [
            f"{row}, {topic}<br>{word}: lag {exact(lag)}"
            for topic, lag in zip(topics, of_row, strict=True)
        ]
        for row, of_row in zip(rows, lags, strict=True)
    ]


def _drawn_map(info: HeatMap, words: tuple[str, str]) -> go.Figure:
    width = len(info.topics)
    room = labels.WIDTH / (2 * width + 0.3)
    above = labels.NAMES + labels.names_height(info.topics, room)
    top = frame.TITLES + above
    figure = frame.figure(top + _ROW * len(info.rows), left=labels.name_margin(info.rows), top=top)
    high = float(np.nanmax([info.before, info.after], initial=0.0))
    for side, (word, lag) in enumerate(zip(words, (info.before, info.after), strict=True)):
        start = side * (width + 0.3)
        add_lag_cells(
            figure, lag, lag != 0, _texts(info, word, lag), word, x=start + np.arange(width)
        )
        look = {"yref": "paper", "yshift": above - labels.NAMES + 2, "yanchor": "bottom"}
        frame.label(
            figure,
            f"<b>{plain(word)}</b>",
            start - 0.5,
            1,
            color=(theme.CURRENT, theme.CANDIDATE)[side],
            **look,
        )
    places = np.concatenate((np.arange(width), np.arange(width) + width + 0.3))
    angle = -90 if labels.are_turned(info.topics, room) else 0
    topics = labels.axis_texts(info.topics) * 2
    figure.update_xaxes(
        side="top",
        tickvals=places,
        ticktext=topics,
        range=[-0.5, places[-1] + 0.5],
        tickangle=angle,
    )
    figure.update_yaxes(labels.row_axis(info.rows))
    figure.update_layout(margin_autoexpand=False, coloraxis=lag_axis(high, above + 8))
    marks = [UNKNOWN_MARK] * bool(np.isnan([info.before, info.after]).any())
    frame.title(
        figure,
        "Lag by member and topic",
        "mean per member; worst member before or after first",
        marks,
        shift=above + 40,
    )
    return figure
