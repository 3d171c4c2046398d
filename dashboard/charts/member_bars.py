"""Lag and partitions of every member, now and with the candidate: two bars a member, for groups of up to 24."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from assignors.figures.balance import Balance
from dashboard import theme
from dashboard.charts.numbers.loads import Panel, Shown, fair_shares, panels
from dashboard.charts.parts import frame, name_room
from dashboard.charts.parts.fair_lines import add_fair_lines
from dashboard.charts.parts.ticks import ticks
from dashboard.words.names import elided

ROW = 26
MOST_MEMBERS = 24
_THICK = 0.36
_SPLIT = 0.025
_AROUND = 80
_LEAST_HEIGHT = 170
_IDLE_SHARE = 0.013


class MemberBars(NamedTuple):
    """Members in drawing order (rows of the group), their names, and what each panel shows."""

    members: np.ndarray
    names: list[str]
    panels: list[Panel]
    candidate: str


def member_bars(
    names: Sequence[str], order: np.ndarray, current: Balance | None, candidate: Balance | None, candidate_name: str
) -> go.Figure:
    """Draw two panels on one member axis; the points carry the member's row in `customdata`."""
    return _drawn(MemberBars(order, [names[member] for member in order], panels(current, candidate, order), candidate_name))


def _drawn(bars: MemberBars) -> go.Figure:
    names = [elided(name) for name in bars.names]
    figure = frame.figure(max(_AROUND + ROW * len(names), _LEAST_HEIGHT), name_room.margin(names), 56, frame.TICKS)
    rows = np.arange(len(bars.names))
    texts = [
        note
        for panel, (axis, _) in zip(bars.panels, frame.X_AXES, strict=False)
        for side, load in enumerate(panel.loads)
        if load
        for note in _texts(load, rows, side, axis, panel.high)
    ]
    for panel, (axis, axis_name) in zip(bars.panels, frame.X_AXES, strict=False):
        for side, load in enumerate(panel.loads):
            if load:
                _add_bars(figure, bars, load, side, axis, panel.high)
        add_fair_lines(figure, fair_shares(*panel.loads), axis, panel)
        figure.update_layout(
            {
                axis_name: frame.value_axis(
                    ticks(panel.high), range=[0, panel.high * 1.09], domain=panel.domain, anchor="y", fixedrange=True, zeroline=False
                )
            }
        )
        frame.title(figure, panel.title, panel.unit, x=panel.domain[0], shift=16)
    current = [("■", theme.CURRENT, "current")] * (bars.panels[0].loads[0] is not None)
    candidate = [("■", theme.CANDIDATE, bars.candidate)] * (bars.panels[0].loads[1] is not None)
    frame.legend(figure, [*current, *candidate, ("▨", theme.MUTED, "over 2× fair share"), ("□", theme.MUTED, "idle")])
    figure.update_yaxes(range=[len(rows) - 0.5, -0.6], tickvals=list(rows), ticktext=[frame.plain(name) for name in names])
    # Last: each text that is added by itself takes as long as all that are there.
    figure.layout.annotations = [*figure.layout.annotations, *texts]
    return figure


def _add_bars(figure: go.Figure, bars: MemberBars, load: Shown, side: int, axis: str, high: float) -> None:
    color, word = ((theme.CURRENT, "current"), (theme.CANDIDATE, bars.candidate))[side]
    noun = "partitions" if load.counts else "records"
    figure.add_bar(
        orientation="h",
        name=word,
        xaxis=axis,
        yaxis="y",
        x=np.where(load.idle, high * _IDLE_SHARE, load.values),
        y=np.arange(len(bars.names)),
        width=_THICK,
        offset=(-_THICK - _SPLIT, _SPLIT)[side],
        customdata=bars.members,
        text=["idle, 0" if idle else text for idle, text in zip(load.idle, load.long(), strict=True)],
        textposition="none",
        hovertext=[frame.plain(name) for name in bars.names],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{frame.plain(word)}: %{{text}} {noun}<extra></extra>",
        marker={
            "color": [theme.PAPER if idle else color for idle in load.idle],
            "cornerradius": 2,
            "line": {"color": color, "width": [1.4 if idle else 0 for idle in load.idle]},
            "pattern": {
                "shape": ["/" if over else "" for over in load.over],
                "fillmode": "overlay",
                "fgcolor": theme.PAPER,
                "fgopacity": 0.55,
                "size": 6,
                "solidity": 0.25,
            },
        },
        unselected={"marker": {"opacity": 1}},
    )


def _texts(load: Shown, rows: np.ndarray, side: int, axis: str, high: float) -> list[dict]:
    """On paper of their own, so that the fair-share line does not cross them."""
    color, shift = (theme.CURRENT, theme.CANDIDATE)[side], (-1, 1)[side] * (_THICK / 2 + _SPLIT)
    look = {"xref": axis, "yref": "y", "xshift": 3, "borderpad": 0, "bgcolor": theme.PAPER, "height": 11, "size": frame.SMALLEST}
    ends = np.where(load.idle, high * _IDLE_SHARE, np.nan_to_num(load.values))
    words = ["idle" if idle else text for idle, text in zip(load.idle, load.short(), strict=True)]
    colors = [color if idle else theme.MUTED for idle in load.idle]
    return [frame.note(word, end, row + shift, color=tone, **look) for word, end, row, tone in zip(words, ends, rows, colors, strict=True)]
