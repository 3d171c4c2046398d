"""The one sentence that says that no assignor helps: a partition has one owner, and this one holds most of the lag."""

import streamlit as st

from assignors.lag import UNKNOWN_LAG, total_lag
from dashboard.formats import at_least, compact
from dashboard.loading import View
from dashboard.names import literal, partition_name


def show(view: View) -> None:
    """Draw it where one partition holds most of the lag, and at least what the best assignment leaves its worst member; in a share group several members read one partition."""
    group, lag = view.comparison.group, view.comparison.lag
    worst, total = int(lag.argmax()), total_lag(lag)
    bests = [row.balance.max_lag for row in view.comparison.rows if row.balance and row.balance.max_lag is not None]
    if view.observed.group_type == "share" or not total or not bests or 2 * int(lag[worst]) <= total or lag[worst] < min(bests):
        return
    name = partition_name(group.topic_name[group.tp_topic[worst]], group.tp_partition[worst])
    whole = at_least(compact(total), bool((lag == UNKNOWN_LAG).any()))
    st.info(f"**{literal(name)} alone holds {compact(int(lag[worst]))} of {whole} lag: no assignor can split it.**", icon=":material/call_split:")
