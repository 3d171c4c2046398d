"""Owner rows: who had the worst partitions when, as few runs as a picture can show."""

from dataclasses import dataclass, replace

import numpy as np

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
    return OwnerRows(tps, lag[tps], changes, runs.tp, runs.owner, begin, end, runs.tp.size < run_count)


def _joined(runs: Runs, begin: np.ndarray, end: np.ndarray, least: float) -> tuple[Runs, np.ndarray, np.ndarray]:
    """Add runs shorter than `least` seconds to the one before them, unless a gap is between them."""
    follows = np.append(False, (runs.tp[1:] == runs.tp[:-1]) & (begin[1:] == end[:-1]))
    starts = np.flatnonzero(~follows | (end - begin >= least))
    last = np.append(starts[1:], runs.tp.size) - 1
    return Runs(*(column[starts] for column in runs)), begin[starts], end[last]
