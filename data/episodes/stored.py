"""Stored slots of a cluster as a source of findings."""

import argparse
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.episodes.evidence import Evidence, Retention
from evenkeel.assignors.protocol import CLASSIC, SHARE
from evenkeel.assignors.timeline.series import Series
from evenkeel.data.commands.options.lake import chosen_cluster, lake_of, with_past_of
from evenkeel.data.configuration import configuration
from evenkeel.data.episodes.answer import iso
from evenkeel.data.episodes.subscriptions import Subscriptions
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import STABLE
from evenkeel.data.group.tables.series import (
    BATCH,
    IDENTITY_COLUMNS,
    MEMBER_COLUMNS,
    OFFSET_COLUMNS,
    Axis,
    identities_of,
    offsets_of,
    series_of,
)
from evenkeel.data.lake.history.instants import (
    LENGTH,
    Instants,
    groups_of,
    instants,
    last_instants,
)
from evenkeel.data.lake.history.recent import CELLS, rows_by_groups
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.store import table
from evenkeel.data.prometheus.facts import PastFacts

COLUMNS = {
    "OFFSETS": (*OFFSET_COLUMNS, *IDENTITY_COLUMNS, "stable_offset"),
    "MEMBERS": (
        *MEMBER_COLUMNS,
        *IDENTITY_COLUMNS,
        "group_type",
        "group_state",
        "subscribed",
        "subscribed_regex",
    ),
}


class Stored:
    """The snapshots of a cluster in a lake, up to a moment."""

    def __init__(
        self, lake: Place, cluster: str | None, found: Instants, past: PastFacts | None = None
    ):
        self.name, self.cluster = str(lake), cluster
        settings = configuration().clusters.get(cluster or "", {})
        servers = settings.get("bootstrap.servers") if isinstance(settings, dict) else None
        # By reference it may be a secret.
        self.servers = servers if isinstance(servers, str) else None
        self.lake, self._found = lake, found
        self.slot_count = len(found.batches)
        self.last = float(found.axis.time[-1])
        steps = np.diff(found.axis.time)
        self.step = float(np.median(steps)) if steps.size else None
        self.groups = groups_of(lake, found)
        self._retention = _retention_in(lake, found)
        # What could not be read is said once, by the last slot.
        self.unknown = list(found.batches[-1].problems)
        if past is not None:
            self.unknown.append(f"owners of slots {past.words}")

    def evidence_of(self, groups: Sequence[str]) -> Iterator[tuple[str, Evidence]]:
        """Yield the evidence of groups, some of which are read together."""
        for offsets, members in rows_by_groups(self.lake, self._found, groups, CELLS, COLUMNS):
            for group in sorted(set(offsets["group_id"].unique().to_pylist())):
                mine = (_of_group(table, group) for table in (offsets, members))
                yield group, evidence_of_rows(*mine, self._found.axis, self._retention)


def stored_source(options: argparse.Namespace, last: float | None) -> Stored:
    """Return the slots that a command names: a range and 24 hours before it, without a range the
    last 24 hours.

    Raises
    ------
    SnapshotError
        If there are none; names the first one that there is.
    """
    until = options.at or options.until
    lake, past = with_past_of(
        lake_of(options), options.cluster, options.group, options.since, until, LENGTH
    )
    cluster = chosen_cluster(lake, options.cluster)
    found = last_instants(lake, cluster, options.since, until)
    if options.since is not None and found.batches:
        # What is open at the beginning of a range began before it.
        found = instants(lake, cluster, options.since - LENGTH, until)
    if found.batches:
        return Stored(lake, cluster, found, past)
    every = instants(lake, cluster)
    if not every.batches:
        raise SnapshotError(
            f"{lake} has no slots, and a live cluster has no past: evenkeel collect stores slots"
        )
    where = (
        f"up to {iso(last)}"
        if options.since is None
        else f"from {options.since:%Y-%m-%dT%H:%M:%SZ}"
    )
    raise SnapshotError(
        f"{lake}: no slot {where}, slots are from {iso(every.axis.time[0])} to {iso(every.axis.time[-1])}"
    )


def evidence_of_rows(
    offsets: pa.Table, members: pa.Table, axis: Axis, retention: Mapping[str, Retention]
) -> Evidence:
    """Return the evidence of one group from its rows of OFFSETS and MEMBERS; `retention`: of topics
    by name.
    """
    series = series_of(offsets, members, axis)
    topic_set, subscription = _subscriptions(members, series, axis)
    states = _by_slot(members, "group_state", axis)
    types = set(members["group_type"].unique().to_pylist())
    shape = series.end_offset.shape
    return Evidence(
        series=series,
        stable_end=offsets_of(offsets, "stable_offset", axis),
        has_no_leader=np.zeros(shape, dtype=bool),
        identity=identities_of(series, offsets, members),
        subscription=subscription,
        topic_set=topic_set,
        is_stable=np.array([state == STABLE for state in states], dtype=bool),
        is_share=SHARE in types,
        retention=tuple(map(retention.get, series.topic_name)),
    )


_SETTINGS = ("cleanup_policy", "retention_ms", "retention_bytes", "segment_ms")


def _retention_in(lake: Place, found: Instants) -> dict[str, Retention]:
    """Return the settings of topics as the last slot has them."""
    rows = table(lake, found.batches[-1].batch, "TOPICS") if found.batches[-1].cluster else None
    if rows is None:
        return {}
    columns = [rows[name].to_pylist() for name in ("topic", *_SETTINGS)]
    return {
        topic: Retention(
            deletes="delete" in policy.split(","),
            retention_seconds=retention_ms / 1000,
            retention_bytes=retention_bytes,
            segment_seconds=segment_ms / 1000,
        )
        for topic, policy, retention_ms, retention_bytes, segment_ms in zip(*columns, strict=True)
        if None not in (policy, retention_ms, retention_bytes, segment_ms)
    }


def _of_group(rows: pa.Table, group: str) -> pa.Table:
    return rows.filter(pc.equal(rows["group_id"], group))


def _by_slot(members: pa.Table, column: str, axis: Axis) -> list[str | None]:
    values: dict[str, str | None] = {}
    for batch, value in zip(members[BATCH].to_pylist(), members[column].to_pylist(), strict=True):
        if value is not None:
            values[batch] = value
    return [values.get(batch) for batch in axis.batch]


def _subscriptions(members: pa.Table, series: Series, axis: Axis) -> tuple[np.ndarray, np.ndarray]:
    place = {batch: row for row, batch in enumerate(axis.batch)}
    result = Subscriptions(series.member_id, series.topic_name, series.slot_count)
    columns = ("member_id", "group_type", "group_state", "subscribed", "subscribed_regex")
    rows = zip(
        members[BATCH].to_pylist(), *(members[name].to_pylist() for name in columns), strict=True
    )
    for batch, member, group_type, state, topics, expression in rows:
        if member is None or batch not in place:
            continue
        # A rebalancing classic group lists members without their metadata.
        is_read = group_type != CLASSIC or state in (None, STABLE)
        is_known = topics is not None and expression is None and (is_read or topics)
        result.add(place[batch], member, topics if is_known else None)
    return result.arrays()
