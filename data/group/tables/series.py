"""Series: the rows of one group at many times, as arrays with a row per time."""

from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG, committed_lag
from evenkeel.assignors.group.series import UNKNOWN_SECONDS, Identity, Series
from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.data.group.tables.arrow import Names, integers, names


class MissedSlots(NamedTuple):
    """A gap: the starts of its first and last missing slot (seconds since 1970), and its reason."""

    first: float
    last: float
    reason: str


class Axis(NamedTuple):
    """The times of a history, in order.

    `batch`: batch of each time. `slot`: slot number, int64 (S,). `time`: seconds since 1970,
    float64 (S,). `missed`: all gaps.
    """

    batch: tuple[str, ...]
    slot: np.ndarray
    time: np.ndarray
    missed: tuple[MissedSlots, ...] = ()


def axis_of(
    batch: tuple[str, ...],
    start: np.ndarray,
    time: np.ndarray,
    missed: tuple[MissedSlots, ...] = (),
) -> Axis:
    """Number slots by their `start`, which is ascending; missing slots also get numbers.

    The number of slots in a gap is estimated from the nearest steps between slots: old parts of a
    lake have longer steps.
    """
    steps = np.diff(start)
    numbers = np.ones(steps.size, dtype=np.int64)
    places = np.unique(np.searchsorted(start, [gap.last for gap in missed])) - 1
    places = places[(places >= 0) & (places < steps.size)]
    is_whole = np.ones(steps.size, dtype=bool)
    is_whole[places] = False
    for place in places.tolist():
        near = slice(max(place - 2, 0), place + 3)
        beside = steps[near][is_whole[near]]
        numbers[place] = max(round(steps[place] / beside.min()), 2) if beside.size else 2
    return Axis(batch, np.concatenate([[0], np.cumsum(numbers)])[: len(batch)], time, missed)


# A series from rows of one group: OFFSETS and MEMBERS with the column `batch`, and the axis of
# these batches.


BATCH = "batch"
OFFSET_COLUMNS = (
    "group_id",
    "topic",
    "partition",
    "begin_offset",
    "committed_offset",
    "end_offset",
    "listed_lag",
    "auto_offset_reset",
    "member_id",
    "lag_seconds",
    "source_format",
)
IDENTITY_COLUMNS = ("client_id", "host", "instance_id")
"""The identity of a consumer across restarts. OFFSETS has these columns too, because a listing may
have no members.
"""
WITHOUT_OWNERS = "prometheus with "
"""Prefix of `source_format` for rows of a metrics store, which has no owners."""

MEMBER_COLUMNS = ("group_id", "member_id", "generation", "epoch", "group_epoch")

_OFFSETS = ("begin_offset", "committed_offset", "end_offset", "listed_lag")


@dataclass(frozen=True, eq=False)
class _Cells:
    """The cell (slot and partition) of each row; `row`: indices of the rows that have a slot."""

    shape: tuple[int, int]
    row: np.ndarray | slice
    slot: np.ndarray
    tp: np.ndarray

    def spread(self, values: np.ndarray, missing: float) -> np.ndarray:
        if self.is_in_order:
            return values[self.row].reshape(self.shape)
        if not values.size:
            return np.full(self.shape, missing, dtype=values.dtype)
        # Indexed by `row_of`, which is computed once for a dozen columns.
        result = values[self.row_of]
        if self._has_holes:
            result[self.row_of == UNKNOWN] = missing
        return result

    @cached_property
    def row_of(self) -> np.ndarray:
        """For each cell, the index of its last row, int64 (S, P); `UNKNOWN` if there is no row."""
        result = np.full(self.shape[0] * self.shape[1], UNKNOWN)
        rows = self.row if isinstance(self.row, np.ndarray) else np.arange(self.slot.size)
        result[self.slot * self.shape[1] + self.tp] = rows
        return result.reshape(self.shape)

    @cached_property
    def _has_holes(self) -> bool:
        return bool((self.row_of == UNKNOWN).any())

    @cached_property
    def is_in_order(self) -> bool:
        """Whether there is exactly one row for each cell, in order, so that no index is needed."""
        count = self.shape[0] * self.shape[1]
        return self.slot.size == count and bool(
            (self.slot * self.shape[1] + self.tp == np.arange(count)).all()
        )


class _Partitions(NamedTuple):
    """The partitions in the rows.

    `topic_name`: names of topics. `topic`, `partition`: topic and partition number of each
    partition. `of_row`: the partition of each row.
    """

    topic_name: tuple[str, ...]
    topic: np.ndarray
    partition: np.ndarray
    of_row: np.ndarray


