"""One figure of a group over time: lag by member above, owners of the worst partitions below, rebalances and gaps through both."""

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from assignors.history.changes.spells import Burst
from assignors.history.forecast import Forecast
from assignors.history.pictures.member_lags import MemberLags
from assignors.history.pictures.owner_rows import OwnerRows
from dashboard import theme
from dashboard.charts.parts import axis_names, frame
from dashboard.charts.timeline.flags import add_end, add_flags
from dashboard.charts.timeline.forecast_panel import add_forecast, forecast_top
from dashboard.charts.timeline.lag_panel import add_lag, legend
from dashboard.charts.timeline.marks import add_gaps, add_rebalances
from dashboard.charts.timeline.owner_panel import ROW, add_owners
from dashboard.charts.timeline.time_axis import end_of_axis, time_axis
from dashboard.words.formats import count

_LAG, _BETWEEN = 210, 46
"""Pixels of the upper panel, and of the title of the lower one."""

_TOP, _BOTTOM, _LEAST_LEFT = 46, 34, 56


class Owners(NamedTuple):
    """`names`: of all members; `partitions`: names of the rows; `partition_count`: of the group."""

    rows: OwnerRows
    names: Sequence[str]
    partitions: Sequence[str]
    partition_count: int


class Marks(NamedTuple):
    """`moments`: times of A and B, or none; `end`: what the end of the range is."""

    bursts: Sequence[Burst] = ()
    moments: Sequence[float] = ()
    end: str = ""


def timeline(
    lags: MemberLags,
    names: Sequence[str],
    owners: Owners,
    marks: Marks,
    since: float,
    until: float,
    ahead: Forecast | str | None = None,
) -> go.Figure:
    """Draw a group from `since` to `until`, seconds since 1970; `names` of the members of `lags`.

    `ahead`: the forecast, or why there is none; None for a range that ends before the last reading.
    """
    below = ROW * len(owners.partitions)
    height, length = _LAG + _BETWEEN + below, max(until - since, 1.0)
    figure = frame.figure(height + _TOP + _BOTTOM, max(axis_names.name_margin(owners.partitions), _LEAST_LEFT), _TOP, _BOTTOM)
    add_lag(figure, lags, names, (1 - _LAG / height, 1), forecast_top(ahead))
    add_owners(figure, owners.rows, owners.names, owners.partitions, lags.member.tolist(), (0, below / height))
    axis = time_axis(since, end_of_axis(since, until), until if ahead is None else None, anchor="y2")
    figure.update_layout(xaxis=axis, barmode="overlay")
    add_forecast(figure, ahead, until)
    add_rebalances(figure, marks.bursts, length, marks.moments)
    add_gaps(figure, lags, length)
    add_flags(figure, marks.moments)
    add_end(figure, until, marks.end)
    frame.title(
        figure, "Lag by member", "records", [*legend(lags, names), *[("↻", theme.INK, "rebalances")] * bool(marks.bursts)], shift=24
    )
    frame.title(figure, _owner_title(owners), "same colours", [("▨", theme.INK, "unassigned")], y=below / height, shift=4)
    return figure


def _owner_title(owners: Owners) -> str:
    shown = len(owners.partitions)
    if shown < owners.partition_count:
        return f"Owner of the {shown} worst of {count(owners.partition_count, 'partition')}"
    return f"Owner of {count(shown, 'partition')}"
