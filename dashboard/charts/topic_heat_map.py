"""Lag by member and topic, before and after: for groups with too many members or partitions for tiles."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from dashboard import theme
from dashboard.charts.numbers.tiles import ADDED, REVOKED, Holdings
from dashboard.charts.parts import frame, name_room
from dashboard.charts.parts.lag_scale import UNKNOWN_MARK, lag_axis, unknown_cells
from dashboard.words.formats import exact

SINGLE_ROWS = 15
MOST_TOPICS = 12
_ROW = 18
_WIDTH = 500
"""Pixels of the plot in a narrow window."""


class HeatMap(NamedTuple):
    """Rows are the worst members, then bands of ranks that double in size; columns the topics with the most lag, then all others.

    `before` and `after` float (rows, topics): known lag, mean of the members in the row; NaN where they have partitions and the lag of none is known.
    """

    rows: list[str]
    topics: list[str]
    before: np.ndarray
    after: np.ndarray


def topic_heat_map(holdings: Holdings, names: Sequence[str], topics: Sequence[str], order: np.ndarray, words: tuple[str, str]) -> go.Figure:
    """Draw two maps on one scale; `words` names the assignment before and after."""
    return _drawn(lag_by_topic(holdings, names, topics, order), words)


def lag_by_topic(holdings: Holdings, names: Sequence[str], topics: Sequence[str], order: np.ndarray) -> HeatMap:
    """Add up the known lag of each row and topic, members in `order`."""
    edges = _edges(len(order))
    row = np.empty(len(order), dtype=np.int64)
    row[order] = np.searchsorted(edges, np.arange(len(order)), side="right") - 1
    lag = np.nan_to_num(holdings.lag)
    heaviest = np.argsort(-np.bincount(holdings.topic, weights=lag, minlength=len(topics)), kind="stable")
    shown = heaviest[:MOST_TOPICS]
    column = np.full(len(topics), len(shown))
    column[shown] = np.arange(len(shown))
    width = len(shown) + (len(topics) > len(shown))
    cell, size = row[holdings.member] * width + column[holdings.topic], (len(edges) - 1) * width
    members = np.diff(edges)[:, None]
    before, after = (
        _sums(cell[held], holdings.lag[held], size).reshape(-1, width) / members
        for held in (holdings.kind != ADDED, holdings.kind != REVOKED)
    )
    columns = [topics[topic] for topic in shown] + [f"{exact(len(topics) - len(shown))} others"] * (width - len(shown))
    return HeatMap([_row_name(names, order, first, last) for first, last in zip(edges, edges[1:], strict=False)], columns, before, after)


def _sums(cell: np.ndarray, lag: np.ndarray, size: int) -> np.ndarray:
    known = ~np.isnan(lag)
    # Without any cell bincount returns whole numbers, which cannot hold NaN.
    sums = np.bincount(cell[known], weights=lag[known], minlength=size).astype(float)
    sums[np.setdiff1d(cell[~known], cell[known])] = np.nan
    return sums


def _edges(member_count: int) -> np.ndarray:
    """Ranks at which rows begin, and the end: single members, then bands twice as far each time."""
    edges, start = list(range(min(SINGLE_ROWS, member_count))), SINGLE_ROWS
    while start < member_count:
        edges.append(start)
        start *= 2
    return np.array([*edges, member_count])


def _row_name(names: Sequence[str], order: np.ndarray, first: int, last: int) -> str:
    return names[order[first]] if last - first == 1 else f"{exact(first + 1)}–{exact(last)}"


def _drawn(info: HeatMap, words: tuple[str, str]) -> go.Figure:
    width = len(info.topics)
    room = _WIDTH / (2 * width + 0.3)
    above = name_room.NAMES + name_room.names_height(info.topics, room)
    top = frame.TITLES + above
    figure = frame.figure(top + _ROW * len(info.rows), left=name_room.name_margin(info.rows), top=top)
    high = float(np.nanmax([info.before, info.after], initial=0.0))
    unknown = np.isnan([info.before, info.after])
    for side, (word, lag) in enumerate(zip(words, (info.before, info.after), strict=True)):
        start = side * (width + 0.3)
        texts = [
            [
                f"{frame.plain(row)}, {frame.plain(topic)}<br>{frame.plain(word)}: lag {exact(value)}"
                for topic, value in zip(info.topics, values, strict=True)
            ]
            for row, values in zip(info.rows, lag, strict=True)
        ]
        look = {
            "x": start + np.arange(width),
            "xgap": 2,
            "ygap": 2,
            "hoverongaps": False,
            "customdata": texts,
            "hovertemplate": "%{customdata}<extra></extra>",
        }
        figure.add_heatmap(z=np.where(lag > 0, np.sqrt(lag), np.nan), coloraxis="coloraxis", name=word, **look)
        unknown_cells(figure, unknown[side], **look)
        frame.label(
            figure,
            f"<b>{frame.plain(word)}</b>",
            start - 0.5,
            1,
            yref="paper",
            yshift=above - name_room.NAMES + 2,
            yanchor="bottom",
            color=(theme.CURRENT, theme.CANDIDATE)[side],
        )
    places = np.concatenate((np.arange(width), np.arange(width) + width + 0.3))
    figure.update_xaxes(
        side="top",
        tickvals=places,
        ticktext=[frame.plain(name_room.cut(topic)) for topic in info.topics] * 2,
        range=[-0.5, places[-1] + 0.5],
    )
    figure.update_xaxes(tickangle=-90 if name_room.are_turned(info.topics, room) else 0)
    figure.update_yaxes(
        tickvals=list(range(len(info.rows))),
        ticktext=[frame.plain(name_room.cut(name)) for name in info.rows],
        range=[len(info.rows) - 0.5, -0.5],
    )
    figure.update_layout(margin_autoexpand=False, coloraxis=lag_axis(high, above + 8))
    frame.title(
        figure, "Lag by member and topic", "mean of a member, worst of both first", [UNKNOWN_MARK] * bool(unknown.any()), shift=above + 40
    )
    return figure
