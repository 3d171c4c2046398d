"""Lag of every member by rank, now and with the candidate: for groups with more members than bars can show."""

import numpy as np
import plotly.graph_objects as go

from assignors.balance import Balance
from dashboard import theme
from dashboard.charts import frame
from dashboard.charts.loads import fair_shares, lag_load
from dashboard.charts.ticks import ticks
from dashboard.formats import exact

HEIGHT = 392
_POINTS = 300


def rank_curve(current: Balance, candidate: Balance, candidate_name: str) -> go.Figure:
    """Draw two stepped lines over the rank, worst first; each line is sorted for itself."""
    return _drawn(
        *(_curve(side) for side in (current, candidate)),
        candidate_name,
        fair_shares(*(lag_load(side, np.arange(len(side.lag))) for side in (current, candidate))),
    )


def thinned_ranks(member_count: int) -> np.ndarray:
    """Return at most 300 ranks from 1 to `member_count`, dense where the worst are: the axis is logarithmic."""
    return np.unique(np.geomspace(1, max(member_count, 1), _POINTS).round().astype(np.int64))


def _curve(balance: Balance) -> tuple[np.ndarray, np.ndarray]:
    ranks = thinned_ranks(len(balance.lag))
    return ranks, np.sort(balance.lag)[::-1][ranks - 1]


def _drawn(current: tuple, candidate: tuple, candidate_name: str, shares: list[tuple[float, str]]) -> go.Figure:
    figure = frame.figure(HEIGHT)
    high = float(max(current[1][0], candidate[1][0], 1))
    members, third = int(current[0][-1]), min(2, len(current[0]) - 1)
    for name, color, (ranks, lag) in (("current", theme.CURRENT, current), (candidate_name, theme.CANDIDATE, candidate)):
        figure.add_scatter(
            x=ranks,
            y=lag,
            name=name,
            mode="lines",
            line={"color": color, "width": 2, "shape": "hv"},
            fill="tozeroy" if name == "current" else None,
            fillcolor=theme.SURFACE,
            text=[exact(value) for value in lag],
            hovertemplate=f"{frame.plain(name)}, rank %{{x:,}}<br>%{{text}} records<extra></extra>",
        )
        upper = lag[third] >= max(current[1][third], candidate[1][third])
        frame.label(
            figure, f"<b>{frame.plain(name)}</b>", np.log10(ranks[third]), lag[third], color=color, size=12, yanchor="bottom" if upper else "top", xshift=8
        )
    for value, text in shares:
        figure.add_hline(y=value, line=frame.FAIR)
        frame.label(figure, text, 1, value, xref="paper", xanchor="right", yanchor="bottom", color=theme.INK)
    decades = [10**power for power in range(1, 7) if 10**power <= members]
    texts = ["worst"] + [f"{decade:,}th" for decade in decades]
    figure.update_xaxes(
        frame.value_axis(
            ([1, *decades], texts), type="log", range=[0, np.log10(max(members, 2))], title_text="Members by lag, worst first (log)", title_standoff=4
        )
    )
    figure.update_yaxes(frame.value_axis(ticks(high), range=[0, high * 1.05]))
    frame.title(figure, "Lag per member", "records, worst first")
    return figure
