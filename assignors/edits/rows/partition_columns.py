"""Topics of other sizes: the columns of a group that have a value for each partition, and the racks of its replicas."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evenkeel.assignors.edits.rows.rack_names import rack_row, with_rack_names
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot

Racks = Sequence[Sequence[str | None]]
"""For each partition the racks of its replicas, None for a replica without rack."""


def with_partition_counts(group: GroupSnapshot, partition_count: np.ndarray, racks: Mapping[int, Racks]) -> GroupSnapshot:
    """Return the group with topics of these sizes, int64 (T,); a partition that was there keeps its offsets and racks.

    New partitions are empty, and nothing is committed in them. `racks`: by topic, of its new partitions; missing: without racks.
    """
    group = with_rack_names(group, {name for each in racks.values() for replicas in each for name in replicas})
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
    """Return begin, end, committed offset and given lag of an empty partition.

    Where lags alone are known it has a lag; so it has where the reset policy is unknown, because nothing to read is no lag by any policy.
    """
    has_offsets = bool((group.end_offset != UNKNOWN).any())
    if has_offsets and group.auto_offset_reset is not None:
        return 0, 0, UNKNOWN, UNKNOWN
    return UNKNOWN, UNKNOWN, UNKNOWN, 0


def _spread(column: np.ndarray, stays: np.ndarray, place: np.ndarray, count: int, value: int) -> np.ndarray:
    after = np.full(count, value, dtype=np.int64)
    after[place] = column[stays]
    return after


def _replicas(group: GroupSnapshot, stays: np.ndarray, place: np.ndarray, first: np.ndarray, racks: Mapping[int, Racks]) -> dict:
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
    within = np.arange(old.size) - np.repeat(np.cumsum(length[place]) - length[place], length[place])
    rack[np.repeat(start[place], length[place]) + within] = group.replica_rack[group.replica_start[old] + within]
    for tp, rows in new.items():
        rack[start[tp] : start[tp + 1]] = rows
    return {"replica_start": start, "replica_rack": rack}


def racks_in_turn(group: GroupSnapshot, topic: int, count: int) -> list[list[str | None]]:
    """Return racks for `count` new partitions of a topic: those of its partitions, repeated in turn; none where it has none."""
    tps = range(*group.tps_of(topic).indices(group.tp_count))
    known = [group.replica_rack[group.replica_start[tp] : group.replica_start[tp + 1]].tolist() for tp in tps]
    names = [[None if row < 0 else group.rack_name[row] for row in rows] for rows in known]
    return [names[number % len(names)] for number in range(count)] if any(names) else []
