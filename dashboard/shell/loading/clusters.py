"""Groups of live clusters. A cluster's list of groups is read at most every 15 seconds, and by one
page at a time.
"""

import secrets
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.group.lag import committed_lag
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.dashboard.shell.cache import ALL, kept
from evenkeel.dashboard.shell.loading.example import lake_of
from evenkeel.dashboard.shell.loading.pasts import last_in_store
from evenkeel.dashboard.shell.loading.stored_groups import group_document, keep_read
from evenkeel.dashboard.shell.loading.uploads import imported
from evenkeel.dashboard.shell.reader import reader, require_seen, seen
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.errors import NoBatchError, NoGroupError, SnapshotError
from evenkeel.data.group.tables.arrow import integers
from evenkeel.data.lake import store
from evenkeel.data.lake.history.history import history_in
from evenkeel.data.lake.history.instants import LEAD, instants
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.live import for_pages
from evenkeel.data.live import replay as underway
from evenkeel.data.live.application_replay import ApplicationReplay, replay_application
from evenkeel.data.live.replay import NextEpoch, OnTheWay, Replay, next_epoch, replay
from evenkeel.data.prometheus.facts import StoredLast
from evenkeel.data.weights import fresh

LIST_SECONDS = 15
"""A list that is younger than this is not read again."""


class LiveList(NamedTuple):
    """The GROUPS table of a cluster, worst group first. `read_at`: time at which it was read.
    `steady`: the same time on the monotonic clock.
    """

    groups: pa.Table
    read_at: datetime
    steady: float = 0.0


def cluster_names() -> list[str]:
    """Return the configured clusters in which the reader may see groups."""
    return [name for name in for_pages.cluster_names() if reader().sees_some(name)]


def can_be_read(cluster: str | None) -> bool:
    """Return whether there is a cluster that can be read now."""
    return cluster is not None and reader().sees_some(cluster) and for_pages.can_be_read(cluster)


def takes_addresses() -> bool:
    """Return whether a person may type a cluster's address."""
    return for_pages.takes_addresses()


def live_list(cluster: str) -> LiveList:
    """Return a cluster's groups that are visible to the reader. One request serves all readers.

    Raises
    ------
    SnapshotError
        If the cluster does not answer, or refuses the request.
    """
    require_cluster(cluster)
    return _for_reader(
        cluster, ALL.get((live_list, cluster), partial(_read_list, cluster), LIST_SECONDS)
    )


def _for_reader(cluster: str, live: LiveList) -> LiveList:
    who = reader()
    if who.sees_all(cluster):
        return live
    return ALL.get(
        (live_list, cluster, live.read_at, who.scope),
        lambda: live._replace(groups=seen(live.groups, cluster)),
        LIST_SECONDS,
    )


def _list_kept(cluster: str | None) -> LiveList | None:
    cached = ALL.find((live_list, cluster))
    return _for_reader(cluster, cached) if cluster and cached else None


def require_cluster(cluster: str) -> None:
    """Raise SnapshotError if the reader may see no group of a cluster. The error is the same as for
    a cluster that does not exist.
    """
    if not reader().sees_some(cluster):
        names = cluster_names()
        raise SnapshotError(
            f'no cluster "{cluster}"' + (f": expected one of: {', '.join(names)}" if names else "")
        )


def _read_list(cluster: str) -> LiveList:
    return LiveList(for_pages.groups_of(cluster), clock.now(), clock.steady())


def live_snapshot(cluster: str, group_id: str) -> str:
    """Read one group now and return its batch.

    Raises
    ------
    SnapshotError
        If the cluster does not answer, or the group is missing.
    """
    require_cluster(cluster)
    try:
        snapshot = for_pages.stored_snapshot(cluster, _to_ask(cluster, group_id))
    except NoGroupError:
        if reader().sees_all(cluster):
            raise
        raise NoGroupError(cluster, group_id) from None
    keep_read(snapshot.batch, cluster, snapshot.document)
    if snapshot.application:
        ALL.put(
            (replayed_application, snapshot.batch),
            LiveReplay(replay_application(snapshot.application)),
        )
    return snapshot.batch


