"""Figures of large groups: lag of every member, by rank; and number of members, by the number of
their partitions.
"""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.compare.balance import Balance
from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.labels import plain, ticks
from evenkeel.dashboard.parts.loads import LoadValues, fair_shares, joined_shares, lag_load
from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.data.scenarios.run.seeds import SEEDS, spread
from evenkeel.data.text.formats import compact, exact

_POINTS = 300
_LEGEND = 3
"""Distance of the legend above the plot, in pixels."""


class Curve(NamedTuple):
    """One assignment as a line. `ranks`: counted from 1. `lag`, `texts`: lag of the member with
    each rank, and text for this member.
    """

    ranks: np.ndarray
    lag: np.ndarray
    texts: list[str]


def rank_curve(current: Balance | None, candidate: Balance, candidate_name: str) -> go.Figure:
    """Draw the lag by rank as a stepped line for each assignment, worst member first.

    Each assignment has its own order of members.
    """
    loads = [side and lag_load(side, np.arange(len(side.lag))) for side in (current, candidate)]
    return _drawn(
        [_curve(load) for load in loads], candidate_name, fair_shares(*loads), len(candidate.lag)
    )


def thinned_ranks(member_count: int) -> np.ndarray:
    """Return at most 300 ranks from 1 to `member_count`.

    Most of these ranks are at the worst members, because the axis is logarithmic.
    """
    return np.unique(np.geomspace(1, max(member_count, 1), _POINTS).round().astype(np.int64))


def _curve(load: LoadValues | None) -> Curve:
    """Return the members with known lag, sorted by lag."""
    if load is None:
        return Curve(np.empty(0), np.empty(0), [])
    order = np.argsort(-load.values, kind="stable")[: np.isfinite(load.values).sum()]
    ranks = thinned_ranks(len(order))[: len(order)]
    members = order[ranks - 1]
    return Curve(ranks, load.values[members], load.long(members))


def _drawn(
    curves: Sequence[Curve], candidate_name: str, shares: list[tuple[float, str]], members: int
) -> go.Figure:
    high = float(max(1, *(curve.lag.max(initial=0) for curve in curves)))
    upwards = ticks(high)
    figure = frame.figure(frame.LARGE_GROUP, labels.margin(upwards[1]), bottom=frame.TITLED)
    looks = (("current", theme.CURRENT), (candidate_name, theme.CANDIDATE))
    named = [
        (name, color, curve)
        for (name, color), curve in zip(looks, curves, strict=True)
        if curve.lag.size
    ]
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
    # A name next to a line would cover the other line or the fair share.
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
        frame.label(
            figure, text, 1, value, xref="paper", xanchor="right", yanchor="bottom", color=theme.INK
        )


# For large groups: histogram of members by their number of partitions, now and with the candidate.


MOST_BINS = 24
MOST_COUNTS = 12
_LEAST_PLACES = 6
_AIR = 8
NARROW = 190
"""Narrowest width of the plot, in pixels."""


class Histogram(NamedTuple):
    """Number of members in each bin, now and with the candidate. The members of a bin have `first`
    to `last` partitions.
    """

    first: np.ndarray
    last: np.ndarray
    current: np.ndarray
    candidate: np.ndarray


def count_histogram(current: Balance | None, candidate: Balance, candidate_name: str) -> go.Figure:
    """Draw two bars for each bin: now and with the candidate. If the current owners are unknown,
    draw only the candidate.
    """
    now = current.partition_count if current else np.empty(0, dtype=np.int64)
    return _drawn_histogram(bins(now, candidate.partition_count), candidate_name)


def bins(current: np.ndarray, candidate: np.ndarray) -> Histogram:
    """Count members by their number of partitions.

    If there are at most 12 distinct numbers, each number has its own bin. If there are more, all
    bins have the same width, and idle members have their own bin.
    """
    counts = np.union1d(current, candidate)
    is_exact = len(counts) <= MOST_COUNTS
    edges = (
        np.append(counts, counts[-1] + 1)
        if is_exact
        else _edges(int(counts[counts > 0][0]), int(counts[-1]), counts[0] == 0)
    )
    counted = [np.histogram(side, edges)[0] for side in (current, candidate)]
    first = edges[:-1]
    return Histogram(first, first if is_exact else np.where(first == 0, 0, edges[1:] - 1), *counted)


