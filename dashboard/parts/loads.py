"""Loads of members for charts: partitions or lag, with flags for unknown, idle and over 2× fair
share.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.compare.balance import Balance
from evenkeel.dashboard import theme
from evenkeel.dashboard.parts import frame
from evenkeel.dashboard.parts.labels import ticks
from evenkeel.dashboard.parts.text_width import text_width
from evenkeel.data.text.formats import at_least, compact_sum, exact

OVER = 2
"""A bar above this multiple of the fair share is hatched."""


class LoadValues(NamedTuple):
    """Lag or partitions of each member in an assignment; NaN is unknown.

    `at_least`: True for a member with some unknown lags. `partial`: the group has unknown lags.
    `fair`: mean over members, None if all values are unknown. `counts`: True for partitions, False
    for lag.
    """

    values: np.ndarray
    at_least: np.ndarray
    idle: np.ndarray
    over: np.ndarray
    fair: float | None
    partial: bool
    counts: bool

    def short(self) -> list[str]:
        """Return each member's value as a short text, `≥ 12.3 k` if some lags are unknown."""
        if self.counts:
            return self.long()
        return [
            compact_sum(value, some)
            for value, some in zip(self.values.tolist(), self.at_least.tolist(), strict=True)
        ]

    def long(self, places: np.ndarray | slice = slice(None)) -> list[str]:
        """Return the exact values of members as texts. `places`: row numbers of the members."""
        values = zip(self.values[places].tolist(), self.at_least[places].tolist(), strict=True)
        return [at_least(exact(value), some) for value, some in values]


class Panel(NamedTuple):
    """Lag or partitions of members, in the current assignment and in the candidate's.

    `loads`: current, then candidate; None if owners are unknown or the candidate has no answer.
    `domain`: left and right end of the panel, as shares of the figure's width.
    """

    title: str
    unit: str
    loads: tuple[LoadValues | None, ...]
    domain: tuple[float, float]

    @property
    def high(self) -> float:
        """Largest known value, at least 1."""
        return max(
            1.0,
            *(
                float(load.values[np.isfinite(load.values)].max(initial=0.0))
                for load in self.loads
                if load
            ),
        )


def panels(
    current: Balance | None,
    candidate: Balance | None,
    members: np.ndarray,
    place: int | None = None,
) -> list[Panel]:
    """Return the panels for lag and for partitions. `place`: 0 for only lag, 1 for only partitions.

    If there is no lag to draw, return only the panel for partitions, with the reason as its `unit`.
    """
    both = (current, candidate)
    partitions = tuple(side and count_load(side, members) for side in both)
    without = no_lag(*both)
    if without:
        return [Panel("Partitions per member", without, partitions, (0.0, 1.0))]
    lag = tuple(side and lag_load(side, members) for side in both)
    both_panels = [
        Panel("Lag per member", "records", lag, (0.0, 0.615)),
        Panel("Partitions per member", "", partitions, (0.655, 1.0)),
    ]
    return both_panels if place is None else [both_panels[place]._replace(domain=(0.0, 1.0))]


def no_lag(*sides: Balance | None) -> str:
    """Return why there is no lag to draw; an empty string if some member has lag."""
    given = [side for side in sides if side]
    if any(side.max_lag for side in given):
        return ""
    if not any(side.has_lag for side in given):
        return "lag is unknown"
    return (
        "no known lag; some lags are unknown"
        if any(side.lag_is_partial for side in given)
        else "no member has lag"
    )


def lag_load(balance: Balance, members: np.ndarray) -> LoadValues:
    """Return the lag of `members`, in their order."""
    count, unknown = balance.partition_count[members], balance.unknown_lag_count[members]
    lag = np.where((count > 0) & (unknown == count), np.nan, balance.lag[members].astype(float))
    return LoadValues(
        lag,
        unknown > 0,
        count == 0,
        _over(lag, balance.mean_lag),
        balance.mean_lag,
        balance.lag_is_partial,
        counts=False,
    )