def series_of(offsets: pa.Table, members: pa.Table, axis: Axis) -> Series:
    """Return the series of one group; if a cell has several rows, the last is used."""
    tps, cells = _placed(offsets, axis)
    begin, committed, end, listed = (
        cells.spread(offset_values(offsets[name]), UNKNOWN) for name in _OFFSETS
    )
    member_id, owner, is_member = _members(offsets, members, axis)
    return Series(
        slot=axis.slot,
        time=axis.time,
        topic_name=tps.topic_name,
        topic=tps.topic,
        partition=tps.partition,
        begin_offset=begin,
        committed_offset=committed,
        end_offset=end,
        lag=lag_of(begin, committed, end, listed, *_reset(offsets)),
        member_id=member_id,
        owner=cells.spread(owner, UNASSIGNED),
        is_listed=cells.spread(np.ones(offsets.num_rows, dtype=bool), False),
        is_member=is_member,
        generation=_generation(members, axis),
        read_seconds=_read_seconds(offsets["lag_seconds"], cells),
        has_owners=_has_owners(offsets, axis),
    )


def rows_of(offsets: pa.Table, axis: Axis) -> np.ndarray:
    """Return for each cell of the series the index of its row, int64 (S, P); `UNKNOWN` if none."""
    return _placed(offsets, axis)[1].row_of


def offsets_of(offsets: pa.Table, column: str, axis: Axis) -> np.ndarray:
    """Return `column` of OFFSETS by cell of the series, int64 (S, P); `UNKNOWN` if missing."""
    _, cells = _placed(offsets, axis)
    return cells.spread(offset_values(offsets[column]), UNKNOWN)


def identities_of(series: Series, offsets: pa.Table, members: pa.Table) -> tuple[Identity, ...]:
    """Return the last known identity of each member; both tables have `IDENTITY_COLUMNS`."""
    row_of = {name: row for row, name in enumerate(series.member_id)}
    identities = [[None] * len(IDENTITY_COLUMNS) for _ in series.member_id]
    for table in (offsets, members):
        member = names(table["member_id"])
        rows = np.array(
            [*(row_of.get(name, UNASSIGNED) for name in member.name), UNASSIGNED], dtype=np.int64
        )[member.code]
        # The last row of each member.
        place = np.full(len(identities) + 1, UNASSIGNED, dtype=np.int64)
        place[rows] = np.arange(rows.size)
        known = [row for row in range(len(identities)) if place[row] != UNASSIGNED]
        taken = table.select(IDENTITY_COLUMNS).take(pa.array(place[known]))
        for column, name in enumerate(IDENTITY_COLUMNS):
            for row, value in zip(known, taken[name].to_pylist(), strict=True):
                identities[row][column] = value if value is not None else identities[row][column]
    return tuple(Identity(*values) for values in identities)


def _placed(offsets: pa.Table, axis: Axis) -> tuple[_Partitions, _Cells]:
    tps, slot = _partitions(offsets), slots_of_rows(offsets, axis)
    row = slice(None) if (slot >= 0).all() else np.flatnonzero(slot >= 0)
    return tps, _Cells((len(axis.batch), tps.topic.size), row, slot[row], tps.of_row[row])


def offset_values(column: pa.ChunkedArray) -> np.ndarray:
    """Return offsets like `integers`, but without a copy if all offsets are known."""
    if column.null_count == len(column):
        return np.full(len(column), UNKNOWN, dtype=np.int64)
    values = (
        integers(column)
        if column.null_count
        else column.combine_chunks().to_numpy(zero_copy_only=False)
    )
    return values if values.min() >= UNKNOWN else np.maximum(values, UNKNOWN)


def _read_seconds(column: pa.ChunkedArray, cells: _Cells) -> np.ndarray | None:
    if column.null_count == len(column):
        return None
    return cells.spread(column.fill_null(UNKNOWN_SECONDS).to_numpy(), UNKNOWN_SECONDS)


def slots_of_rows(table: pa.Table, axis: Axis) -> np.ndarray:
    """Return each row's index on the axis, -1 if the axis does not have the row's batch."""
    batch = names(table[BATCH])
    if batch.name == list(axis.batch):
        return batch.code
    place = {name: number for number, name in enumerate(axis.batch)}
    return np.array([place.get(name, -1) for name in batch.name] or [-1])[batch.code]


