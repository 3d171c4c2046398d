"""Total lag of a group at many instants. Rows of partitions are not read."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.data.group.tables.arrow import integers, names
from evenkeel.data.lake.history.history import group_rows, is_own
from evenkeel.data.lake.history.instants import Instants, part_of
from evenkeel.data.lake.place import Place

# Total lag of a group at many instants. GROUP_LOAD has one row for each instant, not for each
# partition.


MOST_FILES = 240
"""At most this many files with one slot are opened. Such a file takes one millisecond. A day stored
as one file takes a few milliseconds.
"""


class Totals(NamedTuple):
    """Total lag of a group at N instants. `row`: positions of the instants on the time axis, int64
    (N,), ascending. `lag`: sum of the known lags, int64 (N,).

    `lag` is `UNKNOWN_LAG` if no lag is known or the group is not listed. `every`: 3 means that only
    every third instant was read, from position `first` on.
    """

    row: np.ndarray
    lag: np.ndarray
    every: int
    first: int


def totals_in(
    lake: Place, group_id: str, snapshots: Instants, most_files: int = MOST_FILES
) -> Totals:
    """Read the total lag of a group. At most `most_files` files that contain one slot are opened,
    so some slots may be skipped. The latest slot is always read.

    Raises
    ------
    SnapshotError
        If a file cannot be read.
    """
    own = [
        tuple(file for file in manifest.tables.get("GROUP_LOAD", ()) if is_own(file, manifest))
        for manifest in snapshots.batches
    ]
    is_single = np.array([bool(files) for files in own], dtype=bool)
    single, every = (
        np.flatnonzero(is_single),
        max(-(-len({file for files in own for file in files}) // most_files), 1),
    )
    row = np.union1d(np.flatnonzero(~is_single), single[::-1][::every])
    read = part_of(snapshots, row)
    rows = group_rows(lake, "GROUP_LOAD", read.batches, [group_id], ("group_id", "lag"))
    place, batch = (
        {name: number for number, name in enumerate(read.axis.batch)},
        names(rows["batch"]),
    )
    of_row = np.array([place.get(name, row.size) for name in batch.name] or [row.size])[batch.code]
    # Rows of other slots go to the extra last element.
    lag = np.full(row.size + 1, UNKNOWN_LAG)
    lag[of_row] = integers(rows["lag"])
    return Totals(row, lag[:-1], every, int(single[0]) if every > 1 else 0)
