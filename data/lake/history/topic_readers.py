"""The groups that read a topic, in the latest slot of a cluster: groups with a commit, an owner or
a subscription.
"""

from collections import defaultdict
from datetime import datetime
from typing import Any, NamedTuple

import pyarrow.compute as pc

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables.row_lag import lag_of_row
from evenkeel.data.group.tables.series import WITHOUT_OWNERS
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import SLOTS, group_verdicts, last_of
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.store import table

_COLUMNS = (
    *("group_id", "partition", "committed_offset", "begin_offset", "end_offset"),
    *("listed_lag", "member_id"),
)
_VERDICT = ("group_id", "lasting_verdict")


class Readers(NamedTuple):
    """The groups that read a topic: one row for each group, largest lag first.

    `members`: members that own a partition of the topic or subscribe to the topic, None if the slot
    has no owners. `partitions`: partitions with a commit or an owner. `lag`: sum of the known lags,
    None if no lag is known. `unknown_partitions`: partitions with unknown lag. `verdict`: lasting
    verdict of the whole group, not only of this topic.
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
    snapshots = instants(lake, cluster)
    last = snapshots.batches[-1] if snapshots.batches else None
    if last is None or last.taken_at is None:
        raise SnapshotError(f"{lake} has no slot of cluster {cluster}; run evenkeel collect")
    offsets = table(lake, last.batch, "OFFSETS")
    rows = offsets.filter(pc.equal(offsets["topic"], topic)).select(_COLUMNS)
    readers: dict[str, set[str]] = defaultdict(set)
    # In a share group, each owner of a partition has a row with the same lag.
    lags: dict[str, dict[int, int | None]] = defaultdict(dict)
    for row in rows.to_pylist():
        group, member, committed = row["group_id"], row["member_id"], row["committed_offset"]
        if member is not None:
            readers[group].add(member)
        if member is not None or committed is not None:
            lags[group][row["partition"]] = lag_of_row(row)
    members = table(lake, last.batch, "MEMBERS").select(["group_id", "member_id", "subscribed"])
    for row in members.to_pylist():
        if row["member_id"] is not None and topic in (row["subscribed"] or ()):
            readers[row["group_id"]].add(row["member_id"])
    has_owners = not any(name.startswith(WITHOUT_OWNERS) for name in last.formats)
    groups = sorted({*lags, *readers})
    near = last_of(snapshots, SLOTS)
    verdicts = group_verdicts(lake, near, cluster, groups).groups if groups else None
    columns = [verdicts[name].to_pylist() for name in _VERDICT] if verdicts else [[], []]
    verdict_of = dict(zip(*columns, strict=True))
    listed = [
        _row(group, len(readers[group]) if has_owners else None, lags[group])
        | {"verdict": verdict_of.get(group)}
        for group in groups
    ]
    order = sorted(listed, key=lambda row: (-(row["lag"] or 0), row["group_id"]))
    return Readers(order, last.taken_at)


def _row(group: str, members: int | None, lags: dict[int, int | None]) -> dict[str, Any]:
    known = [lag for lag in lags.values() if lag is not None]
    return {
        "group_id": group,
        "members": members,
        "partitions": len(lags),
        "lag": sum(known) if known else None,
        "unknown_partitions": len(lags) - len(known),
    }
