"""The partitions of a group, and those of one member now and with the candidate: lag, offsets, remarks."""

import numpy as np
import pandas as pd

from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.lag import committed_before_begin, committed_past_end
from evenkeel.dashboard.tables.columns import known_lag, owners, partition_names, where_known
from evenkeel.dashboard.view import Change, View

PAST_END = "committed past the end: lag below 0, shown as 0"
BEFORE_BEGIN = "committed record is deleted: counted from the begin offset"


def of_group(view: View) -> pd.DataFrame:
    """Return every partition of the group, most lag first; unknown is null."""
    group, lag = view.comparison.group, view.comparison.lag
    tps = np.argsort(-lag, kind="stable")
    names = {"Partition": partition_names(group, group.tp_topic[tps], group.tp_partition[tps])}
    return pd.DataFrame(names | _numbers(group, tps, lag[tps], np.ones(tps.size, dtype=bool)))


def of_member(view: View, change: Change, member: int) -> pd.DataFrame:
    """Return every partition that the member has now or would have, most lag first; unknown is null."""
    pairs, group = change.pairs, view.comparison.group
    rows = np.flatnonzero((pairs.from_member == member) | (pairs.to_member == member))
    rows = rows[np.argsort(-change.lag[rows], kind="stable")]
    topic, partition = pairs.topic[rows], pairs.partition[rows]
    exists = partition < group.partition_count[topic]
    names = {
        "Partition": partition_names(group, topic, partition),
        "Owner now": owners(view.names, pairs.from_member[rows]) if view.comparison.rows[0].assignment else [None] * len(rows),
        "Owner after": owners(view.names, pairs.to_member[rows]),
    }
    return pd.DataFrame(names | _numbers(group, np.where(exists, group.first_tp[topic] + partition, 0), change.lag[rows], exists))


def _numbers(group: GroupSnapshot, tps: np.ndarray, lag: np.ndarray, exists: np.ndarray) -> dict:
    """Return the columns about lag. A member may claim partitions that the topic does not have: `exists` is False there."""
    return {
        "Lag, records": known_lag(lag),
        "Committed": where_known(group.committed_offset[tps], exists & (group.committed_offset[tps] != UNKNOWN)),
        "End": where_known(group.end_offset[tps], exists & (group.end_offset[tps] != UNKNOWN)),
        "Remark": lag_remarks(group, tps, exists),
    }


def lag_remarks(group: GroupSnapshot, tps: np.ndarray, exists: np.ndarray) -> list[str | None]:
    """Say where the lag is not just the end offset minus the committed one."""
    past_end, before_begin = committed_past_end(group), committed_before_begin(group)
    said = [PAST_END if past_end[tp] else BEFORE_BEGIN if before_begin[tp] else None for tp in tps]
    return [text if there else None for text, there in zip(said, exists, strict=True)]
