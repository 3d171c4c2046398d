"""Lag and partitions, now and with the candidate, as the two ends of a line: one low row for each member."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.figures.balance import Balance
from evenkeel.dashboard import theme
from evenkeel.dashboard.charts.numbers.dumbbell_rows import Dumbbells, worst
from evenkeel.dashboard.charts.numbers.loads import Shown, panels
from evenkeel.dashboard.charts.parts import axis_names, frame
from evenkeel.dashboard.charts.parts.value_panel import add_value_panel, side_marks
from evenkeel.data.words.formats import exact
from evenkeel.data.words.names import elided


def all_members(
    names: Sequence[str], order: np.ndarray, current: Balance | None, candidate: Balance | None, candidate_name: str
) -> go.Figure:
    """Draw every member, lag and partitions side by side: for groups of 25 to 60."""
    return _drawn(Dumbbells(order, [names[member] for member in order], panels(current, candidate, order), None, candidate_name), 14)


def worst_members(
    names: Sequence[str], order: np.ndarray, current: Balance | None, candidate: Balance, candidate_name: str, most: int = 15
) -> go.Figure:
    """Draw the lag of the members that are worst now or with the candidate, `most` in all, and the mean of the others in the last row."""
    return _drawn(worst(names, order, current, candidate, candidate_name, most), 20)


def _drawn(bells: Dumbbells, row: int) -> go.Figure:
    names = [elided(name) for name in bells.names]
    if bells.others:
        names.append(f"{exact(bells.others.member_count)} others, mean")
    figure = frame.figure(72 + row * len(names), axis_names.margin(names), 56, frame.TICKS)
    for panel, axes in zip(bells.panels, frame.X_AXES, strict=False):
        _add_rows(figure, bells, panel.loads, axes[0])
        add_value_panel(figure, panel, axes, [-0.02 * panel.high, panel.high * 1.08], 4, "below")
    frame.legend(figure, [*side_marks(bells.panels[0], bells.candidate, "◆"), ("□", theme.MUTED, "idle")])
    texts = [frame.plain(name) for name in names]
    rows = {"range": [len(names) - 0.4, -0.6], "tickvals": list(range(len(names))), "ticktext": texts}
    figure.update_yaxes(rows, showgrid=True, gridcolor=theme.LINE)
    return figure


def _add_rows(figure: go.Figure, bells: Dumbbells, loads: tuple[Shown | None, Shown | None], axis: str) -> None:
    means = (bells.others.current, bells.others.candidate) if bells.others else ()
    rows = np.arange(len(bells.names) + bool(means))
    ends = [np.append(load.values, means[side : side + 1]) if load else np.full(len(rows), np.nan) for side, load in enumerate(loads)]
    figure.add_scatter(
        # A NaN behind each pair ends its line: one trace draws the lines of all members.
        x=np.column_stack((*ends, np.full(len(rows), np.nan))).ravel(),
        y=np.repeat(rows, 3),
        xaxis=axis,
        yaxis="y",
        mode="lines",
        name="change",
        line={"color": theme.KEPT, "width": 1.4},
        hoverinfo="skip",
    )
    sides = (("current", theme.CURRENT, "square"), (bells.candidate, theme.CANDIDATE, "diamond"))
    for (word, color, symbol), load, values in zip(sides, loads, ends, strict=True):
        if load is None:
            continue
        symbols = [f"{symbol}-open" if idle else symbol for idle in load.idle] + [symbol] * bool(means)
        texts = [
            f"{frame.plain(name)}<br>{frame.plain(word)}: {'idle, ' if idle else ''}{text}"
            for name, text, idle in zip(bells.names, load.long(), load.idle, strict=True)
        ]
        figure.add_scatter(
            x=values,
            y=rows,
            xaxis=axis,
            yaxis="y",
            mode="markers",
            name=word,
            customdata=np.append(bells.members, [-1] * bool(means)),
            text=texts + [f"mean of the others<br>{frame.plain(word)}: {exact(value)}" for value in values[len(texts) :]],
            hovertemplate="%{text}<extra></extra>",
            marker={"symbol": symbols, "size": 9, "color": color, "line": {"width": 1.4, "color": color}},
            unselected={"marker": {"opacity": 1}},
        )
