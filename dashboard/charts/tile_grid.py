"""Who owns what after a change: kept, added and revoked tiles of every member, coloured by lag."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard import theme
from dashboard.charts.numbers.tiles import ADDED, KEPT, REVOKED, Holdings, Tiles, partition_tiles, topic_tiles
from dashboard.charts.parts import frame, name_room
from dashboard.charts.parts.lag_scale import lag_axis, text_colors
from dashboard.charts.parts.panel_names import WIDTH, panel_names
from dashboard.words.formats import compact, exact
from dashboard.words.names import partition_name

MOST_PARTITIONS = 300
MOST_WIDTH = 46
"""Partitions side by side before a tile is too narrow for its number."""

_LEAST_WIDTH = 18
_FILL = 0.88
_OUTLINE_SHARE = 0.24
_OUTLINES = {KEPT: ("kept", theme.LINE, 1.0), ADDED: ("added", theme.ADDED, 2.6), REVOKED: ("revoked", theme.REVOKED, 1.6)}


def tile_grid(holdings: Holdings, names: Sequence[str], topics: Sequence[str], order: np.ndarray, above: int = 0) -> go.Figure:
    """Draw one tile a partition up to 300 partitions, as long as they fit side by side, else one tile for each topic of a member.

    At least `above` pixels are for the names of topics, so that it lines up with its neighbour.
    """
    tiles = partition_tiles(holdings, order) if len(holdings.member) <= 2 * MOST_PARTITIONS else None
    if tiles is None or tiles.width > MOST_WIDTH:
        tiles = topic_tiles(holdings, order)
    return _drawn(tiles, [names[member] for member in order], topics, above)


def _drawn(tiles: Tiles, names: list[str], topics: Sequence[str], above: int) -> go.Figure:
    height = frame.row_height(len(names))
    panels = panel_names(tiles, topics)
    above = max(above, panels.height)
    top = frame.TITLES + above
    figure = frame.figure(top + height * len(names), left=name_room.name_margin(names), top=top)
    single = bool(tiles.topic_start)
    high = float(np.nanmax(tiles.lag, initial=0.0))
    for kind, (word, color, width) in _OUTLINES.items():
        for known in (True, False):
            shown = (tiles.kind == kind) & (np.isnan(tiles.lag) != known)
            if shown.any():
                _add_tiles(
                    figure,
                    tiles,
                    shown,
                    topics,
                    word,
                    color,
                    min(width, _OUTLINE_SHARE * WIDTH / max(tiles.width, 1)),
                    high if known else None,
                )
    figure.update_layout(annotations=panels.notes)
    empty = np.setdiff1d(np.arange(len(names)), tiles.row[tiles.kind != REVOKED])
    for row in empty:
        start = float(max(tiles.start[tiles.row == row] + tiles.size[tiles.row == row], default=0.0))
        frame.label(
            figure, "idle", start, row, color=theme.CANDIDATE, size=11, bordercolor=theme.CANDIDATE, borderwidth=1.2, borderpad=2, xshift=3
        )
    widest = max(tiles.width, _LEAST_WIDTH if single else 1.0)
    figure.update_xaxes(visible=False, range=[-0.05, widest * (1 if single else 1.02)])
    figure.update_yaxes(
        range=[len(names) - 0.5, -0.5], tickvals=list(range(len(names))), ticktext=[frame.plain(name_room.cut(name)) for name in names]
    )
    figure.update_layout(barmode="overlay", margin_autoexpand=False, coloraxis=lag_axis(high, above + 8))
    marks = [("■", theme.KEPT, "kept"), ("❐", theme.ADDED, "added"), ("▨", theme.REVOKED, "revoked")]
    frame.title(figure, "Owners after the switch", marks=marks, shift=above + 40)
    return figure


def _add_tiles(
    figure: go.Figure, tiles: Tiles, shown: np.ndarray, topics: Sequence[str], word: str, color: str, width: float, high: float | None
) -> None:
    revoked = word == "revoked"
    lag = tiles.lag[shown]
    share = np.sqrt(lag / high) if high else np.zeros(len(lag))
    names = [
        partition_name(topics[topic], number) if number >= 0 else topics[topic]
        for topic, number in zip(tiles.topic[shown], tiles.partition[shown], strict=True)
    ]
    sizes = [1 if number >= 0 else int(size) for number, size in zip(tiles.partition[shown], tiles.size[shown], strict=True)]
    fill = (
        {"color": theme.PAPER if revoked else theme.SURFACE}
        if revoked or high is None
        else {"color": np.sqrt(lag), "coloraxis": "coloraxis"}
    )
    figure.add_bar(
        orientation="h",
        name=word,
        y=tiles.row[shown],
        base=tiles.start[shown],
        x=tiles.size[shown] - (1 - _FILL),
        width=0.74,
        text=[_text(number, size, tiles.width) for number, size in zip(tiles.partition[shown], tiles.size[shown], strict=True)],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        constraintext="none",
        textfont={"size": frame.SMALLEST, "color": theme.MUTED if revoked else text_colors(share)},
        marker=fill
        | {
            "line": {"color": color, "width": width},
            "pattern": {"shape": "/" if revoked else "", "fgcolor": color, "fgopacity": 0.35, "size": 6, "solidity": 0.15},
        },
        customdata=[exact(value) for value in lag],
        hovertext=[
            f"{frame.plain(name)}" + (f", {exact(size)} partitions" if size > 1 else "") for name, size in zip(names, sizes, strict=True)
        ],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{word}<br>lag %{{customdata}}<extra></extra>",
    )


def _text(number: int, size: float, width: float) -> str:
    if number >= 0:
        return str(number)
    return compact(int(size)) if size > width * 0.03 else ""
