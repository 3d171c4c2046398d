"""The groups of an upload as columns: a listing may name hundreds of thousands."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.dashboard.view import Opened
from evenkeel.data.columns import group_keys
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import store
from evenkeel.data.lake.place import Place
from evenkeel.data.tables import schemas

_KEY, _ROW_KEY = ("group_id", "unnamed_in"), ("group_id", "source_file")
_SEARCHED = ("topic", "member_id", "client_id", "host", "instance_id")

_MOST_ROWS = 100_000
"""A search in the names of more rows is not worth to read them."""


@dataclass(frozen=True, eq=False)
class ListedGroups:
    """Rows of GROUP_LOAD, one for each group, worst first, with their `place`; nulls where a listing has names alone.

    `names`, except of many rows: its topics, and of its members the member id, client id, host and group.instance.id, one a line.
    """

    batch: str
    table: pa.Table

    def __len__(self) -> int:
        return self.table.num_rows

    def opened(self, place: int) -> Opened:
        """Return the group at a place."""
        return Opened(None, self.batch, *(self.table[column][place].as_py() for column in _KEY))

    def place_named(self, group_id: str) -> int | None:
        """Return where the group of a name stands, None where there is none."""
        place = pc.index(self.table[_KEY[0]], group_id).as_py()
        return place if place >= 0 else None

    def place_of(self, group: Opened) -> int | None:
        """Return where a group stands, None where it is not among them."""
        column, name = (_KEY[0], group.group_id) if group.group_id is not None else (_KEY[1], group.source_file)
        if name is None:
            return 0 if len(self) else None
        place = pc.index(self.table[column], name).as_py()
        return place if place >= 0 and group.batch == self.batch else None


def listed_groups(lake: Place, batch: str) -> ListedGroups:
    """Return the groups of a batch."""
    loads = _latest(store.groups(lake, batch))
    # Names alone make no load; a batch with loads may be too big to be read whole.
    table = loads if loads.num_rows else _without_loads(lake, batch)
    if (pc.sum(table["partition_count"]).as_py() or 0) <= _MOST_ROWS:
        # A damaged file is told where the group is opened.
        with suppress(SnapshotError):
            table = table.append_column("names", _names(lake, batch, table))
    return ListedGroups(batch, table.append_column("place", pa.array(np.arange(table.num_rows))))


def _names(lake: Place, batch: str, table: pa.Table) -> pa.Array:
    found: dict[tuple, set[str]] = {}
    for rows in (store.table(lake, batch, name) for name in ("OFFSETS", "MEMBERS")):
        for column in set(_SEARCHED) & set(rows.column_names):
            named = rows.select([*_ROW_KEY, column]).group_by([*_ROW_KEY, column]).aggregate([])
            for group_id, file, name in zip(*(named[one].to_pylist() for one in (*_ROW_KEY, column)), strict=True):
                if name is not None:
                    found.setdefault((group_id, None if group_id is not None else file), set()).add(name)
    keys = zip(*(table[column].to_pylist() for column in _KEY), strict=True)
    return pa.array(["\n".join(sorted(found.get(key, ()))) for key in keys], pa.string())


def _latest(loads: pa.Table) -> pa.Table:
    """Return the row of each group's latest instant, which is the one that `observed_from_tables` takes."""
    numbered = loads.append_column("row", pa.array(np.arange(loads.num_rows)))
    by_time = numbered.sort_by([("taken_at", "descending"), ("row", "ascending")])
    # pyarrow computes `first` in one thread only.
    first = by_time.group_by(list(_KEY), use_threads=False).aggregate([("row", "first")])["row_first"]
    return loads.take(first.sort())


def _without_loads(lake: Place, batch: str) -> pa.Table:
    keys = group_keys(*store.tables(lake, batch))
    names = {column: pa.array([key[place] for key in keys], pa.string()) for place, column in enumerate(_KEY)}
    return pa.table({field.name: names.get(field.name, pa.nulls(len(keys), field.type)) for field in schemas.GROUP_LOAD}).sort_by(
        "group_id"
    )
