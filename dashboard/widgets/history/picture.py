"""The figure of the Timeline."""

import streamlit as st

from dashboard.charts.parts import frame
from dashboard.charts.timeline.figure import Owners, timeline
from dashboard.loading.history.timelines import Timeline
from dashboard.words.formats import compact, count


def show(shown: Timeline) -> None:
    """Draw it, or say that no lag is known."""
    if not shown.lags.time.size:
        st.info("The lag of every partition is unknown in this range, so nothing is drawn.")
        return
    owners = Owners(shown.owners, shown.owner_names, shown.partitions, shown.partition_count)
    figure = timeline(shown.lags, shown.names, owners, shown.bursts, shown.since, shown.until, shown.ahead)
    rebalances = count(sum(len(burst.rows) for burst in shown.bursts), "rebalance")
    finding = (
        f"Lag by member: {compact(float(shown.lags.total[-1]))} at the end, at most {compact(float(shown.lags.total.max()))}; {rebalances}"
    )
    st.plotly_chart(figure, key="timeline", config=frame.CONFIG, alt=finding)
