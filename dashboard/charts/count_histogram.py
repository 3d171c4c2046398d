"""How many members have how many partitions, now and with the candidate: for large groups."""

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from assignors.balance import Balance
from dashboard import theme
from dashboard.charts import frame
from dashboard.charts.ticks import ticks
from dashboard.formats import exact

HEIGHT = 392
MOST_BINS = 24


class Histogram(NamedTuple):
    """`first` and `last` partitions of each bin, whole numbers; members in it now and with the candidate; idle members of both."""

    first: np.ndarray
    last: np.ndarray
    current: np.ndarray
    candidate: np.ndarray
    idle: tuple[int, int]


def count_histogram(current: Balance | None, candidate: Balance, candidate_name: str) -> go.Figure:
    """Draw two bars a bin, one where nobody knows who owns what now."""
    return _drawn(bins(current.partition_count if current else np.empty(0, dtype=np.int64), candidate.partition_count), candidate_name)


def bins(current: np.ndarray, candidate: np.ndarray) -> Histogram:
    """Count members by partitions in at most 24 bins of equal whole width, from 0 to the largest count."""
    high = int(max(current.max(initial=0), candidate.max(initial=0)))
    width = max(-(-(high + 1) // MOST_BINS), 1)
    edges = np.arange(0, high + width + 1, width)
    counted = [np.histogram(counts, edges)[0] for counts in (current, candidate)]
    return Histogram(edges[:-1], edges[1:] - 1, *counted, (int((current == 0).sum()), int((candidate == 0).sum())))


def _drawn(info: Histogram, candidate_name: str) -> go.Figure:
    figure = frame.figure(HEIGHT)
    width = info.last[0] + 1 - info.first[0]
    names = [exact(a) if a == b else f"{exact(a)} to {exact(b)}" for a, b in zip(info.first, info.last, strict=True)]
    for side, (name, color, counts) in enumerate((("current", theme.CURRENT, info.current), (candidate_name, theme.CANDIDATE, info.candidate))):
        if not counts.any():
            continue
        figure.add_bar(
            x=info.first + (width - 1) / 2,
            y=counts,
            name=name,
            width=0.4 * width,
            offset=(-0.4 * width, 0)[side],
            marker={"color": color},
            text=names,
            textposition="none",
            hovertemplate=f"{frame.plain(name)}: %{{y:,}} members<br>with %{{text}} partitions<extra></extra>",
        )
    high = float(max(info.current.max(), info.candidate.max()))
    for idle, color, rise in ((info.idle[0], theme.CURRENT, 34), (info.idle[1], theme.CANDIDATE, 52)):
        if idle:
            figure.add_annotation(
                x=0,
                y=0,
                ax=22,
                ay=-rise,
                text=f"{exact(idle)} idle",
                font={"size": 11, "color": color},
                arrowcolor=color,
                arrowwidth=1,
                arrowhead=0,
                xanchor="left",
            )
    end = float(info.last[-1])
    figure.update_xaxes(
        frame.value_axis(ticks(end, most=4), range=[-width, end + width / 2], title_text="Partitions of a member", title_standoff=4, showgrid=False)
    )
    figure.update_yaxes(frame.value_axis(ticks(high), range=[0, high * 1.05]))
    frame.title(figure, "Partitions per member", "number of members")
    return figure
