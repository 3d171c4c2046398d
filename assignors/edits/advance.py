"""Time passes: records come in at constant rates, and members read at constant rates.

A member serves its partitions with lag in equal parts (Kafka's fetcher is fair among partitions with data); one that needs less than
its part leaves the rest to the others.
"""

from dataclasses import replace

import numpy as np

from assignors.edits.rows.edited import Edited, unmoved
from assignors.edits.set_lag import set_lag
from assignors.group import UNKNOWN, GroupSnapshot
from assignors.group.lag import UNKNOWN_LAG, page_lag

_EMPTY = 1e-6
"""Records: a smaller lag is none, because of rounding."""


def advance(group: GroupSnapshot, owner: np.ndarray, seconds: float, in_rate: np.ndarray, capacity: np.ndarray) -> Edited:
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
        group, np.flatnonzero(known), lag, np.floor(after + _EMPTY).astype(np.int64), np.floor(in_rate * seconds).astype(np.int64)
    )


def lags_after(behind: np.ndarray, in_rate: np.ndarray, capacity: float, seconds: float) -> np.ndarray:
    """Return how far one member's partitions are behind after some seconds, float64, exact for constant rates."""
    behind = behind.copy()
    while seconds > 0 and behind.size:
        lags = behind > _EMPTY
        falls = _shares(np.where(lags, np.inf, in_rate), capacity) - in_rate
        emptied = lags & (falls > 0)
        passes = min(seconds, float((behind[emptied] / falls[emptied]).min(initial=np.inf)))
        behind = np.maximum(behind - falls * passes, 0)
        if not emptied.any():
            break
        seconds -= passes
    return behind


def _shares(needs: np.ndarray, capacity: float) -> np.ndarray:
    """Return what each partition gets, records/s: its need, or an equal part of what those that need less leave."""
    shares, left = np.zeros(needs.size), capacity
    order = np.argsort(needs, kind="stable")
    for place, partition in enumerate(order.tolist()):
        shares[partition] = min(needs[partition], left / (needs.size - place))
        left -= shares[partition]
    return shares


def _with_records(group: GroupSnapshot, tps: np.ndarray, before: np.ndarray, after: np.ndarray, arrived: np.ndarray) -> Edited:
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
    return unmoved(group, set_lag(moved, others, after[others]).group)
