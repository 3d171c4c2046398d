"""The last slots of a cluster, kept in memory.

A program that looks for findings after every slot needs the same slots again and one new slot. With
this memory, each slot is read from the lake once.
"""

import threading
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.data.episodes.slot_rows import SlotRows, joined, slot_rows
from evenkeel.data.episodes.stored import COLUMNS, StoredSnapshots, retention_in
from evenkeel.data.group.tables.arrow import names
from evenkeel.data.group.tables.series import Axis, slots_of_rows
from evenkeel.data.lake.history.instants import Instants, part_of
from evenkeel.data.lake.history.recent import rows_by_groups
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.store import table

MOST_CELLS = 25_000_000
"""Most partitions times slots in memory, about 20 bytes each. For a larger cluster all slots are
read at each request.
"""

_PART_PARTITIONS = 4_000
_LEAST_SHARE = 0.9
"""If a smaller share of the slots is in memory, all slots are read again."""

_CLUSTERS = 4


@lru_cache(_CLUSTERS)
def recent_slots(lake: Place, cluster: str) -> "RecentSlots":
    """Return the last slots of the cluster, which this process keeps in memory."""
    return RecentSlots(lake, cluster)


def _every_group(group: str) -> bool:
    return True


class RecentSlots:
    """The rows of the last slots of a cluster.

    The rows are in parts: a part has all rows of some groups.
    """

    def __init__(self, lake: Place, cluster: str):
        self._lake, self._cluster = lake, cluster
        self._turn = threading.Lock()
        self._clear()

    def evidence_of(
        self, slots: Instants, is_asked: Callable[[str], bool] = _every_group
    ) -> Iterator[tuple[str, Evidence]]:
        """Yield the evidence of each group in `slots`.

        If it is certain that a group has no finding, the group is left out unless `is_asked`
        returns True.

        Raises
        ------
        SnapshotError
            If the lake cannot be read.
        """
        with self._turn:
            rows = self._rows_of(slots)
        if rows is None:
            yield from StoredSnapshots(self._lake, self._cluster, slots).evidence_of(())
            return
        retention = retention_in(self._lake, slots)
        for part in zip(*rows, strict=True):
            if any(part):
                groups = joined(part, slots.axis)
                yield from groups.cut(retention, is_asked)

    def _clear(self) -> None:
        self._slots: dict[Hashable, list[SlotRows | None]] = {}
        self._first_groups: list[str] = []
        self._last: list[SlotRows | None] = []

    def _rows_of(self, slots: Instants) -> list[list[SlotRows | None]] | None:
        """Return the rows by slot and part; None if the slots have too many rows for the memory."""
        keys = [_key(manifest) for manifest in slots.batches]
        if len(keys) * _partitions(self._lake, slots.batches[-1]) > MOST_CELLS:
            self._clear()
            return None
        self._slots = {key: self._slots[key] for key in keys if key in self._slots}
        if len(self._slots) < len(keys) * _LEAST_SHARE:
            self._clear()
        missing = [row for row, key in enumerate(keys) if key not in self._slots]
        if missing:
            new = self._read(part_of(slots, np.array(missing)))
            self._slots |= zip((keys[row] for row in missing), new, strict=True)
        # A slot without groups has no parts.
        count = len(self._first_groups)
        return [[*self._slots[key], *[None] * (count - len(self._slots[key]))] for key in keys]

    def _read(self, new: Instants) -> list[list[SlotRows | None]]:
        """Read new slots from the lake, and return the rows by slot and part.

        The first call decides which groups are in which part.
        """
        is_first = not self._first_groups
        most = _PART_PARTITIONS * len(new.batches) if is_first else 2 * MOST_CELLS
        slots: list[list[SlotRows | None]] = [[] for _ in new.batches]
        for tables in rows_by_groups(self._lake, new, (), most, COLUMNS):
            if is_first:
                groups = chain(*(rows["group_id"].unique().to_pylist() for rows in tables))
                self._first_groups.append(min(groups, default="") if self._first_groups else "")
                self._last.append(None)
            first_groups = self._first_groups[-1:] if is_first else self._first_groups
            pairs = zip(*(_cut(rows, new.axis, first_groups) for rows in tables), strict=True)
            for slot in slots:
                for _ in first_groups:
                    number = len(slot)
                    offsets, members = next(pairs)
                    slot.append(slot_rows(offsets, members, self._last[number]))
                    self._last[number] = slot[-1] or self._last[number]
        return slots


def _key(manifest: Manifest) -> Hashable:
    # A file of an hour or a day has the same rows for a slot.
    return manifest.batch, manifest.taken_at, manifest.ingested_at


def _partitions(lake: Place, manifest: Manifest) -> int:
    rows = table(lake, manifest.batch, "GROUP_LOAD")
    return pc.sum(rows["partition_count"]).as_py() or 0


def _cut(rows: pa.Table, axis: Axis, first_groups: Sequence[str]) -> list[pa.Table]:
    """Return the rows of each slot and part; the parts of one slot follow each other."""
    slot, group = slots_of_rows(rows, axis), names(rows["group_id"])
    part = [max(bisect_right(first_groups, name) - 1, 0) for name in group.name]
    place = slot * len(first_groups) + np.array([*part, 0])[group.code]
    place[slot < 0] = -1
    if (place[1:] < place[:-1]).any():
        order = np.argsort(place, kind="stable")
        rows, place = rows.take(pa.array(order)), place[order]
    rows = rows.combine_chunks()
    edges = np.searchsorted(place, np.arange(len(axis.batch) * len(first_groups) + 1))
    return [rows.slice(begin, end - begin) for begin, end in pairwise(edges.tolist())]