def _to_ask(cluster: str, group_id: str) -> str:
    """Return the group id to request from the cluster. If the reader may not see the group, return
    a random id. Then the answer and the response time are the same as for a missing group.
    """
    return group_id if reader().sees(cluster, group_id) else f"none-{secrets.token_hex(8)}"


def of_cluster(cluster: str, group_id: str, at: datetime | None = None) -> OpenGroup:
    """Return a group of a cluster.

    Without `at`, a group of a configured cluster is read now; if it cannot be read, return
    `last_known`. With `at` (UTC), or if the cluster is not configured, return the group's last
    stored snapshot, at or before `at`.

    Raises
    ------
    SnapshotError
        If there is no such snapshot. The error says why.
    """
    if at is None and cluster in cluster_names():
        try:
            return OpenGroup(batch=live_snapshot(cluster, group_id), group_id=group_id)
        except SnapshotError as error:
            return last_known(cluster, group_id, error)
    snapshot = _last_snapshot(
        cluster, _to_ask(cluster, group_id), at.replace(tzinfo=UTC) if at else None
    )
    if snapshot is not None:
        return snapshot
    names = cluster_names()
    known = f"; configured clusters: {', '.join(names)}" if names and cluster not in names else ""
    until = f" up to {at:%Y-%m-%dT%H:%MZ}" if at else ""
    raise SnapshotError(
        f"No snapshot is stored of the group “{group_id[:80]}” of the cluster"
        f" “{cluster[:80]}”{until}{known}."
    )


def last_known(cluster: str, group_id: str, error: SnapshotError) -> OpenGroup:
    """Return the last snapshot of a group that cannot be read now. Without a snapshot, return the
    group's last state in the metrics store. The metrics store is not read if the brokers have
    answered that the group does not exist.

    Raises
    ------
    SnapshotError
        `error`, if there is no earlier state.
    """
    # An older snapshot is better than none; the page shows its age.
    last = _last_snapshot(cluster, _to_ask(cluster, group_id), None)
    if last is None and not isinstance(error, NoGroupError):
        last = _in_store(cluster, group_id)
    if last is None:
        raise error
    return last


def _last_snapshot(cluster: str, group_id: str, until: datetime | None) -> OpenGroup | None:
    """Return the last snapshot that contains the group, or None. Only the newest slots are
    searched.
    """
    lake = lake_of(cluster)
    last = last_of(instants(lake, cluster, until=until), LEAD)
    if not last.batches:
        return None
    rows = np.flatnonzero(history_in(lake, group_id, last, cluster).series.is_listed.any(axis=1))
    return OpenGroup(batch=last.axis.batch[rows[-1]], group_id=group_id) if rows.size else None


def _in_store(cluster: str, group_id: str) -> OpenGroup | None:
    """Return the last state of a group in its cluster's metrics store. None if there is no store,
    or if it cannot be read or does not have the group.
    """
    try:
        last = store_list(cluster)
    except SnapshotError:
        return None
    if last is None:
        return None
    groups = imported(last.batch).groups
    place = groups.place_named(_to_ask(cluster, group_id))
    return None if place is None else groups.opened(place)


def store_list(cluster: str) -> StoredLast | None:
    """Return the last slot of a cluster's metrics store; None for a cluster without a store.

    Raises
    ------
    SnapshotError
        If the store does not answer, or has no group that the reader may see.
    """
    require_cluster(cluster)
    last = last_in_store(cluster)
    try:
        if last:
            imported(last.batch)
        return last
    except NoBatchError:
        raise SnapshotError(
            f"cluster {cluster}: its metrics store has no group that this user may see"
        ) from None