def _edges(low: int, high: int, idle: bool) -> np.ndarray:
    width = -(-(high + 1 - low) // MOST_BINS)
    return np.concatenate(([0] if idle else [], np.arange(low, high + width + 1, width))).astype(
        np.int64
    )


def _drawn_histogram(info: Histogram, candidate_name: str) -> go.Figure:
    high = float(max(info.current.max(), info.candidate.max()))
    upwards = ticks(high)
    figure = frame.figure(frame.LARGE_GROUP, labels.margin(upwards[1]), bottom=frame.TITLED)
    names = [
        exact(a) if a == b else f"{exact(a)} to {exact(b)}"
        for a, b in zip(info.first, info.last, strict=True)
    ]
    places = np.arange(len(names))
    sides = (
        ("current", theme.CURRENT, info.current),
        (candidate_name, theme.CANDIDATE, info.candidate),
    )
    for side, (name, color, counts) in enumerate(sides):
        if not counts.any():
            continue
        # Each bin has one position on the axis, whatever its width, so both bars are above its
        # label.
        figure.add_bar(
            x=places,
            y=counts,
            name=name,
            width=0.4,
            offset=(-0.4, 0)[side],
            marker={"color": color},
            text=names,
            textposition="none",
            hovertemplate=(
                f"{plain(name)}: %{{y:,}} members<br>with %{{text}} partitions<extra></extra>"
            ),
        )
        if info.first[0] == 0 and counts[0]:
            when = "now" if side == 0 else f"with {plain(name)}"
            frame.label(
                figure,
                f"<b>{exact(counts[0])} idle</b> {when}",
                x=0.02,
                y=0.98 - 0.06 * side,
                xref="paper",
                yref="paper",
                yanchor="top",
                color=color,
            )
    texts = [name.replace(" to ", "–") for name in names]
    widest = max(map(text_width, texts)) + _AIR
    wide = max(len(places) + 0.2, min(_LEAST_PLACES, NARROW / widest))
    left = (len(places) - wide - 1) / 2
    shown = _labels(texts, widest, NARROW / wide)
    look = {
        "title_text": "Partitions of a member",
        "title_standoff": 4,
        "showgrid": False,
        "tickangle": 0,
    }
    figure.update_xaxes(frame.value_axis(shown, range=[left, left + wide], **look))
    figure.update_yaxes(frame.value_axis(upwards, range=[0, high * 1.18]))
    frame.title(figure, "Partitions per member", "number of members")
    return figure


def _labels(texts: list[str], widest: float, unit: float) -> tuple[list[int], list[str]]:
    """Return the places and texts of bins: the first bin, the last bin, and as many other bins as
    there is room for.

    `unit`: width of a bin in pixels.
    """
    last, step = len(texts) - 1, max(ceil(widest / unit), 1)
    shown = [*range(0, last - step + 1, step), last]
    return shown, [texts[place] for place in shown]


# Influence of unknown ids: new members get their ids later, so a figure is computed for many seeds.
# A strip of bins shows the results.


BINS = 24


class SeedBins(NamedTuple):
    """One figure of an answer under random seeds: the number of seeds in each bin, and the bin of
    the median.

    `median`: text of the median. `range`: text of the range with 90 % of the seeds. `wanted`:
    number of all seeds. `drawn`: number of seeds whose figure is known so far.
    """

    counts: tuple[int, ...]
    middle: int
    median: str
    range: str
    drawn: int
    wanted: int

    def sentence(self, name: str) -> str:
        """Return the figure in words, for readers who cannot see it."""
        return f"{name}: {self.median} {self.range}, {self.drawn} of {self.wanted} seeds"


def seed_bins(figures: np.ndarray, is_count: bool, wanted: int = SEEDS) -> SeedBins | None:
    """Return the bins of one figure. None if the figure is known for no seed.

    Parameters
    ----------
    figures : int64 (seeds,)
    is_count : bool
        Whether the figure is a count such as moves, which is shown exactly, and not a number of
        records.
    """
    seeds = spread(figures)
    if seeds is None:
        return None
    text = exact if is_count else compact
    if seeds.is_one:
        which = (
            f"in all {exact(wanted)}"
            if figures.size >= wanted
            else f"in {exact(figures.size)} of {exact(wanted)}"
        )
        counts = [0] * BINS
        counts[BINS // 2] = int(figures.size)
        return SeedBins(
            tuple(counts), BINS // 2, text(seeds.median), which, int(figures.size), wanted
        )
    low, high = int(figures.min()), int(figures.max())
    # Python integers, because lags near 2 ** 63 overflow in a multiplication.
    places = [
        min((int(value) - low) * BINS // (high - low), BINS - 1)
        for value in (*figures.tolist(), seeds.median)
    ]
    counts = np.bincount(places[:-1], minlength=BINS).tolist()
    return SeedBins(
        tuple(counts),
        places[-1],
        text(seeds.median),
        f"({text(seeds.low)}–{text(seeds.high)})",
        int(figures.size),
        wanted,
    )
