"""Edits of partition counts, replicas and racks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from evenkeel.assignors.group import NO_RACK, UNKNOWN, GroupSnapshot

Racks = Sequence[Sequence[str | None]]
"""Racks of each partition's replicas. None for a replica without a rack."""


def with_partition_counts(
    group: GroupSnapshot, partition_count: np.ndarray, racks: Mapping[int, Racks]
) -> GroupSnapshot:
    """Set the partition count of every topic, int64 (T,). Old partitions keep their offsets and
    racks.

    New partitions are empty and have no commits. `racks`: for each topic, the racks of its new
    partitions. If a topic is missing in `racks`, its new partitions have no racks.
    """
    group = with_rack_names(
        group, {name for each in racks.values() for replicas in each for name in replicas}
    )
    first = np.concatenate(([0], np.cumsum(partition_count)))
    stays = np.flatnonzero(group.tp_partition < partition_count[group.tp_topic])
    place = first[group.tp_topic[stays]] + group.tp_partition[stays]
    begin, end, committed, lag = _new_values(group)
    return replace(
        group,
        partition_count=partition_count.astype(np.int64),
        begin_offset=_spread(group.begin_offset, stays, place, first[-1], begin),
        end_offset=_spread(group.end_offset, stays, place, first[-1], end),
        committed_offset=_spread(group.committed_offset, stays, place, first[-1], committed),
        given_lag=_spread(group.given_lag, stays, place, first[-1], lag),
        **_replicas(group, stays, place, first, racks),
    )


def _new_values(group: GroupSnapshot) -> tuple[int, int, int, int]:
    """Return begin offset, end offset, committed offset and `given_lag` of a new, empty partition.

    If the group has no offsets, or if its reset policy is unknown, all offsets are `UNKNOWN`.
    `given_lag` is then 0, the lag of an empty partition under any policy.
    """
    has_offsets = bool((group.end_offset != UNKNOWN).any())
    if has_offsets and group.auto_offset_reset is not None:
        return 0, 0, UNKNOWN, UNKNOWN
    return UNKNOWN, UNKNOWN, UNKNOWN, 0


def _spread(
    column: np.ndarray, stays: np.ndarray, place: np.ndarray, count: int, value: int
) -> np.ndarray:
    after = np.full(count, value, dtype=np.int64)
    after[place] = column[stays]
    return after


def _replicas(
    group: GroupSnapshot,
    stays: np.ndarray,
    place: np.ndarray,
    first: np.ndarray,
    racks: Mapping[int, Racks],
) -> dict:
    length = np.zeros(first[-1], dtype=np.int64)
    length[place] = np.diff(group.replica_start)[stays]
    new = {}
    for topic, each in racks.items():
        end = int(first[topic + 1])
        for tp, replicas in zip(range(end - len(each), end), each, strict=True):
            length[tp], new[tp] = len(replicas), [rack_row(group, name) for name in replicas]
    start = np.concatenate(([0], np.cumsum(length))).astype(np.int32)
    rack = np.empty(start[-1], dtype=np.int32)
    old = np.repeat(stays, length[place])
    within = np.arange(old.size) - np.repeat(
        np.cumsum(length[place]) - length[place], length[place]
    )
    rack[np.repeat(start[place], length[place]) + within] = group.replica_rack[
        group.replica_start[old] + within
    ]
    for tp, rows in new.items():
        rack[start[tp] : start[tp + 1]] = rows
    return {"replica_start": start, "replica_rack": rack}


def with_rack_names(group: GroupSnapshot, names: Iterable[str | None]) -> GroupSnapshot:
    """Add racks to the group's `rack_name`."""
    rack_name = tuple(sorted({*group.rack_name, *(name for name in names if name is not None)}))
    if rack_name == group.rack_name:
        return group
    row = {name: number for number, name in enumerate(rack_name)}
    # NO_RACK is -1, the index of the last entry, for replicas and members without a rack.
    moved = np.array([*(row[name] for name in group.rack_name), NO_RACK], dtype=np.int32)
    return replace(
        group,
        rack_name=rack_name,
        replica_rack=moved[group.replica_rack],
        member_rack=moved[group.member_rack],
    )


def rack_row(group: GroupSnapshot, name: str | None) -> int:
    """Return the number of a rack in `rack_name`. `NO_RACK` for None."""
    return NO_RACK if name is None else group.rack_name.index(name)


def with_member_rack(group: GroupSnapshot, members: np.ndarray, rack: str | None) -> GroupSnapshot:
    """Set the rack of members. `members`: member numbers.

    None means no rack. librdkafka sends an empty string if a client has no rack.
    """
    group = with_rack_names(group, [rack or None])
    member_rack = group.member_rack.copy()
    member_rack[members] = rack_row(group, rack or None)
    is_empty = (
        np.zeros(group.member_count, dtype=bool)
        if group.has_empty_rack is None
        else group.has_empty_rack.copy()
    )
    is_empty[members] = rack == ""
    return replace(
        group, member_rack=member_rack, has_empty_rack=is_empty if is_empty.any() else None
    )
