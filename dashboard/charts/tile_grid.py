"""Owners after a change: kept, added and revoked tiles of every member, coloured by lag."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.tiles import ADDED, KEPT, REVOKED, Holdings, Tiles, partition_tiles, topic_tiles
from evenkeel.dashboard.charts.parts import axis_names, frame
from evenkeel.dashboard.charts.parts.lag_scale import lag_axis, text_colors
from evenkeel.dashboard.charts.parts.panel_names import panel_names
from evenkeel.dashboard.words.member_marks import STOPPED
from evenkeel.data.words.formats import compact, exact
from evenkeel.data.words.names import partition_name

MOST_PARTITIONS = 300
MOST_WIDTH = 46
"""Partitions side by side; beyond that a tile is too narrow for its number."""

_LEAST_WIDTH = 18
_FILL = 0.88
_OUTLINE_SHARE = 0.24
_BOX = {"bordercolor": theme.CANDIDATE, "borderwidth": 1.2, "borderpad": 2}
_OUTLINES = {KEPT: ("kept", theme.LINE, 1.0), ADDED: ("added", theme.ADDED, 2.6), REVOKED: ("revoked", theme.REVOKED, 1.6)}


def tile_grid(holdings: Holdings, names: Sequence[str], topics: Sequence[str], order: np.ndarray, above: int = 0) -> go.Figure:
    """Draw one tile for each partition of up to 300, if they fit side by side, else one for each topic of a member.

    The names of topics have at least `above` pixels: its rows stand beside those of its neighbour.
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
    figure = frame.figure(top + height * len(names), left=axis_names.name_margin(names), top=top)
    single = bool(tiles.topic_start)
    high = float(np.nanmax(tiles.lag, initial=0.0))
    widest_outline = _OUTLINE_SHARE * axis_names.WIDTH / max(tiles.width, 1)
    for kind, (word, color, width) in _OUTLINES.items():
        for known in (True, False):
            shown = (tiles.kind == kind) & (np.isnan(tiles.lag) != known)
            if shown.any():
                outline = {"color": color, "width": min(width, widest_outline)}
                _add_tiles(figure, tiles, shown, topics, word, outline, high if known else None)
    figure.update_layout(annotations=panels.notes)
    empty = np.setdiff1d(np.arange(len(names)), tiles.row[tiles.kind != REVOKED])
    for row in empty:
        start = float(max(tiles.start[tiles.row == row] + tiles.size[tiles.row == row], default=0.0))
        # A member that has stopped has its mark behind its name.
        if not names[row].endswith(STOPPED):
            frame.label(figure, "idle", start, row, color=theme.CANDIDATE, size=11, xshift=3, **_BOX)
    widest = max(tiles.width, _LEAST_WIDTH if single else 1.0)
    figure.update_xaxes(visible=False, range=[-0.05, widest * (1 if single else 1.02)])
    figure.update_yaxes(axis_names.row_axis(names))
    figure.update_layout(barmode="overlay", margin_autoexpand=False, coloraxis=lag_axis(high, above + 8))
    marks = [("■", theme.KEPT, "kept"), ("❐", theme.ADDED, "added"), ("▨", theme.REVOKED, "revoked")]
    frame.title(figure, "Owners after the switch", marks=marks, shift=above + 40)
    return figure


def _add_tiles(
    figure: go.Figure, tiles: Tiles, shown: np.ndarray, topics: Sequence[str], word: str, outline: dict, high: float | None
) -> None:
    """Add the tiles of one kind; `high` is the most lag of a tile, None if the lag of these is unknown."""
    revoked = word == "revoked"
    lag = tiles.lag[shown]
    share = np.sqrt(lag / high) if high else np.zeros(len(lag))
    names = [
        partition_name(topics[topic], number) if number >= 0 else topics[topic]
        for topic, number in zip(tiles.topic[shown], tiles.partition[shown], strict=True)
    ]
    sizes = [1 if number >= 0 else int(size) for number, size in zip(tiles.partition[shown], tiles.size[shown], strict=True)]
    by_lag = {"color": np.sqrt(lag), "coloraxis": "coloraxis"}
    fill = {"color": theme.PAPER} if revoked else {"color": theme.SURFACE} if high is None else by_lag
    pattern = {"shape": "/" if revoked else "", "fgcolor": outline["color"], "fgopacity": 0.35, "size": 6, "solidity": 0.15}
    counts = [f", {exact(size)} partitions" if size > 1 else "" for size in sizes]
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
        marker=fill | {"line": outline, "pattern": pattern},
        customdata=[exact(value) for value in lag],
        hovertext=[frame.plain(name) + counted for name, counted in zip(names, counts, strict=True)],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{word}<br>lag %{{customdata}}<extra></extra>",
    )


def _text(number: int, size: float, width: float) -> str:
    if number >= 0:
        return str(number)
    return compact(int(size)) if size > width * 0.03 else ""
