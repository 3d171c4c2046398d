"""Partitions of members after a change, as tiles. A tile is a partition, or a topic."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.dashboard import theme
from evenkeel.dashboard.moves.holdings import ADDED, KEPT, REVOKED, Holdings
from evenkeel.dashboard.names import STOPPED
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.frame import lag_axis, text_colors
from evenkeel.dashboard.parts.labels import plain
from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.data.text.formats import compact, exact

GAP = 1.0


class Tiles(NamedTuple):
    """Tiles of a figure. `row`: place of the member in drawing order. `start`, `size`: left end and
    width of a tile, in partitions.

    `topic_start`: left end of each topic's panel, empty if there are no panels. `width`: width of
    the widest row.
    """

    row: np.ndarray
    start: np.ndarray
    size: np.ndarray
    topic: np.ndarray
    partition: np.ndarray
    kind: np.ndarray
    lag: np.ndarray
    topic_start: dict[int, float]
    width: float


def partition_tiles(holdings: Holdings, order: np.ndarray) -> Tiles:
    """Return one tile for each partition. Each topic has a panel.

    In the row of a member, kept tiles are first, then added tiles, then revoked tiles. Tiles of one
    kind are sorted by partition number.
    """
    row = _rows(order)[holdings.member]
    by = np.lexsort((holdings.partition, holdings.kind, row, holdings.topic))
    member, topic = row[by], holdings.topic[by]
    place = _place_in_run(topic * (len(order) + 1) + member)
    topics = np.unique(topic)
    widest = [place[topic == topic_row].max() + 1 for topic_row in topics]
    starts = np.concatenate(([0.0], np.cumsum(np.array(widest, dtype=float) + GAP)))
    start_of = dict(zip(topics.tolist(), starts.tolist(), strict=False))
    start = np.array([start_of[topic_row] for topic_row in topic.tolist()]) + place
    width = max(float(starts[-1]) - GAP, 0.0)
    return Tiles(
        member,
        start,
        np.ones(len(by)),
        topic,
        holdings.partition[by],
        holdings.kind[by],
        holdings.lag[by],
        start_of,
        width,
    )


def topic_tiles(holdings: Holdings, order: np.ndarray) -> Tiles:
    """Return a tile for each topic and kind of a member's partitions. The width of a tile is the
    number of these partitions.

    `partition` is -1; `lag` is the sum of lags.
    """
    row = _rows(order)[holdings.member]
    key = np.stack((row, holdings.kind, holdings.topic))
    groups, which, size = np.unique(key, axis=1, return_inverse=True, return_counts=True)
    lag = np.bincount(which.ravel(), weights=holdings.lag, minlength=groups.shape[1])
    member, kind, topic = groups
    ends = np.cumsum(size)
    first = np.searchsorted(member, member)
    start = ends - size - (ends - size)[first]
    width = float((start + size).max()) if len(size) else 0.0
    return Tiles(
        member,
        start.astype(float),
        size.astype(float),
        topic,
        np.full(len(size), -1),
        kind,
        lag,
        {},
        width,
    )


def _rows(order: np.ndarray) -> np.ndarray:
    rows = np.empty(len(order), dtype=np.int64)
    rows[order] = np.arange(len(order))
    return rows


def _place_in_run(keys: np.ndarray) -> np.ndarray:
    first = (
        np.concatenate(([True], keys[1:] != keys[:-1])) if len(keys) else np.empty(0, dtype=bool)
    )
    starts = np.flatnonzero(first)
    return np.arange(len(keys)) - np.repeat(starts, np.diff(np.append(starts, len(keys))))


# Owners after a change: kept, added and revoked tiles of every member, coloured by lag.


MOST_PARTITIONS = 300
MOST_WIDTH = 46
"""Highest number of partitions side by side; with more, a tile is too narrow for its number."""

_LEAST_WIDTH = 18
_FILL = 0.88
_OUTLINE_SHARE = 0.24
_BOX = {"bordercolor": theme.CANDIDATE, "borderwidth": 1.2, "borderpad": 2}
_OUTLINES = {
    KEPT: ("kept", theme.LINE, 1.0),
    ADDED: ("added", theme.ADDED, 2.6),
    REVOKED: ("revoked", theme.REVOKED, 1.6),
}


def tile_grid(
    holdings: Holdings,
    names: Sequence[str],
    topics: Sequence[str],
    order: np.ndarray,
    above: int = 0,
) -> go.Figure:
    """Draw a tile for each partition, if there are at most 300 partitions that fit side by side.
    Otherwise draw a tile for each topic of a member.

    Topic names have a height of at least `above` pixels, so that the rows align with the figure
    next to them.
    """
    tiles = (
        partition_tiles(holdings, order) if len(holdings.member) <= 2 * MOST_PARTITIONS else None
    )
    if tiles is None or tiles.width > MOST_WIDTH:
        tiles = topic_tiles(holdings, order)
    return _drawn(tiles, [names[member] for member in order], topics, above)


ALL_TOPICS = -1
_NARROW_WIDTH, _LEAST_NARROW = 14, 8
"""Highest and lowest number of partitions side by side in a narrow window."""


def narrow_tiles(
    holdings: Holdings,
    names: Sequence[str],
    topics: Sequence[str],
    order: np.ndarray,
    topic: int,
) -> go.Figure:
    """Draw the tiles of one topic in a narrow window. If `topic` is `ALL_TOPICS`, draw a tile for
    each topic of a member.
    """
    is_shown = (holdings.topic == topic) | (topic == ALL_TOPICS)
    shown = Holdings(*(column[is_shown] for column in holdings))
    tiles = whole = topic_tiles(shown, order)
    if topic != ALL_TOPICS:
        each = partition_tiles(shown, order)
        whole = tiles._replace(topic_start={topic: 0.0})
        tiles = each if each.width <= _NARROW_WIDTH else whole
    # All topics use the same scale. A member without a partition of this topic may have partitions
    # of other topics.
    owners = np.flatnonzero(np.isin(order, holdings.member[holdings.kind != REVOKED]))
    high = float(np.nanmax(holdings.lag, initial=0.0)) if tiles is not whole else None
    return _drawn(
        tiles, [names[member] for member in order], topics, 0, _LEAST_NARROW, owners, high
    )


def _drawn(
    tiles: Tiles,
    names: list[str],
    topics: Sequence[str],
    above: int,
    least: float = _LEAST_WIDTH,
    owners: np.ndarray | None = None,
    high: float | None = None,
) -> go.Figure:
    """Draw the tiles. `owners`: row numbers of members with partitions. `high`: lag at the end of
    the colour scale, by default the highest lag of the tiles.
    """
    height = frame.row_height(len(names))
    panels = panel_names(tiles, topics)
    above = max(above, panels.height)
    top = frame.TITLES + above
    figure = frame.figure(top + height * len(names), left=labels.name_margin(names), top=top)
    single = bool(tiles.topic_start)
    if high is None:
        high = float(np.nanmax(tiles.lag, initial=0.0))
    if owners is None:
        owners = tiles.row[tiles.kind != REVOKED]
    widest_outline = _OUTLINE_SHARE * labels.WIDTH / max(tiles.width, 1)
    for kind, (word, color, width) in _OUTLINES.items():
        for known in (True, False):
            shown = (tiles.kind == kind) & (np.isnan(tiles.lag) != known)
            if shown.any():
                outline = {"color": color, "width": min(width, widest_outline)}
                _add_tiles(figure, tiles, shown, topics, word, outline, high if known else None)
    figure.update_layout(annotations=panels.notes)
    empty = np.setdiff1d(np.arange(len(names)), owners)
    for row in empty:
        start = float(
            max(tiles.start[tiles.row == row] + tiles.size[tiles.row == row], default=0.0)
        )
        # The mark of a stopped member is after its name.
        if not names[row].endswith(STOPPED):
            frame.label(
                figure, "idle", start, row, color=theme.CANDIDATE, size=11, xshift=3, **_BOX
            )
    widest = max(tiles.width, least if single else 1.0)
    figure.update_xaxes(visible=False, range=[-0.05, widest * (1 if single else 1.02)])
    figure.update_yaxes(labels.row_axis(names))
    figure.update_layout(
        barmode="overlay", margin_autoexpand=False, coloraxis=lag_axis(high, above + 8)
    )
    marks = [
        ("■", theme.KEPT, "kept"),
        ("❐", theme.ADDED, "added"),
        ("▨", theme.REVOKED, "revoked"),
    ]
    frame.title(figure, "Owners after the switch", marks=marks, shift=above + 40)
    return figure


def _add_tiles(
    figure: go.Figure,
    tiles: Tiles,
    shown: np.ndarray,
    topics: Sequence[str],
    word: str,
    outline: dict,
    high: float | None,
) -> None:
    """Add the tiles of one kind. `high`: highest lag of a tile, None if the lag of the tiles is
    unknown.
    """
    revoked = word == "revoked"
    lag = tiles.lag[shown]
    share = np.sqrt(lag / high) if high else np.zeros(len(lag))
    names = [
        partition_name(topics[topic], number) if number >= 0 else topics[topic]
        for topic, number in zip(tiles.topic[shown], tiles.partition[shown], strict=True)
    ]
    sizes = [
        1 if number >= 0 else int(size)
        for number, size in zip(tiles.partition[shown], tiles.size[shown], strict=True)
    ]
    by_lag = {"color": np.sqrt(lag), "coloraxis": "coloraxis"}
    fill = by_lag
    if revoked or high is None:
        fill = {"color": theme.PAPER if revoked else theme.SURFACE}
    pattern = {
        "shape": "/" if revoked else "",
        "fgcolor": outline["color"],
        "fgopacity": 0.35,
        "size": 6,
        "solidity": 0.15,
    }
    counts = [f", {exact(size)} partitions" if size > 1 else "" for size in sizes]
    figure.add_bar(
        orientation="h",
        name=word,
        y=tiles.row[shown],
        base=tiles.start[shown],
        x=tiles.size[shown] - (1 - _FILL),
        width=0.74,
        text=[
            _text(number, size, tiles.width)
            for number, size in zip(tiles.partition[shown], tiles.size[shown], strict=True)
        ],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        constraintext="none",
        textfont={"size": frame.SMALLEST, "color": theme.MUTED if revoked else text_colors(share)},
        marker=fill | {"line": outline, "pattern": pattern},
        customdata=[exact(value) for value in lag],
        hovertext=[plain(name) + counted for name, counted in zip(names, counts, strict=True)],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{word}<br>lag %{{customdata}}<extra></extra>",
    )


def _text(number: int, size: float, width: float) -> str:
    if number >= 0:
        return str(number)
    return compact(int(size)) if size > width * 0.03 else ""


# Names of topics above their panels: horizontal if every name has room, else vertical.


class PanelNames(NamedTuple):
    """Texts for `layout.annotations`, and their height in pixels."""

    notes: list[dict]
    height: int


def panel_names(tiles: Tiles, topics: Sequence[str]) -> PanelNames:
    """Return each topic's name with its number of partitions after the change. Empty if there are
    no panels.
    """
    starts = list(tiles.topic_start.values())
    named = [
        (
            labels.cut(topics[topic]),
            exact(int(tiles.size[(tiles.topic == topic) & (tiles.kind != REVOKED)].sum())),
        )
        for topic in tiles.topic_start
    ]
    lengths = [text_width(f"{name} {held}", bold=True) for name, held in named]
    places = _places(starts, lengths, labels.WIDTH / max(tiles.width, 1))
    turned = any(
        place + length > after
        for (place, after), length in zip(pairwise(places), lengths, strict=False)
    )
    last = len(starts) - 1
    notes = []
    for number, ((name, held), start) in enumerate(zip(named, starts, strict=True)):
        at_end = (
            number == last and not turned and places[number] < start * labels.WIDTH / tiles.width
        )
        look: dict = {"textangle": -90} if turned else {}
        if at_end:
            look = {"xanchor": "right"}
        x = tiles.width if at_end else start
        notes.append(
            frame.note(
                f"<b>{plain(name)}</b> {held}",
                x,
                1,
                yref="paper",
                yshift=6,
                yanchor="bottom",
                color=theme.INK,
            )
            | look
        )
    return PanelNames(notes, 8 + round(max(lengths)) if turned else labels.NAMES)


def _places(starts: Sequence[float], lengths: Sequence[float], unit: float) -> list[float]:
    """Return the left end of each name in pixels. A name starts at the left end of its panel.

    The last name is moved to the left if it does not fit.
    """
    places = [start * unit for start in starts]
    return [*places[:-1], max(min(places[-1], labels.WIDTH - lengths[-1]), 0)] if places else []
