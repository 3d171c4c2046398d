"""Lag and partitions, now and with the candidate, as the two ends of a line: a row of 14 to 19 pixels a member."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from assignors.balance import Balance
from dashboard import theme
from dashboard.charts import frame
from dashboard.charts.loads import Load, count_load, fair_shares, lag_load
from dashboard.charts.ticks import ticks
from dashboard.formats import compact, exact
from dashboard.names import elided

_PANELS = ((0.0, 0.615), (0.655, 1.0))


class Others(NamedTuple):
    """The members that have no row of their own: how many, and their mean now and with the candidate."""

    member_count: int
    current: float
    candidate: float


class Dumbbells(NamedTuple):
    """Members in drawing order, their names, pairs (current, candidate) for each panel, and who is left over."""

    members: np.ndarray
    names: list[str]
    panels: list[tuple[str, str, Load, Load]]
    others: Others | None
    candidate: str


def all_members(names: Sequence[str], order: np.ndarray, current: Balance, candidate: Balance, candidate_name: str) -> go.Figure:
    """Draw every member, lag and partitions side by side: for groups of 25 to 60."""
    lag = ("Lag per member", "records", lag_load(current, order), lag_load(candidate, order))
    partitions = ("Partitions per member", "", count_load(current, order), count_load(candidate, order))
    return _drawn(Dumbbells(order, [names[member] for member in order], [lag, partitions], None, candidate_name), 14)


def worst_members(names: Sequence[str], order: np.ndarray, current: Balance, candidate: Balance, candidate_name: str, most: int = 15) -> go.Figure:
    """Draw the lag of the first `most` of `order`, and the mean of the others in the last row."""
    return _drawn(worst(names, order, current, candidate, candidate_name, most), 20)


def worst(names: Sequence[str], order: np.ndarray, current: Balance, candidate: Balance, candidate_name: str, most: int) -> Dumbbells:
    """Collect the rows of `worst_members`."""
    first, rest = order[:most], order[most:]
    others = Others(len(rest), float(current.lag[rest].mean()), float(candidate.lag[rest].mean())) if len(rest) else None
    panel = (f"Worst {len(first)} members", "lag", lag_load(current, first), lag_load(candidate, first))
    return Dumbbells(first, [names[member] for member in first], [panel], others, candidate_name)


def _drawn(bells: Dumbbells, row: int) -> go.Figure:
    names = [frame.plain(elided(name)) for name in bells.names]
    if bells.others:
        names.append(f"{exact(bells.others.member_count)} others, mean")
    figure = frame.figure(72 + row * len(names))
    for index, (name, unit, current, candidate) in enumerate(bells.panels):
        axis = "x" if index == 0 else "x2"
        marks = [("■", theme.CURRENT, "current"), ("◆", theme.CANDIDATE, bells.candidate), ("□", theme.MUTED, "idle")] if index == 0 else []
        domain = _PANELS[index] if len(bells.panels) > 1 else (0.0, 1.0)
        high = _add_rows(figure, bells, current, candidate, axis)
        for value, _ in fair_shares(current, candidate):
            figure.add_shape(type="line", xref=axis, yref="paper", x0=value, x1=value, y0=0, y1=1, layer="below", line={"color": theme.INK, "width": 1.2, "dash": "dash"})
            frame.label(figure, f"fair share {compact(round(value, 1))}", value, 1, xref=axis, yref="paper", yanchor="bottom", xanchor="center" if value > 0.1 * high else "left", color=theme.INK)
        figure.update_layout({f"{axis[0]}axis{axis[1:]}": frame.value_axis(ticks(high, most=4), range=[-0.02 * high, high * 1.08], domain=domain, anchor="y", fixedrange=True, zeroline=False)})
        frame.title(figure, name, unit, marks, x=domain[0])
    figure.update_layout(xaxis2_tickfont={"color": theme.MUTED, "size": 11})
    figure.update_yaxes(range=[len(names) - 0.4, -0.6], tickvals=list(range(len(names))), ticktext=names, showgrid=True, gridcolor=theme.LINE)
    return figure


def _add_rows(figure: go.Figure, bells: Dumbbells, current: Load, candidate: Load, axis: str) -> float:
    mean = [(bells.others.current, bells.others.candidate)] if bells.others else []
    starts = np.concatenate((current.values, [now for now, _ in mean]))
    ends = np.concatenate((candidate.values, [after for _, after in mean]))
    rows = np.arange(len(starts))
    gaps = np.full(len(rows), np.nan)
    figure.add_scatter(
        x=np.column_stack((starts, ends, gaps)).ravel(), y=np.repeat(rows, 3), xaxis=axis, yaxis="y", mode="lines", name="change", line={"color": theme.KEPT, "width": 1.4}, hoverinfo="skip"
    )
    for word, color, symbol, load, values in (("current", theme.CURRENT, "square", current, starts), (bells.candidate, theme.CANDIDATE, "diamond", candidate, ends)):
        idle = np.concatenate((load.idle, np.zeros(len(mean), dtype=bool)))
        figure.add_scatter(
            x=values,
            y=rows,
            xaxis=axis,
            yaxis="y",
            mode="markers",
            name=word,
            customdata=np.concatenate((bells.members, [-1] * len(mean))),
            text=[f"{frame.plain(name)}<br>{frame.plain(word)}: {text}" for name, text in zip(bells.names, load.exact, strict=True)] + [exact(value) for value in values[len(load.exact) :]],
            hovertemplate="%{text}<extra></extra>",
            marker={"symbol": [symbol + "-open" if flag else symbol for flag in idle], "size": 9, "color": color, "line": {"width": 1.4, "color": color}},
            unselected={"marker": {"opacity": 1}},
        )
    return float(max(np.nanmax(np.concatenate((starts, ends, [1.0]))), 1.0))
