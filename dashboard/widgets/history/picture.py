"""The figure of the Timeline."""

import time
from collections.abc import Sequence

import streamlit as st

from dashboard.charts.parts import frame
from dashboard.charts.timeline.figure import Marks, Owners, timeline
from dashboard.loading.history.timelines import Timeline
from dashboard.words.formats import compact, count
from dashboard.words.times import clock

_LATE_SECONDS, _LATE_STEPS = 60.0, 3
"""A reading that is older than so many steps and a minute is not now."""


def show(shown: Timeline, moments: Sequence[float]) -> None:
    """Draw it, or say that no lag is known. `moments`: times of A and B, or none."""
    if not shown.lags.time.size:
        st.info("The lag of every partition is unknown in this range, so nothing is drawn.")
        return
    owners = Owners(shown.owners, shown.owner_names, shown.partitions, shown.partition_count)
    marks = Marks(shown.bursts, moments, _end(shown))
    figure = timeline(shown.lags, shown.names, owners, marks, shown.since, shown.until, shown.ahead)
    rebalances = count(sum(len(burst.rows) for burst in shown.bursts), "rebalance")
    finding = (
        f"Lag by member: {compact(float(shown.lags.total[-1]))} at the end, at most {compact(float(shown.lags.total.max()))}; {rebalances}"
    )
    st.plotly_chart(figure, key="timeline", config=frame.CONFIG, alt=finding)


def _end(shown: Timeline) -> str:
    """`now 14:02`, `last reading 14:02` where that is long ago, `14:02` where there are later ones."""
    if not shown.is_last:
        return clock(shown.until)
    is_late = time.time() - shown.until > _LATE_SECONDS + _LATE_STEPS * shown.step_seconds
    return f"{'last reading' if is_late else 'now'} {clock(shown.until)}"
