"""The partitions of one member, now and with the candidate."""

import numpy as np
import pandas as pd
import streamlit as st

from assignors.group import UNKNOWN, GroupSnapshot
from assignors.group.lag import committed_before_begin, committed_past_end
from dashboard.tables.moves import known_lag, owners, where_known
from dashboard.view import Change, View
from dashboard.widgets.parts import long_table
from dashboard.words.names import literal, partition_name

PAST_END = "committed past the end: lag below 0, shown as 0"
BEFORE_BEGIN = "committed record is deleted: counted from the begin offset"


def show(view: View, change: Change, member: int) -> None:
    """Draw the table, most lag first; a partition that comes or goes names its other owner."""
    frame = partitions_of(view, change, member)
    if frame.empty:
        st.info(f"{literal(view.names[member])} has no partitions, neither now nor after.")
        return
    long_table.show(frame, f"Partitions of {view.names[member]}")


def partitions_of(view: View, change: Change, member: int) -> pd.DataFrame:
    """Return every partition that the member has now or would have; what is not known is null."""
    pairs, group = change.pairs, view.comparison.group
    rows = np.flatnonzero((pairs.from_member == member) | (pairs.to_member == member))
    rows = rows[np.argsort(-change.lag[rows], kind="stable")]
    topic, partition = pairs.topic[rows], pairs.partition[rows]
    inside = partition < group.partition_count[topic]
    tps = np.where(inside, group.first_tp[topic] + partition, 0)
    return pd.DataFrame(
        {
            "Partition": [partition_name(group.topic_name[one], number) for one, number in zip(topic, partition, strict=True)],
            "Owner now": owners(view.names, pairs.from_member[rows]) if view.comparison.rows[0].assignment else [None] * len(rows),
            "Owner after": owners(view.names, pairs.to_member[rows]),
            "Lag, records": known_lag(change.lag[rows]),
            "Committed": where_known(group.committed_offset[tps], inside & (group.committed_offset[tps] != UNKNOWN)),
            "End": where_known(group.end_offset[tps], inside & (group.end_offset[tps] != UNKNOWN)),
            "Remark": remarks(group, tps, inside),
        }
    )


def remarks(group: GroupSnapshot, tps: np.ndarray, inside: np.ndarray) -> list[str | None]:
    """Say where the lag is not just end - committed; `inside`: whether the partition exists."""
    past_end, before_begin = committed_past_end(group), committed_before_begin(group)
    said = [PAST_END if past_end[tp] else BEFORE_BEGIN if before_begin[tp] else None for tp in tps]
    return [text if known else None for text, known in zip(said, inside, strict=True)]
