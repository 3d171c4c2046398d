"""Owner rows: who had the worst partitions when, as few runs as a picture can show."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.history.changes.ownership import Runs, flapping, ownership
from assignors.history.pictures.run_times import last_lag, run_ends
from assignors.history.series import Series

_MOST_RUNS = 3000


@dataclass(frozen=True, eq=False)
class OwnerRows:
    """W partitions, R runs.

    Parameters
    ----------
    tp : int64 (W,)
        Rows of the series, the partition with the largest lag now first.
    lag : int64 (W,)
        At the last slot, `UNKNOWN_LAG` where unknown.
    change_count : int64 (W,)
        How often the owner changed from one member to another.
    row, owner : int32 (R,)
        Place in `tp`, and the member or `UNASSIGNED`.
    begin, end : float64 (R,)
        Seconds since 1970. A run ends where the next begins, or with its last slot before a gap.
    member_id : (R,) str
        The last member that the owner was in the run, empty for nobody.
    id_count : int64 (R,)
        How many members the owner was in the run.
    is_joined : bool
        Whether short runs count to the run before them, because there are too many.
    """

    tp: np.ndarray
    lag: np.ndarray
    change_count: np.ndarray
    row: np.ndarray
    owner: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    member_id: tuple[str, ...]
    id_count: np.ndarray
    is_joined: bool


def owner_rows(series: Series, most: int, most_runs: int = _MOST_RUNS) -> OwnerRows:
    """Return the partitions with the largest lag now; those that the last slot does not list come last."""
    lag = last_lag(series)
    tps = np.argsort(-lag, kind="stable")[:most]
    chosen = replace(series, topic=series.topic[tps], owner=series.owner[:, tps], is_listed=series.is_listed[:, tps])
    runs, least = ownership(chosen), 0.0
    run_count = runs.tp.size
    begin, end = series.time[runs.first], run_ends(series, runs.last)
    while runs.tp.size > most_runs:
        least = 2 * least or float(np.ptp(series.time)) / 1000
        runs, begin, end = _joined(runs, begin, end, least)
    changes = flapping(chosen).change_count
    member_id, id_count = _members(series, runs)
    return OwnerRows(tps, lag[tps], changes, runs.tp, runs.owner, begin, end, member_id, id_count, runs.tp.size < run_count)


def _members(series: Series, runs: Runs) -> tuple[tuple[str, ...], np.ndarray]:
    """Return the last member that the owner of each run was, and how many it was."""
    ids, counts = [], []
    for row, since, until in zip(runs.owner.tolist(), series.time[runs.first].tolist(), series.time[runs.last].tolist(), strict=True):
        lives = series.lives[row] if series.lives and row != UNASSIGNED else ()
        came = bisect_right(lives, until, key=lambda life: life.first)
        gone = bisect_left(lives, since, hi=came, key=lambda life: life.last)
        ids.append("" if row == UNASSIGNED else lives[came - 1].member_id if came > gone else series.member_id[row])
        counts.append(max(came - gone, 1))
    return tuple(ids), np.array(counts, dtype=np.int64)


def _joined(runs: Runs, begin: np.ndarray, end: np.ndarray, least: float) -> tuple[Runs, np.ndarray, np.ndarray]:
    """Add runs shorter than `least` seconds to the one before them, unless a gap is between them."""
    follows = np.append(False, (runs.tp[1:] == runs.tp[:-1]) & (begin[1:] == end[:-1]))
    starts = np.flatnonzero(~follows | (end - begin >= least))
    last = np.append(starts[1:], runs.tp.size) - 1
    return Runs(runs.tp[starts], runs.owner[starts], runs.first[starts], runs.last[last]), begin[starts], end[last]
