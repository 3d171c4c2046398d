"""Lag and partitions of every member, now and with the candidate: two bars a member, for groups of up to 24."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from assignors.balance import Balance
from dashboard import theme
from dashboard.charts import frame
from dashboard.charts.loads import Load, count_load, fair_shares, lag_load
from dashboard.charts.ticks import ticks
from dashboard.names import elided

ROW = 27
MOST_MEMBERS = 24
_PANELS = ((0.0, 0.615), (0.655, 1.0))
_THICK = 0.4
_IDLE_SHARE = 0.013


class MemberBars(NamedTuple):
    """Members in drawing order (rows of the group), their names, and (current, candidate) for lag and for partitions."""

    members: np.ndarray
    names: list[str]
    lag: tuple[Load, Load]
    partitions: tuple[Load, Load]
    candidate: str


def member_bars(names: Sequence[str], order: np.ndarray, current: Balance, candidate: Balance, candidate_name: str) -> go.Figure:
    """Draw two panels on one member axis; the points carry the member's row in `customdata`."""
    return _drawn(member_loads(names, order, current, candidate, candidate_name))


def member_loads(names: Sequence[str], order: np.ndarray, current: Balance, candidate: Balance, candidate_name: str) -> MemberBars:
    """Collect what the bars show, in `order`."""
    both = (current, candidate)
    lag, partitions = tuple(lag_load(side, order) for side in both), tuple(count_load(side, order) for side in both)
    return MemberBars(order, [names[member] for member in order], lag, partitions, candidate_name)


def _drawn(bars: MemberBars) -> go.Figure:
    figure = frame.figure(68 + ROW * len(bars.names))
    rows = np.arange(len(bars.names))
    words = ("current", bars.candidate)
    for panel, (loads, noun) in enumerate(((bars.lag, "records"), (bars.partitions, "partitions")), start=1):
        axis = "x" if panel == 1 else "x2"
        high = max([1.0] + [float(np.nanmax(load.values)) for load in loads if np.isfinite(load.values).any()])
        for side, load in enumerate(loads):
            _add_bars(figure, bars, load, side, axis, high, f"{words[side]}: %{{text}} {noun}")
            _add_texts(figure, load, rows, side, axis, high)
        _add_fair_shares(figure, loads, axis, high)
        start, stop = _PANELS[panel - 1]
        name = "xaxis" if panel == 1 else "xaxis2"
        figure.update_layout({name: frame.value_axis(ticks(high), range=[0, high * 1.09], domain=[start, stop], anchor="y", fixedrange=True, zeroline=False)})
    figure.update_layout(xaxis2_tickfont={"color": theme.MUTED, "size": 11})
    figure.update_yaxes(range=[len(rows) - 0.5, -0.6], tickvals=list(rows), ticktext=[frame.plain(elided(name)) for name in bars.names])
    marks = [("■", theme.CURRENT, "current"), ("■", theme.CANDIDATE, bars.candidate), ("▨", theme.MUTED, "over 2× fair share"), ("□", theme.MUTED, "idle")]
    frame.title(figure, "Lag per member", "records", marks)
    frame.title(figure, "Partitions per member", x=_PANELS[1][0])
    return figure


def _add_bars(figure: go.Figure, bars: MemberBars, load: Load, side: int, axis: str, high: float, hover: str) -> None:
    color = (theme.CURRENT, theme.CANDIDATE)[side]
    figure.add_bar(
        orientation="h",
        name=("current", bars.candidate)[side],
        xaxis=axis,
        yaxis="y",
        x=np.where(load.idle, high * _IDLE_SHARE, load.values),
        y=np.arange(len(bars.names)),
        width=_THICK,
        offset=(-_THICK, 0)[side],
        customdata=bars.members,
        text=["idle, 0" if idle else text for idle, text in zip(load.idle, load.exact, strict=True)],
        textposition="none",
        hovertext=[frame.plain(name) for name in bars.names],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{frame.plain(hover)}<extra></extra>",
        marker={
            "color": [theme.PAPER if idle else color for idle in load.idle],
            "line": {"color": color, "width": [1.4 if idle else 0 for idle in load.idle]},
            "pattern": {"shape": ["/" if over else "" for over in load.over], "fillmode": "overlay", "fgcolor": theme.PAPER, "fgopacity": 0.55, "size": 6, "solidity": 0.25},
        },
        unselected={"marker": {"opacity": 1}},
    )


def _add_texts(figure: go.Figure, load: Load, rows: np.ndarray, side: int, axis: str, high: float) -> None:
    color = (theme.CURRENT, theme.CANDIDATE)[side]
    for row, value, text, idle in zip(rows, load.values, load.text, load.idle, strict=True):
        frame.label(
            figure,
            "idle" if idle else text,
            high * _IDLE_SHARE if idle else np.nan_to_num(value),
            row + (-_THICK / 2, _THICK / 2)[side],
            xref=axis,
            yref="y",
            xshift=3,
            borderpad=0,
            bgcolor=theme.PAPER,
            size=frame.SMALLEST,
            color=color if idle else theme.MUTED,
        )


def _add_fair_shares(figure: go.Figure, loads: Sequence[Load], axis: str, high: float) -> None:
    for value, text in fair_shares(*loads):
        figure.add_shape(type="line", xref=axis, yref="paper", x0=value, x1=value, y0=0, y1=1, line={"color": theme.INK, "width": 1.2, "dash": "dash"})
        centred = 0.1 * high < value < 0.9 * high
        frame.label(figure, text, value, 1, xref=axis, yref="paper", xanchor="center" if centred else "left" if value < high / 2 else "right", yanchor="bottom", size=11, color=theme.INK)