def _partitions(offsets: pa.Table) -> _Partitions:
    topic, partition = names(offsets["topic"]), integers(offsets["partition"])
    topic_name = tuple(sorted(_used(topic)))
    place = {name: number for number, name in enumerate(topic_name)}
    # An array of all possible keys. Sorting millions of rows would take longer than all other work.
    size = int(partition.max(initial=0)) + 1
    first_key = np.array([place.get(name, 0) for name in topic.name] or [0]) * size
    key = partition + (first_key[topic.code] if len(topic.name) > 1 else first_key[0])
    is_there = np.zeros(len(topic_name) * size, dtype=bool)
    is_there[key] = True
    keys = np.flatnonzero(is_there)
    return _Partitions(
        topic_name,
        (keys // size).astype(np.int32),
        (keys % size).astype(np.int32),
        (np.cumsum(is_there) - 1)[key],
    )


def _used(column: Names) -> set[str]:
    """Return the names that occur in rows; a slot's file may also have names of other groups."""
    is_used = np.zeros(len(column.name) + 1, dtype=bool)
    is_used[column.code] = True
    return set(compress(column.name, is_used))


def _members(
    offsets: pa.Table, members: pa.Table, axis: Axis
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Return the members, the owner of each row of OFFSETS, int32, and the members of each slot.

    The last array is bool (S, M).
    """
    place: dict[str, int] = {}
    of_rows = []
    for table in (members, offsets):
        member = names(table["member_id"])
        used = _used(member)
        new = [
            place.setdefault(name, len(place)) if name in used else UNASSIGNED
            for name in member.name
        ]
        # The last entry is for code -1, a row without a member.
        of_rows.append(np.array([*new, UNASSIGNED], dtype=np.int32)[member.code])
    is_member = np.zeros((len(axis.batch), len(place)), dtype=bool)
    for table, member in zip((members, offsets), of_rows, strict=True):
        slot = slots_of_rows(table, axis)
        # In slots without a members listing, owners count as members.
        known = (member != UNASSIGNED) & (slot >= 0) & ~np.any(is_member, axis=1)[slot]
        is_member[slot[known], member[known]] = True
    return tuple(place), of_rows[1], is_member


def lag_of(
    begin: np.ndarray,
    committed: np.ndarray,
    end: np.ndarray,
    listed: np.ndarray,
    has_reset: np.ndarray | bool,
    is_latest: np.ndarray | bool,
) -> np.ndarray:
    """Return the lag that pages show, defined as in `load.py`.

    `has_reset`: whether `auto_offset_reset` is known. `is_latest`: whether it is latest.
    """
    lag = committed_lag(end, begin, committed)
    missing = lag == UNKNOWN_LAG
    if not missing.any():
        return lag
    by_begin = np.where(begin != UNKNOWN, np.maximum(end - begin, 0), UNKNOWN_LAG)
    by_reset = np.where(is_latest, 0, by_begin)
    uncommitted = has_reset & (end != UNKNOWN) & (committed == UNKNOWN) & (listed == UNKNOWN)
    return np.where(missing, np.where(uncommitted, by_reset, listed), lag)


def _has_owners(offsets: pa.Table, axis: Axis) -> np.ndarray | None:
    """Return whether each slot's source has owners, bool (S,); None if all sources have owners."""
    formats = names(offsets["source_format"])
    is_without = [name is not None and name.startswith(WITHOUT_OWNERS) for name in formats.name]
    if not any(is_without):
        return None
    slot = slots_of_rows(offsets, axis)
    result = np.ones(len(axis.batch), dtype=bool)
    result[slot[np.array([*is_without, False])[formats.code] & (slot >= 0)]] = False
    return result


def _reset(offsets: pa.Table) -> tuple[bool, bool]:
    """Return whether the last row's `auto_offset_reset` is known, and whether it is latest."""
    policy = offsets["auto_offset_reset"].slice(max(offsets.num_rows - 1, 0)).to_pylist()
    known = [name.lower() for name in policy if name is not None]
    return bool(known), known == ["latest"]


def _generation(members: pa.Table, axis: Axis) -> np.ndarray:
    """Return the group's epoch in each slot, else the highest generation of a member.

    After a group's first rebalance the generation is 1. A classic group read from a cluster has 0
    if its members sent no generation.
    """
    slot, result = slots_of_rows(members, axis), []
    for columns in (("group_epoch",), ("generation", "epoch")):
        generations = np.full(len(axis.batch), UNKNOWN)
        for column in columns:
            np.maximum.at(generations, slot[slot >= 0], integers(members[column])[slot >= 0])
        result.append(generations)
    return np.where(result[0] > 0, result[0], np.where(result[1] > 0, result[1], UNKNOWN))
