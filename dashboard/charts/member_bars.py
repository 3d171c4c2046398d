"""Lag and partitions of every member, now and with the candidate: two bars for each, for groups of up to 24."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.figures.balance import Balance
from evenkeel.dashboard import theme
from evenkeel.dashboard.charts import frame, labels
from evenkeel.dashboard.charts.frame import bar_lengths, load_marker
from evenkeel.dashboard.charts.labels import plain
from evenkeel.dashboard.charts.loads import OVER, Panel, Shown, add_value_panel, panels, side_marks
from evenkeel.data.words.names import elided

ROW = 26
MOST_MEMBERS = 24
_THICK = 0.36
_SPLIT = 0.025
_AROUND = 80
_LEAST_HEIGHT = 170


class MemberBars(NamedTuple):
    """Members in drawing order (rows of the group), their names, and the panels."""

    members: np.ndarray
    names: list[str]
    panels: list[Panel]
    candidate: str


def member_bars(
    names: Sequence[str], order: np.ndarray, current: Balance | None, candidate: Balance | None, candidate_name: str
) -> go.Figure:
    """Draw two panels on one member axis; `customdata` of a bar is the row of its member."""
    return _drawn(MemberBars(order, [names[member] for member in order], panels(current, candidate, order), candidate_name))


def _drawn(bars: MemberBars) -> go.Figure:
    names = [elided(name) for name in bars.names]
    figure = frame.figure(max(_AROUND + ROW * len(names), _LEAST_HEIGHT), labels.margin(names), 56, frame.TICKS)
    rows = np.arange(len(bars.names))
    texts = [
        note
        for panel, (axis, _) in zip(bars.panels, frame.X_AXES, strict=False)
        for side, load in enumerate(panel.loads)
        if load
        for note in _texts(load, rows, side, axis, panel.high)
    ]
    for panel, axes in zip(bars.panels, frame.X_AXES, strict=False):
        for side, load in enumerate(panel.loads):
            if load:
                _add_bars(figure, bars, load, side, axes[0], panel.high)
        add_value_panel(figure, panel, axes, [0, panel.high * 1.09], 5, "above")
    frame.legend(
        figure,
        [*side_marks(bars.panels[0], bars.candidate, "■"), ("▨", theme.MUTED, f"over {OVER}× fair share"), ("□", theme.MUTED, "idle")],
    )
    figure.update_yaxes(range=[len(rows) - 0.5, -0.6], tickvals=list(rows), ticktext=[plain(name) for name in names])
    # All at once: adding one text takes as long as all that are there.
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
        x=bar_lengths(load.values, load.idle, high),
        y=np.arange(len(bars.names)),
        width=_THICK,
        offset=(-_THICK - _SPLIT, _SPLIT)[side],
        customdata=bars.members,
        text=["idle, 0" if idle else text for idle, text in zip(load.idle, load.long(), strict=True)],
        textposition="none",
        hovertext=[plain(name) for name in bars.names],
        hovertemplate=f"<b>%{{hovertext}}</b><br>{plain(word)}: %{{text}} {noun}<extra></extra>",
        marker=load_marker(color, load.idle, load.over),
        # plotly fades all other bars once one is clicked.
        unselected={"marker": {"opacity": 1}},
    )


def _texts(load: Shown, rows: np.ndarray, side: int, axis: str, high: float) -> list[dict]:
    """Return the texts at the ends of bars, on the colour of the paper: the fair-share line does not cross them."""
    color, shift = (theme.CURRENT, theme.CANDIDATE)[side], (-1, 1)[side] * (_THICK / 2 + _SPLIT)
    look = {"xref": axis, "yref": "y", "xshift": 3, "borderpad": 0, "bgcolor": theme.PAPER, "height": 11, "size": frame.SMALLEST}
    ends = bar_lengths(np.nan_to_num(load.values), load.idle, high)
    words = ["idle" if idle else text for idle, text in zip(load.idle, load.short(), strict=True)]
    colors = [color if idle else theme.MUTED for idle in load.idle]
    return [frame.note(word, end, row + shift, color=tone, **look) for word, end, row, tone in zip(words, ends, rows, colors, strict=True)]
