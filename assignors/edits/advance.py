"""Time passes: records come in at constant rates, and members read at constant rates."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.drain import EMPTY, lags_after
from evenkeel.assignors.edits.rows.edit_result import EditResult, same_rows
from evenkeel.assignors.edits.set_lag import set_lag
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag


def advance(group: GroupSnapshot, owner: np.ndarray, seconds: float, in_rate: np.ndarray, capacity: np.ndarray) -> EditResult:
    """Return the group after some seconds; partitions of unknown lag stay unknown.

    Parameters
    ----------
    owner : int32 (P,)
        Member that reads each partition, or `UNASSIGNED`.
    in_rate : float64 (P,)
        Records that come in, in records/s.
    capacity : float64 (M,)
        Records that each member can read, in records/s.
    """
    lag = page_lag(group)
    known = lag != UNKNOWN_LAG
    after = np.where(known, lag + in_rate * seconds, lag).astype(np.float64)
    for member in range(group.member_count):
        tps = np.flatnonzero((owner == member) & known)
        after[tps] = lags_after(lag[tps].astype(np.float64), in_rate[tps], float(capacity[member]), seconds)
    return _with_records(
        group, np.flatnonzero(known), lag, np.floor(after + EMPTY).astype(np.int64), np.floor(in_rate * seconds).astype(np.int64)
    )


def _with_records(group: GroupSnapshot, tps: np.ndarray, before: np.ndarray, after: np.ndarray, arrived: np.ndarray) -> EditResult:
    """Return the group with the new end offsets, and commits that leave the new lags; without offsets, with the new lags."""
    has_commit = (group.committed_offset[tps] != UNKNOWN) & (group.end_offset[tps] != UNKNOWN) & (group.given_lag[tps] == UNKNOWN)
    offsets = tps[has_commit]
    end, committed = group.end_offset.copy(), group.committed_offset.copy()
    end[offsets] += arrived[offsets]
    # A commit before the begin offset, or past the end, stays where it is until something is read.
    read = before[offsets] + arrived[offsets] - after[offsets]
    committed[offsets] = np.where(read > 0, end[offsets] - after[offsets], committed[offsets])
    moved = replace(group, end_offset=end, committed_offset=committed)
    others = tps[~has_commit]
    return same_rows(group, set_lag(moved, others, after[others]).group)
