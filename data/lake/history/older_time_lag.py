"""Time lags of groups that are farther behind than the snapshots that were looked at: a few older ones tell them."""

from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.lake.history.instants import LENGTH, Instants, instants, part_of
from evenkeel.data.lake.history.recent import group_verdicts
from evenkeel.data.lake.place import Place

_FARTHER = 1.5
"""Each older snapshot is so much farther back than the one before: a dozen reach over a day."""

MOST_GROUPS = 200
"""Those farthest behind: 300 groups of 20 partitions take 1.8 s, of a quarter of a day."""

_COLUMNS = ("lag_seconds", "lag_seconds_method", "unknown_seconds_count")


def with_older_time_lags(lake: Place, cluster: str, groups: pa.Table, found: Instants) -> pa.Table:
    """GROUP_VERDICT -> GROUP_VERDICT, with time lags from snapshots of the last 24 hours where they were extrapolated.

    They stay extrapolated where the record is older than these, too, and beyond `MOST_GROUPS`.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    is_far = pc.equal(groups["lag_seconds_method"], "extrapolated")
    far = groups.filter(is_far).sort_by([("lag_seconds", "descending")])["group_id"].slice(0, MOST_GROUPS).to_pylist()
    if not far:
        return groups
    last = datetime.fromtimestamp(found.axis.time[-1], UTC)
    whole = instants(lake, cluster, last - LENGTH, last)
    rows = older_rows(len(whole.batches), len(found.batches))
    if rows.size < 3:
        return groups
    older = group_verdicts(lake, part_of(whole, rows), cluster, far).groups
    place = pc.index_in(groups["group_id"], older["group_id"])
    for name in _COLUMNS:
        column = pc.if_else(place.is_valid(), older[name].take(place), groups[name])
        groups = groups.set_column(groups.column_names.index(name), groups.schema.field(name), column)
    return groups


def older_rows(count: int, looked_at: int) -> np.ndarray:
    """Return the rows of a few of so many snapshots, ascending: the first and the last, and between them the older the fewer.

    Of those that were looked at there are the first and the last.
    """
    first = max(looked_at - 1, 1)
    steps = np.ceil(np.log(max(count / first, 1)) / np.log(_FARTHER))
    back = np.minimum(np.round(first * _FARTHER ** np.arange(steps + 1)), count - 1)
    return np.unique(count - 1 - np.concatenate([[0], back]).astype(np.int64))
