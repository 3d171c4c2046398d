"""The figure of the Timeline page. Its panels are the lag by member, the owners of the partitions
with most lag, and the lag under other assignors. The first two panels also mark rebalances and
gaps.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.timeline.forecast import Forecast
from evenkeel.assignors.timeline.ownership import Burst
from evenkeel.assignors.timeline.pictures.member_lags import MemberLags
from evenkeel.assignors.timeline.pictures.owners import OwnerRows
from evenkeel.assignors.timeline.pictures.topics import TopicRows
from evenkeel.assignors.timeline.replay import Regret
from evenkeel.dashboard import theme
from evenkeel.dashboard.names import NO_OWNER
from evenkeel.dashboard.parts import frame, labels
from evenkeel.dashboard.parts.time_axis import (
    NOW,
    end_of_axis,
    time_axis,
)
from evenkeel.dashboard.timeline.figures import owner_panel
from evenkeel.dashboard.timeline.figures.lag_panel import (
    add_forecast,
    add_lag,
    forecast_top,
    legend,
)
from evenkeel.dashboard.timeline.figures.marks import (
    add_end,
    add_flags,
    add_gaps,
    add_named,
    add_rebalances,
    add_unrecorded,
)
from evenkeel.dashboard.timeline.figures.owner_panel import ROW, add_owners
from evenkeel.dashboard.timeline.figures.regret_panel import HEIGHT, add_regret
from evenkeel.data.text.formats import count

_LAG, _BETWEEN = 144, 38
"""Height in pixels of the upper panel, and of the lower panel's title."""

_TOP, _BOTTOM, _LEAST_LEFT = 60, 34, 56
_LEGEND, _LINE, _EDGE = 22, 17, 8
"""In pixels: distance of the legend from the plot below it, height of a line of the legend, and
distance of the legend from the left edge.
"""


class Span(NamedTuple):
    """The time range of the figure, in seconds since 1970. `ahead`: the forecast, or why there is
    no forecast; None if the range ends before the last reading.
    """

    since: float
    until: float
    ahead: Forecast | str | None = None


class Areas(NamedTuple):
    """The lags of the first panel. `names`: names of the members in `lags`."""

    lags: MemberLags
    names: Sequence[str]


class Owners(NamedTuple):
    """The owners in the second panel. `names`: names of all members. `partitions`: names of the
    partitions that have a row. `partition_count`: number of all partitions of the group. `topics`:
    owners of the partitions without a row.
    """

    rows: OwnerRows
    names: Sequence[str]
    partitions: Sequence[str]
    partition_count: int
    topics: TopicRows
    topic_names: Sequence[str]


class Marks(NamedTuple):
    """The times that the figure marks.

    `moments`: the two compared times A and B, or none. `end`: the label at the end of the range.
    `when`: the end of the range as words in a sentence. `unrecorded`: start and end of the time in
    which no owners were recorded, and the reason. `named`: marks with a text.
    """

    bursts: Sequence[Burst] = ()
    moments: Sequence[float] = ()
    end: str = ""
    when: str = "now"
    unrecorded: tuple[float, float, str] | None = None
    named: Sequence[tuple[float, str]] = ()


class RegretView(NamedTuple):
    """The data of the regret panel. `regret`: None while other assignors are still being replayed.
    `finding`: the result in one sentence.
    """

    regret: Regret | None
    finding: str = ""


def timeline(
    areas: Areas,
    owners: Owners,
    marks: Marks,
    span: Span,
    replayed: RegretView | None = None,
    now: float = NOW,
) -> go.Figure:
    """Draw the figure. `replayed`: the regret panel; None if no other assignor supports the group's
    type. `now`: place of the last reading on the time axis, as a fraction; the forecast is to the
    right of this place.
    """
    (lags, names), (since, until, ahead) = areas, span
    bottom, rows = (
        (HEIGHT + _BETWEEN) * (replayed is not None),
        ROW * (len(owners.partitions) + owner_panel.height(owners.topics)),
    )
    height, length = _LAG + _BETWEEN + rows + bottom, max(until - since, 1.0)
    top_of_rows = (bottom + rows) / height
    left = labels.name_margin(
        [*owners.partitions, *owner_panel.topic_labels(owners.topics, owners.topic_names)]
    )

    figure = frame.figure(height + _TOP + _BOTTOM, max(left, _LEAST_LEFT), _TOP, _BOTTOM)
    add_lag(figure, lags, names, (1 - _LAG / height, 1), forecast_top(ahead))
    domain = bottom / height, top_of_rows
    add_owners(
        figure,
        owners.rows,
        owners.names,
        owners.partitions,
        lags.member.tolist(),
        domain,
        length,
        marks.when,
        now,
    )
    owner_panel.add_topics(figure, owners.topics, names, owners.topic_names, len(owners.partitions))

    axis = time_axis(
        since,
        end_of_axis(since, until, now),
        until if ahead is None else None,
        anchor="y3" if replayed else "y2",
    )
    figure.update_layout(xaxis=axis, barmode="overlay")
    add_forecast(figure, ahead, until)
    if replayed:
        add_regret(figure, *replayed, until, (0, HEIGHT / height), is_narrow=now != NOW)

    _add_marks(figure, marks, lags, since, until)
    _add_titles(
        figure, areas, owners, top_of_rows, has_bursts=bool(marks.bursts), is_wide=now == NOW
    )
    return figure


def _add_marks(
    figure: go.Figure, marks: Marks, lags: MemberLags, since: float, until: float
) -> None:
    length = max(until - since, 1.0)
    add_rebalances(figure, marks.bursts, length, marks.moments)
    add_gaps(figure, lags, length)
    if marks.unrecorded:
        add_unrecorded(figure, *marks.unrecorded)
    add_named(figure, marks.named, since, length)
    add_flags(figure, marks.moments)
    add_end(figure, until, marks.end)


def _add_titles(
    figure: go.Figure,
    areas: Areas,
    owners: Owners,
    top_of_rows: float,
    *,
    has_bursts: bool,
    is_wide: bool,
) -> None:
    lags, names = areas
    frame.title(
        figure,
        "Lag by member",
        "records",
        [("↻", theme.INK, "rebalances")] * has_bursts,
        shift=_LEGEND + _LINE,
    )
    frame.legend(
        figure,
        legend(lags, names, _have_rows(lags, owners)),
        _LEGEND,
        figure.layout.margin.l - _EDGE,
    )
    frame.title(
        figure,
        _owner_title(owners),
        "same colours" if is_wide else "",
        [("▨", theme.INK, NO_OWNER)],
        y=top_of_rows,
        shift=4,
    )


def _have_rows(lags: MemberLags, owners: Owners) -> np.ndarray:
    """Return for each member of `lags` whether it owns a partition in the second panel. The last
    entry is for all other members together.
    """
    owner, is_others = owners.rows.owner, ~np.isin(owners.rows.owner, [UNASSIGNED, *lags.member])
    in_rows = np.append(np.isin(lags.member, owner), is_others.any())
    return in_rows | owners.topics.owned[:, :-1].any(axis=0)


def _owner_title(owners: Owners) -> str:
    shown = len(owners.partitions)
    if shown < owners.partition_count:
        return (
            f"Owner of the {shown} worst of {count(owners.partition_count, 'partition')}, rest by"
            " topic"
        )
    return f"Owner of {count(shown, 'partition')}"
