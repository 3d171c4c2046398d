"""Readers of a topic: groups with a commit, an owner or a subscription, by the last slot of a
cluster.
"""

from collections import defaultdict
from datetime import datetime
from typing import Any, NamedTuple

import pyarrow.compute as pc

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.store import table


class Readers(NamedTuple):
    """A row for each group, the farthest behind first: `group_id`, `members` that own a partition
    of the topic or subscribe to it, `partitions` with a commit or an owner, `lag`, None if unknown.
    """

    rows: list[dict[str, Any]]
    taken_at: datetime


def readers_of_topic(lake: Place, cluster: str, topic: str) -> Readers:
    """Return the groups that read a topic.

    Raises
    ------
    SnapshotError
        If the lake has no slot of the cluster.
    """
    found = instants(lake, cluster)
    if not found.batches or found.batches[-1].taken_at is None:
        raise SnapshotError(
            f"{lake} has no slot of cluster {cluster}: evenkeel collect stores slots"
        )
    last = found.batches[-1]
    offsets = table(lake, last.batch, "OFFSETS")
    rows = offsets.filter(pc.equal(offsets["topic"], topic)).select(
        ["group_id", "partition", "committed_offset", "begin_offset", "end_offset", "member_id"]
    )
    readers: dict[str, set[str]] = defaultdict(set)
    partitions: dict[str, int] = defaultdict(int)
    lags: dict[str, int | None] = {}
    for row in rows.to_pylist():
        group, member, committed = row["group_id"], row["member_id"], row["committed_offset"]
        if member is not None:
            readers[group].add(member)
        if member is None and committed is None:
            continue
        partitions[group] += 1
        if committed is not None and row["end_offset"] is not None:
            behind = row["end_offset"] - max(committed, row["begin_offset"] or 0)
            lags[group] = (lags.get(group) or 0) + max(behind, 0)
    members = table(lake, last.batch, "MEMBERS").select(["group_id", "member_id", "subscribed"])
    for row in members.to_pylist():
        if row["member_id"] is not None and topic in (row["subscribed"] or ()):
            readers[row["group_id"]].add(row["member_id"])
    groups = {*partitions, *readers}
    listed = [
        {
            "group_id": group,
            "members": len(readers[group]),
            "partitions": partitions[group],
            "lag": lags.get(group),
        }
        for group in sorted(groups)
    ]
    return Readers(sorted(listed, key=lambda row: -(row["lag"] or 0)), last.taken_at)
