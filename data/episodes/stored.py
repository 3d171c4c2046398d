"""Stored slots of a cluster as a source of findings."""

import argparse
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.episodes.evidence import Evidence, Retention
from evenkeel.assignors.protocol import CLASSIC, SHARE
from evenkeel.assignors.timeline.series import Series
from evenkeel.data.commands.options.lake import chosen_cluster, lake_of
from evenkeel.data.configuration import configuration
from evenkeel.data.episodes.answer import iso
from evenkeel.data.episodes.subscriptions import remembered
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

    def __init__(self, lake: Place, cluster: str | None, found: Instants):
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
    lake = lake_of(options)
    cluster = chosen_cluster(lake, options.cluster)
    until = options.at or options.until
    found = last_instants(lake, cluster, options.since, until)
    if options.since is not None and found.batches:
        # What is open at the beginning of a range began before it.
        found = instants(lake, cluster, options.since - LENGTH, until)
    if found.batches:
        return Stored(lake, cluster, found)
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
    types = set(members["group_type"].unique().to_pylist())
    shape = series.end_offset.shape
    return Evidence(
        series=series,
        stable_end=offsets_of(offsets, "stable_offset", axis),
        has_no_leader=np.zeros(shape, dtype=bool),
        identity=identities_of(series, offsets, members),
        subscription=subscription,
        topic_set=topic_set,
        is_stable=_is_stable(members, axis),
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


def _is_stable(members: pa.Table, axis: Axis) -> np.ndarray:
    """bool (S,): the last state that a slot has is Stable."""
    known = members.filter(pc.is_valid(members["group_state"]))
    slot, is_in = _slots(known, axis)
    result = np.zeros(len(axis.batch), dtype=bool)
    result[slot[is_in]] = _mask(pc.equal(known["group_state"], STABLE))[is_in]
    return result


def _slots(rows: pa.Table, axis: Axis) -> tuple[np.ndarray, np.ndarray]:
    """Return the slot of each row, and whether the axis has it."""
    slot = pc.fill_null(
        pc.index_in(rows[BATCH].cast(pa.string()), pa.array(axis.batch, pa.string())), -1
    )
    return slot.to_numpy(), slot.to_numpy() >= 0


def _mask(values: pa.ChunkedArray) -> np.ndarray:
    return np.asarray(pc.fill_null(values, False), dtype=bool)


def _subscriptions(members: pa.Table, series: Series, axis: Axis) -> tuple[np.ndarray, np.ndarray]:
    members = members.filter(pc.is_valid(members["member_id"]))
    slot, is_in = _slots(members, axis)
    row = pc.index_in(
        members["member_id"].cast(pa.string()), pa.array(series.member_id, pa.string())
    )
    topics = pc.binary_join(members["subscribed"].cast(pa.list_(pa.string())), "\0")
    topics = topics.combine_chunks().dictionary_encode()
    # A rebalancing classic group lists members without their metadata.
    is_read = ~_mask(pc.equal(members["group_type"], CLASSIC)) | _mask(
        pc.or_kleene(pc.is_null(members["group_state"]), pc.equal(members["group_state"], STABLE))
    )
    is_known = _mask(pc.is_valid(topics)) & _mask(pc.is_null(members["subscribed_regex"]))
    is_known &= is_read | (_numbers(pc.list_value_length(members["subscribed"])) > 0)
    code = np.where(is_known, _numbers(topics.indices), UNASSIGNED)
    sets = [set(text.split("\0")) for text in topics.dictionary.to_pylist()]
    shape = len(axis.batch), len(series.member_id)
    number = remembered(shape, slot[is_in], _numbers(row)[is_in], code[is_in])
    topic_set = [[name in names for name in series.topic_name] for names in sets]
    return np.array(topic_set, dtype=bool).reshape(len(sets), len(series.topic_name)), number


def _numbers(values: pa.Array) -> np.ndarray:
    return np.asarray(pc.fill_null(values, -1), dtype=np.int64)