def cluster_of(group: OpenGroup) -> str | None:
    """Return the cluster of a group. None if the group is from an upload or a worked example."""
    return imported(group.batch).manifest.cluster if group.batch else None


def members_now(group: OpenGroup) -> int | None:
    """Return the number of members of a live group from its cluster's list of groups. None if the
    list is not in the cache.
    """
    listing = _list_kept(cluster_of(group))
    if listing is None:
        return None
    place = pc.index(listing.groups["group_id"], group.group_id).as_py()
    return listing.groups["member_count"][place].as_py() if place >= 0 else None


@kept
def replayed(group: OpenGroup) -> Replay | None:
    """Return the replay of a live group: the answer of the group's assignor to the data that the
    members sent. None if this data is unknown.
    """
    return replay(group_document(group.batch, group.group_id))


def next_of(group: OpenGroup) -> NextEpoch | None:
    """Return the changes that the next epoch makes in a group that uses `evenkeel-weighted`. None
    if the weights of the brokers are unknown.

    Raises
    ------
    SnapshotError
        For a weights file that brokers would refuse too.
    """
    path = configuration().weights.get(cluster_of(group) or "")
    if path is None:
        return None
    return next_epoch(group_document(group.batch, group.group_id), fresh(path))


class LiveReplay(NamedTuple):
    """The replay of a live application. `replay` is None if the data that its threads sent is
    unknown.
    """

    replay: ApplicationReplay | None


def replayed_application(group: OpenGroup) -> ApplicationReplay | None:
    """Return the replay of a live application: the answer of the application's assignor to the data
    that the threads sent. None if this data is unknown or not in the cache.
    """
    require_seen(group)
    cached = ALL.find((replayed_application, group.batch))
    return cached and cached.replay


@kept
def on_the_way(group: OpenGroup) -> OnTheWay:
    """Return the members of a live group that are still moving to their target assignment."""
    return underway.on_the_way(group_document(group.batch, group.group_id))


def snapshot_of(batch: str) -> Manifest:
    """Return the manifest of a snapshot."""
    return imported(batch).manifest


# Time lag of a group in one reading. The time lag of a partition is the age of its next record, if
# that record was read.


class RecordAges(NamedTuple):
    """The largest known time lag, in seconds. `partition`: the partition with this time lag.
    `unread_count`: number of lagging partitions with unknown time lag.
    """

    seconds: float
    partition: str
    unread_count: int


def record_ages(opened: OpenGroup) -> RecordAges | None:
    """Return the time lag of an open group from the timestamps of records; None without timestamps.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    require_seen(opened)
    cluster = cluster_of(opened)
    # A cluster whose records are not read has no time lags, so its rows are not read back.
    if (
        cluster is None
        or cluster not in configuration().clusters
        or not profile_of(cluster).reads_records
    ):
        return None
    offsets = ALL.get(
        (record_ages, opened.batch, opened.group_id),
        partial(_offsets, opened.batch, opened.group_id),
    )
    return ages_of(offsets)


def ages_of(offsets: pa.Table) -> RecordAges | None:
    """Return the largest time lag in rows of OFFSETS."""
    seconds = offsets["lag_seconds"].to_numpy()
    is_read = ~np.isnan(seconds.astype(np.float64))
    if not is_read.any():
        return None
    end, begin, committed = (
        integers(offsets[name]) for name in ("end_offset", "begin_offset", "committed_offset")
    )
    worst = int(np.nanargmax(seconds))
    name = partition_name(offsets["topic"][worst].as_py(), offsets["partition"][worst].as_py())
    return RecordAges(
        float(seconds[worst]),
        name,
        int(np.count_nonzero((committed_lag(end, begin, committed) > 0) & ~is_read)),
    )


def _offsets(batch: str, group_id: str | None) -> pa.Table:
    offsets, _, _ = store.tables(configuration().lake, batch, group_id)
    return offsets.select(
        ["topic", "partition", "begin_offset", "committed_offset", "end_offset", "lag_seconds"]
    )
