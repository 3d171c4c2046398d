"""Periods: runs of slots in which a group has the same members with the same subscriptions, and the same partitions."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.history.series import Series
from evenkeel.data.lake.history.history import History
from evenkeel.data.lake.history.rows import group_rows
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.day import COLUMN

_FEW = 8
"""So many slots are read one by one in the time in which one column of all slots is read."""

_COLUMNS = ("group_id", "member_id", "instance_id", "rack", "member_order", "subscribed", "subscribed_regex", "leader", "group_type")
"""What a rebalance can change of members that stay."""


def periods(lake: Place, history: History) -> list[np.ndarray]:
    """Return the slots that list the group, rows int64, in periods.

    Of few rebalances each begins a period. Of many only those after which MEMBERS says something else: a group that flaps would be read
    anew for each.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    runs = _runs(history.series)
    if len(runs) <= _FEW:
        return runs
    told, joined = _told(lake, history, [int(run[0]) for run in runs]), [runs[0]]
    for before, run in pairwise(runs):
        one, other = (told.get(history.batch[rows[0]]) for rows in (before, run))
        if one is not None and one == other and _is_same(history.series, before[-1], run[0]):
            joined[-1] = np.concatenate([joined[-1], run])
        else:
            joined.append(run)
    return joined


def _runs(series: Series) -> list[np.ndarray]:
    """Return the slots in runs of the same members, partitions and generation."""
    listed = np.flatnonzero(series.is_listed.any(axis=1))
    if not listed.size:
        return []
    is_same = _is_same(series, listed[:-1], listed[1:]) & (series.generation[listed[1:]] == series.generation[listed[:-1]])
    return np.split(listed, np.flatnonzero(~is_same) + 1)


def _is_same(series: Series, before: np.ndarray | int, now: np.ndarray | int) -> np.ndarray | bool:
    return np.logical_and(*((column[now] == column[before]).all(axis=-1) for column in (series.is_member, series.is_listed)))


def _told(lake: Place, history: History, rows: list[int]) -> dict[str, list[dict]]:
    """Return the rows of MEMBERS at these slots, by batch; without those whose subscriptions are not told."""
    found = group_rows(lake, "MEMBERS", [history.manifest[row] for row in rows], [history.group_id], _COLUMNS)
    found = found.filter(pc.is_in(found[COLUMN].cast(pa.string()), value_set=pa.array([history.batch[row] for row in rows])))
    told: dict[str, list[dict]] = {}
    for one in found.to_pylist():
        told.setdefault(one.pop(COLUMN), []).append(one)
    return {batch: some for batch, some in told.items() if all(one["subscribed"] is not None for one in some)}
