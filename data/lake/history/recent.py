"""Verdicts of all groups of a cluster from its latest slots, without Spark.

Groups are read in parts, each group with all its rows. If a group is further behind than the latest
slots reach, its time lag is computed from a few older snapshots.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.group.tables import history_schemas
from evenkeel.data.group.tables.arrow import Names, integers, names
from evenkeel.data.group.tables.series import MEMBER_COLUMNS, OFFSET_COLUMNS, Axis
from evenkeel.data.group.tables.verdicts import VerdictTables, verdict_tables
from evenkeel.data.lake.history.history import group_rows, is_own
from evenkeel.data.lake.history.instants import LENGTH, Instants, instants, part_of
from evenkeel.data.lake.place import Place

SLOTS = 40
"""Number of latest slots that are read: enough for ten observations with gaps between them, and for
three windows in which a member may be busy.
"""

CELLS = 400_000
"""Partitions times slots that are judged together. 2,000,000 take 10 % longer and twice the memory.
"""


def last_of(snapshots: Instants, slots: int) -> Instants:
    """Return the latest `slots` snapshots."""
    axis = snapshots.axis
    return Instants(
        snapshots.batches[-slots:],
        Axis(axis.batch[-slots:], axis.slot[-slots:], axis.time[-slots:], axis.missed),
    )


def verdicts_in(lake: Place, snapshots: Instants, cluster: str | None) -> VerdictTables:
    """Return the verdicts of all groups in these snapshots."""
    return group_verdicts(lake, snapshots, cluster, ())


def group_verdicts(
    lake: Place, snapshots: Instants, cluster: str | None, groups: Sequence[str], cells: int = CELLS
) -> VerdictTables:
    """Return the verdicts of `groups` in these snapshots. If `groups` is empty: all groups. Groups
    are judged in parts of about `cells` rows of OFFSETS.
    """
    none = VerdictTables(
        history_schemas.GROUP_VERDICT.empty_table(), history_schemas.MEMBER_VERDICT.empty_table()
    )
    if not snapshots.batches:
        return none
    made = [
        verdict_tables(*rows, snapshots.axis, cluster, snapshots.lead)
        for rows in rows_by_groups(lake, snapshots, groups, cells)
    ]
    return VerdictTables(*(pa.concat_tables(tables) for tables in zip(none, *made, strict=True)))


# Rows of all groups in many batches. Only some groups are read at a time, because all rows may not
# fit into memory.
# A file with one slot is read once, and its rows stay in memory. Most columns equal the columns of
# the previous slot, and share their memory. In a file with several slots, the rows of a group are
# adjacent, so only the rows of the next groups are read.


COLUMNS = {"OFFSETS": OFFSET_COLUMNS, "MEMBERS": MEMBER_COLUMNS}
_AT_ONCE = 4


class GroupRows(NamedTuple):
    """OFFSETS and MEMBERS of some groups, with the column `batch`."""

    offsets: pa.Table
    members: pa.Table


class _SlotRows(NamedTuple):
    """Rows of a slot, sorted by part. A part is a list of groups. `begins`: position of the first
    row of each part, and the end of the last part, int64 (parts + 1,).

    `group`: the column `group_id` in the order of the file. `order`: for each row, its position in
    the file; None if the file is sorted by part already.
    """

    rows: pa.Table
    begins: np.ndarray
    order: np.ndarray | None
    group: pa.ChunkedArray


def rows_by_groups(
    lake: Place,
    snapshots: Instants,
    groups: Sequence[str],
    most: int,
    wanted: Mapping[str, Sequence[str]] = COLUMNS,
) -> Iterator[GroupRows]:
    """Yield all rows of some groups, then of the next groups. Each time, OFFSETS has about `most`
    rows. If `groups` is empty: all groups. `wanted`: the columns of each table.

    Raises
    ------
    SnapshotError
        If a file cannot be read.
    """
    offsets, members = (
        _Table(lake, name, snapshots, groups, columns) for name, columns in wanted.items()
    )
    parts = _parts(lake, snapshots, groups, most)
    for table in (offsets, members):
        table.hold(parts)
    for number, part in enumerate(parts):
        yield GroupRows(offsets.part(number, part), members.part(number, part))
        _release()


def _parts(lake: Place, snapshots: Instants, groups: Sequence[str], most: int) -> list[list[str]]:
    """Return the group names in alphabetical order, divided into lists. The groups of one list have
    about `most` rows of OFFSETS.
    """
    rows = group_rows(
        lake, "GROUP_LOAD", snapshots.batches, groups, ("group_id", "partition_count")
    )
    group, count = names(rows["group_id"]), np.maximum(integers(rows["partition_count"]), 0) + 1
    sizes = np.bincount(group.code, count, len(group.name)).astype(np.int64)
    order = sorted(np.flatnonzero(sizes).tolist(), key=group.name.__getitem__)
    begins = np.cumsum(sizes[order]) - sizes[order]
    ends = np.flatnonzero(np.diff(begins // most, append=-1)) + 1
    return [
        [group.name[place] for place in order[begin:end]]
        for begin, end in zip([0, *ends[:-1]], ends, strict=False)
    ]


class _Table:
    """OFFSETS or MEMBERS of some snapshots, returned in parts. A part has some groups."""

    def __init__(
        self,
        lake: Place,
        name: str,
        snapshots: Instants,
        groups: Sequence[str],
        columns: Sequence[str],
    ):
        self._rows, self._groups = partial(group_rows, lake, name, columns=columns), groups
        # The files of a batch are of the same kind: either each has only this batch's rows, or
        # none.
        own = {
            manifest.batch: manifest
            for manifest in snapshots.batches
            if (files := manifest.tables.get(name)) and is_own(files[0], manifest)
        }
        self._own, self._joint = (
            list(own.values()),
            [manifest for manifest in snapshots.batches if manifest.batch not in own],
        )
        self._held: list[_SlotRows] = []

    def hold(self, parts: Sequence[Sequence[str]]) -> None:
        """Read the files that contain only one slot, and keep their rows in memory. `parts`: the
        groups of each part.
        """
        part_of = {name: number for number, part in enumerate(parts) for name in part}
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            for start in range(0, len(self._own), _AT_ONCE):
                for rows in threads.map(
                    lambda manifest: self._rows([manifest], self._groups),
                    self._own[start : start + _AT_ONCE],
                ):
                    self._held.append(
                        _held(
                            rows.combine_chunks(),
                            part_of,
                            len(parts),
                            self._held[-1] if self._held else None,
                        )
                    )
                _release()

    def part(self, number: int, groups: Sequence[str]) -> pa.Table:
        """Return the rows of the part with this number. `groups`: the groups of this part."""
        joint = self._rows(self._joint, groups)
        rows = [
            stored_rows.rows.slice(
                stored_rows.begins[number],
                stored_rows.begins[number + 1] - stored_rows.begins[number],
            )
            for stored_rows in self._held
        ]
        return pa.concat_tables([joint, *rows]).unify_dictionaries() if rows else joint


def _release() -> None:
    # After the threads have read, the pool has more free memory than used memory.
    pa.default_memory_pool().release_unused()


def _held(
    rows: pa.Table, part_of: Mapping[str, int], count: int, before: _SlotRows | None
) -> _SlotRows:
    group = rows["group_id"]
    if before is not None and group.equals(before.group):
        order, begins, group = before.order, before.begins, before.group
    else:
        order, begins = _in_parts(names(group), part_of, count)
    rows = rows if order is None else rows.take(order)
    return _SlotRows(rows if before is None else _shared(rows, before.rows), begins, order, group)


def _in_parts(
    group: Names, part_of: Mapping[str, int], count: int
) -> tuple[np.ndarray | None, np.ndarray]:
    """Return the order that sorts rows by part, and the position of the first row of each part. The
    order is None if the rows are sorted already.
    """
    part = np.array([part_of.get(name, count) for name in group.name] or [count])[group.code]
    order = np.argsort(part, kind="stable") if (part[1:] < part[:-1]).any() else None
    return order, np.searchsorted(part if order is None else part[order], np.arange(count + 1))


def _shared(rows: pa.Table, before: pa.Table) -> pa.Table:
    """Return the rows of a slot. If a column equals the same column of the previous slot, both
    slots share one object.
    """
    if not rows.num_rows or not before.num_rows:
        return rows
    columns = [
        _same_or_new(*(column.chunk(0) for column in pair))
        for pair in zip(rows.columns, before.columns, strict=True)
    ]
    return pa.table(columns, schema=rows.schema)


def _same_or_new(new: pa.Array, old: pa.Array) -> pa.Array:
    if not isinstance(new, pa.DictionaryArray):
        return old if new.equals(old) else new
    indices, dictionary = (
        _same_or_new(getattr(new, name), getattr(old, name)) for name in ("indices", "dictionary")
    )
    return pa.DictionaryArray.from_arrays(indices, dictionary, safe=False)


# Time lags longer than the span of the latest snapshots are computed from a few older snapshots.


_FARTHER = 1.5
"""Each older snapshot is 1.5 times as far back as the snapshot after it, so a dozen snapshots cover
more than a day.
"""

MOST_GROUPS = 200
"""The time lags of at most this many groups are computed again: 300 groups of 20 partitions over
six hours take 1.8 s.
"""

_LAG_COLUMNS = ("lag_seconds", "lag_seconds_method", "unknown_seconds_count")


def with_older_time_lags(
    lake: Place, cluster: str, groups: pa.Table, snapshots: Instants
) -> pa.Table:
    """GROUP_VERDICT -> GROUP_VERDICT. Replaces extrapolated time lags. The new time lags are
    computed from a few snapshots of the last 24 hours.

    Only the `MOST_GROUPS` groups with the largest extrapolated time lag are computed again. A time
    lag stays extrapolated if the first of these snapshots is not old enough.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    is_far = pc.equal(groups["lag_seconds_method"], "extrapolated")
    far = (
        groups.filter(is_far)
        .sort_by([("lag_seconds", "descending")])["group_id"]
        .slice(0, MOST_GROUPS)
        .to_pylist()
    )
    if not far:
        return groups
    last = datetime.fromtimestamp(snapshots.axis.time[-1], UTC)
    whole = instants(lake, cluster, last - LENGTH, last)
    rows = older_rows(len(whole.batches), len(snapshots.batches))
    if rows.size < 3:
        return groups
    older = group_verdicts(lake, part_of(whole, rows), cluster, far).groups
    place = pc.index_in(groups["group_id"], older["group_id"])
    for name in _LAG_COLUMNS:
        column = pc.if_else(place.is_valid(), older[name].take(place), groups[name])
        groups = groups.set_column(
            groups.column_names.index(name), groups.schema.field(name), column
        )
    return groups


def older_rows(count: int, looked_at: int) -> np.ndarray:
    """Return the positions of a few of `count` snapshots, ascending. The older the snapshots, the
    greater the distance between two positions.

    The first and the last snapshot are included. The reader already has the latest `looked_at`
    snapshots; of these, only the first and the last are included.
    """
    first = max(looked_at - 1, 1)
    steps = np.ceil(np.log(max(count / first, 1)) / np.log(_FARTHER))
    back = np.minimum(np.round(first * _FARTHER ** np.arange(steps + 1)), count - 1)
    return np.unique(count - 1 - np.concatenate([[0], back]).astype(np.int64))
