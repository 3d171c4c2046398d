"""Ownership: who had which partition from when to when, and what changes of it cost."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.history.series import Series


class Runs(NamedTuple):
    """Runs of slots in which a partition had the same owner, by partition and time.

    int32 (R,): partition, owner (`UNASSIGNED` for nobody), rows of the first and the last slot. A gap, and a slot that does not list the
    partition, ends a run.
    """

    tp: np.ndarray
    owner: np.ndarray
    first: np.ndarray
    last: np.ndarray


def held_since(owner: np.ndarray, end: np.ndarray, longest: int) -> np.ndarray:
    """Return since which row the owners of some rows have had their partitions, int64 (P,).

    Slots without an owner between two of the same are a rebalance, unless there are more than `longest`.

    Parameters
    ----------
    owner : int32 (S, P)
    end : int64 (P,)
        The row that is asked of each partition; one that has no owner there has it since that row.
    """
    rows = np.arange(owner.shape[0], dtype=np.int64)[:, None]
    now = np.take_along_axis(owner, end[None], axis=0)
    is_owned = (owner != UNASSIGNED) & (rows <= end)
    mine, other = is_owned & (owner == now), is_owned & (owner != now)
    never = -longest - 2
    last_mine, last_other = (np.maximum.accumulate(np.where(mask, rows, never), axis=0) for mask in (mine, other))
    before = np.vstack([np.full((1, end.size), never), last_mine[:-1]])
    begins = mine & ((rows - before > longest + 1) | (last_other > before))
    return np.where(now[0] == UNASSIGNED, end, np.where(begins, rows, 0).max(axis=0, initial=0))


class Flapping(NamedTuple):
    """By partition, int64 (P,): changes of owner, and those that went back to the former owner; in so many `hours`."""

    change_count: np.ndarray
    returns: np.ndarray
    hours: float

    @property
    def changes_an_hour(self) -> np.ndarray:
        """float64 (P,)."""
        return self.change_count / self.hours


def ownership(series: Series) -> Runs:
    """Return who had what."""
    listed = series.is_listed.T
    owner = np.where(listed, series.owner.T, np.int32(UNASSIGNED - 1))
    begins = np.ones(owner.shape, dtype=bool)
    begins[:, 1:] = (owner[:, 1:] != owner[:, :-1]) | (np.diff(series.slot) > 1)
    tp, first = np.nonzero(begins)
    last = np.append(first[1:], owner.shape[1]) - 1
    last[np.append(tp[1:] != tp[:-1], True)] = owner.shape[1] - 1
    kept = listed[tp, first]
    return Runs(*(column[kept].astype(np.int32) for column in (tp, owner[tp, first], first, last)))


def flapping(series: Series) -> Flapping:
    """Count changes of owner, from one member to another; slots without an owner between them do not count."""
    runs = ownership(series)
    has_owner = runs.owner != UNASSIGNED
    tp, owner = runs.tp[has_owner], runs.owner[has_owner]
    is_change = np.zeros(tp.size, dtype=bool)
    is_change[1:] = (tp[1:] == tp[:-1]) & (owner[1:] != owner[:-1])
    tp, owner, before = tp[is_change], owner[is_change], np.roll(owner, 1)[is_change]
    back = np.zeros(tp.size, dtype=bool)
    back[1:] = (tp[1:] == tp[:-1]) & (owner[1:] == before[:-1])
    hours = np.ptp(series.time) / 3600 if series.slot_count > 1 else np.inf
    counts = [np.bincount(tp[mask], minlength=series.tp_count) for mask in (slice(None), back)]
    return Flapping(*counts, float(hours))


class Unowned(NamedTuple):
    """Partition-seconds without owner, and all partition-seconds, while the group had members."""

    seconds: float
    all_seconds: float


def unowned(series: Series) -> Unowned:
    """Return what rebalances cost: each slot stands until the next one, gaps are left out."""
    lasts = np.where(np.diff(series.slot) == 1, np.diff(series.time), 0.0) * series.is_member[:-1].any(axis=1)
    without = series.is_listed & (series.owner == UNASSIGNED)
    return Unowned(*(float((np.count_nonzero(cells, axis=1)[:-1] * lasts).sum()) for cells in (without, series.is_listed)))
