"""Rows of one group in a table: those of its name or its file, at one instant."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from evenkeel.data.tables.arrow import names, times

if TYPE_CHECKING:
    import pyarrow as pa


class GroupKey(NamedTuple):
    """What names a group: its id, or the file of a listing without group names."""

    group_id: str | None
    source_file: str | None = None


def of_group(table: "pa.Table", key: GroupKey) -> "pa.Table":
    """Return the rows of a group; a file restricts them to those of the file."""
    group = names(table["group_id"])
    wanted = -1 if key.group_id is None else group.name.index(key.group_id) if key.group_id in group.name else None
    mask = np.zeros(table.num_rows, dtype=bool) if wanted is None else group.code == wanted
    if key.source_file is not None:
        file = names(table["source_file"])
        mask &= np.isin(file.code, [code for code, name in enumerate(file.name) if name == key.source_file])
    return table if mask.all() else table.filter(mask)


def instant_of(tables: "list[pa.Table]", at: datetime | None = None) -> np.datetime64 | None:
    """Return the instant that is wanted, else the latest one, None where no row carries a time."""
    if at is not None:
        # datetime64 has no time zone.
        return np.datetime64(at.astimezone(UTC).replace(tzinfo=None), "us")
    known = np.concatenate([times(table) for table in tables])
    known = known[~np.isnat(known)]
    return known.max() if known.size else None


def at_instant(table: "pa.Table", instant: np.datetime64 | None) -> "pa.Table":
    """Return the rows of one instant and those that carry no time; all rows where the instant is None."""
    if instant is None:
        return table
    time = times(table)
    mask = np.isnat(time) | (time == instant)
    return table if mask.all() else table.filter(mask)
