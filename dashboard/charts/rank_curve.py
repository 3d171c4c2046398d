"""Lag of every member by rank, now and with the candidate: for groups with more members than bars can show."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.figures.balance import Balance
from evenkeel.dashboard import theme
from evenkeel.dashboard.charts import frame, labels
from evenkeel.dashboard.charts.labels import plain, ticks
from evenkeel.dashboard.charts.loads import Shown, fair_shares, joined_shares, lag_load

_POINTS = 300
_LEGEND = 3
"""Pixels of the legend above the plot, below the title."""


class Curve(NamedTuple):
    """One assignment: ranks from 1, the lag of the member at each, and its text."""

    ranks: np.ndarray
    lag: np.ndarray
    texts: list[str]


def rank_curve(current: Balance | None, candidate: Balance, candidate_name: str) -> go.Figure:
    """Draw two stepped lines over the rank, worst first; each is sorted by its own lag."""
    loads = [side and lag_load(side, np.arange(len(side.lag))) for side in (current, candidate)]
    return _drawn([_curve(load) for load in loads], candidate_name, fair_shares(*loads), len(candidate.lag))


def thinned_ranks(member_count: int) -> np.ndarray:
    """Return at most 300 ranks from 1 to `member_count`, dense at the worst members: the axis is logarithmic."""
    return np.unique(np.geomspace(1, max(member_count, 1), _POINTS).round().astype(np.int64))


def _curve(load: Shown | None) -> Curve:
    """Sort members by lag; leave out those with unknown lag."""
    if load is None:
        return Curve(np.empty(0), np.empty(0), [])
    order = np.argsort(-load.values, kind="stable")[: np.isfinite(load.values).sum()]
    ranks = thinned_ranks(len(order))[: len(order)]
    members = order[ranks - 1]
    return Curve(ranks, load.values[members], load.long(members))


def _drawn(curves: Sequence[Curve], candidate_name: str, shares: list[tuple[float, str]], members: int) -> go.Figure:
    high = float(max(1, *(curve.lag.max(initial=0) for curve in curves)))
    upwards = ticks(high)
    figure = frame.figure(frame.LARGE_GROUP, labels.margin(upwards[1]), bottom=frame.TITLED)
    looks = (("current", theme.CURRENT), (candidate_name, theme.CANDIDATE))
    named = [(name, color, curve) for (name, color), curve in zip(looks, curves, strict=True) if curve.lag.size]
    for name, color, curve in named:
        _add_curve(figure, curve, name, color)
    _add_fair_shares(figure, shares)
    decades = [10**power for power in range(1, 7) if 10**power <= members]
    texts = ["worst"] + [f"{decade:,}th" for decade in decades]
    figure.update_xaxes(
        frame.value_axis(
            ([1, *decades], texts),
            type="log",
            range=[0, np.log10(max(members, 2))],
            title_text="Members by lag, worst first (log)",
            title_standoff=4,
        )
    )
    figure.update_yaxes(frame.value_axis(upwards, range=[0, high * 1.05]))
    frame.title(figure, "Lag per member", "records, worst first")
    # Beside a line a name would cover the other line, or the fair share.
    frame.legend(figure, [("■", color, name) for name, color, _ in named], _LEGEND)
    return figure


def _add_curve(figure: go.Figure, curve: Curve, name: str, color: str) -> None:
    ranks, lag, texts = curve
    figure.add_scatter(
        x=ranks,
        y=lag,
        name=name,
        mode="lines",
        line={"color": color, "width": 2, "shape": "hv"},
        fill="tozeroy" if name == "current" else None,
        fillcolor=theme.SURFACE,
        text=texts,
        hovertemplate=f"{plain(name)}, rank %{{x:,}}<br>%{{text}} records<extra></extra>",
    )


def _add_fair_shares(figure: go.Figure, shares: list[tuple[float, str]]) -> None:
    for value, _ in shares:
        figure.add_hline(y=value, line=frame.FAIR)
    joined = joined_shares(shares)
    if joined:
        value, text = joined
        frame.label(figure, text, 1, value, xref="paper", xanchor="right", yanchor="bottom", color=theme.INK)