def known_mean(values: np.ndarray) -> float:
    """Return the mean of the finite values, NaN if there are none."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else np.nan


def count_load(balance: Balance, members: np.ndarray) -> LoadValues:
    """Return the partition counts of `members`, in their order."""
    count = balance.partition_count[members]
    fair = float(balance.partition_count.mean()) if len(balance.partition_count) else None
    return LoadValues(
        count.astype(float),
        np.zeros(len(count), dtype=bool),
        count == 0,
        _over(count, fair),
        fair,
        partial=False,
        counts=True,
    )


def _over(values: np.ndarray, fair: float | None) -> np.ndarray:
    return np.nan_to_num(values) > OVER * fair if fair else np.zeros(len(values), dtype=bool)


def fair_shares(*loads: LoadValues | None) -> list[tuple[float, str]]:
    """Return the fair share of each load, with its text: `≥ 34.7 k` if some lags are unknown.

    Equal fair shares are returned once.
    """
    distinct: list[tuple[float, str]] = []
    for load in loads:
        if (
            load
            and load.fair
            and not any(abs(load.fair - other) <= 0.005 * other for other, _ in distinct)
        ):
            text = compact_sum(load.fair if load.partial else round(load.fair, 1), load.partial)
            distinct.append(
                (
                    load.fair,
                    f"{text} after"
                    if distinct
                    else f"fair share {text} {'partitions' if load.counts else 'records'}",
                )
            )
    return distinct


def joined_shares(shares: Sequence[tuple[float, str]]) -> tuple[float, str] | None:
    """Return the first fair share, with one text for all fair shares: two texts would overlap."""
    return (shares[0][0], " now, ".join(text for _, text in shares)) if shares else None


# A panel of loads: value axis, title, fair-share lines, and the legend of both assignments.


def add_value_panel(
    figure: go.Figure,
    panel: Panel,
    axes: tuple[str, str],
    limits: Sequence[float],
    ticks_most: int,
    layer: str,
) -> None:
    """Draw the axis, title and fair-share lines of a panel, but not its marks.

    `axes`: name of the value axis in traces, then in the layout.
    """
    axis, axis_name = axes
    add_fair_lines(figure, fair_shares(*panel.loads), axis, panel, layer)
    look = {
        "range": limits,
        "domain": panel.domain,
        "anchor": "y",
        "fixedrange": True,
        "zeroline": False,
    }
    figure.update_layout({axis_name: frame.value_axis(ticks(panel.high, most=ticks_most), **look)})
    frame.title(figure, panel.title, panel.unit, x=panel.domain[0], shift=16)


def side_marks(panel: Panel, candidate: str, glyph: str) -> list[tuple[str, str, str]]:
    """Return the panel's legend: current assignment, candidate. `glyph`: the candidate's mark."""
    marks = (("■", theme.CURRENT, "current"), (glyph, theme.CANDIDATE, candidate))
    return [mark for mark, load in zip(marks, panel.loads, strict=True) if load]


# Fair-share lines of a panel, with one text for all lines.


_WIDTH = 520
"""Width in pixels of all panels together in a narrow window."""


def add_fair_lines(
    figure: go.Figure,
    shares: Sequence[tuple[float, str]],
    axis: str,
    panel: Panel,
    layer: str = "above",
) -> None:
    """Draw fair shares as lines across a panel, with one text for all lines.

    The text is above the first line, or at an end of the panel if there is no room above the line.
    """
    for value, _ in shares:
        frame.upright(figure, value, frame.FAIR, axis, layer)
    joined = joined_shares(shares)
    if joined:
        value, text = joined
        left, right = panel.domain
        half, share = text_width(text) / 2 / (_WIDTH * (right - left)), value / panel.high
        x, side = value, "center"
        if share < half:
            x, side = 0, "left"
        elif share > 1 - half:
            x, side = panel.high, "right"
        frame.label(
            figure,
            text,
            x,
            1,
            xref=axis,
            yref="paper",
            xanchor=side,
            yanchor="bottom",
            color=theme.INK,
        )
