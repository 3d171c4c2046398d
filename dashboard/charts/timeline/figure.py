"""One figure of a group over time: lag by member, with rebalances and gaps."""

from collections.abc import Sequence

import plotly.graph_objects as go

from assignors.history.member_lags import MemberLags
from assignors.history.spells import Burst
from dashboard import theme
from dashboard.charts.parts import frame
from dashboard.charts.timeline.lag_panel import add_lag, legend
from dashboard.charts.timeline.marks import add_gaps, add_rebalances
from dashboard.charts.timeline.time_axis import time_axis

HEIGHT = 340
LEFT = 56
_TOP, _BOTTOM = 46, 34


def timeline(lags: MemberLags, names: Sequence[str], bursts: Sequence[Burst], since: float, until: float) -> go.Figure:
    """Draw a group from `since` to `until`, seconds since 1970; `names` of the members of `lags`."""
    figure = frame.figure(HEIGHT, LEFT, _TOP, _BOTTOM)
    length = max(until - since, 1.0)
    add_lag(figure, lags, names)
    figure.update_layout(xaxis=time_axis(since, since + length), barmode="overlay")
    add_rebalances(figure, bursts, length)
    add_gaps(figure, lags, length)
    frame.title(figure, "Lag by member", "records", [*legend(lags, names), *[("↻", theme.INK, "rebalances")] * bool(bursts)], shift=24)
    return figure
