"""The owners of the worst partitions over time."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.timeline.ownership import Runs, flapping, ownership
from evenkeel.assignors.timeline.pictures.runs import last_lag, run_ends

# Owners of the worst partitions over time


_MOST_RUNS = 3000

BINS = 400
"""Number of parts of the range. Each is as wide as the narrowest visible stripe: two pixels."""


@dataclass(frozen=True, eq=False)
class OwnerRows:
    """Owners of the worst partitions over time: W partitions, R runs.

    Parameters
    ----------
    tp : int64 (W,)
        Row numbers of the partitions in the series. The partition with the largest present lag is
        first.
    lag : int64 (W,)
        Lag at the last slot, `UNKNOWN_LAG` if unknown.
    change_count : int64 (W,)
        Number of changes of owner from one member to another.
    row, owner : int32 (R,)
        For each run: its partition as an index in `tp`, and its owner or `UNASSIGNED`.
    begin, end : float64 (R,)
        Seconds since 1970. A run ends when the next run starts, or at its last slot before a gap.
    member_id : (R,) str
        The owner's last member id in the run. Empty without an owner.
    id_count : int64 (R,)
        Number of the owner's member ids in the run.
    is_joined : bool
        Whether short runs were joined, because a picture has no room for them. A joined run has the
        owner of its longest run.
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
    """Return the owners of the partitions with the largest present lag. Partitions that the last
    slot does not list are last.
    """
    lag = last_lag(series)
    tps = np.argsort(-lag, kind="stable")[:most]
    chosen = replace(
        series,
        topic=series.topic[tps],
        owner=series.owner[:, tps],
        is_listed=series.is_listed[:, tps],
    )
    of_slots, whole = ownership(chosen), float(np.ptp(series.time))
    times = series.time[of_slots.first], run_ends(series, of_slots.last)
    bins = BINS
    runs, begin, end = _joined(of_slots, *times, whole / bins)
    while runs.tp.size > most_runs and bins > 1:
        bins //= 2
        runs, begin, end = _joined(of_slots, *times, whole / bins)
    changes = flapping(chosen).change_count
    member_id, id_count = _members(series, runs)
    return OwnerRows(
        tps,
        lag[tps],
        changes,
        runs.tp,
        runs.owner,
        begin,
        end,
        member_id,
        id_count,
        runs.tp.size < of_slots.tp.size,
    )


def _members(series: Series, runs: Runs) -> tuple[tuple[str, ...], np.ndarray]:
    """Return for each run the last member id of its owner, and the number of the owner's member ids
    in the run.
    """
    ids, counts = [], []
    for row, since, until in zip(
        runs.owner.tolist(),
        series.time[runs.first].tolist(),
        series.time[runs.last].tolist(),
        strict=True,
    ):
        lives = series.lives[row] if series.lives and row != UNASSIGNED else ()
        came = bisect_right(lives, until, key=lambda life: life.first)
        gone = bisect_left(lives, since, hi=came, key=lambda life: life.last)
        member_id = "" if row == UNASSIGNED else series.member_id[row]
        ids.append(lives[came - 1].member_id if came > gone else member_id)
        counts.append(max(came - gone, 1))
    return tuple(ids), np.array(counts, dtype=np.int64)


def _joined(
    runs: Runs, begin: np.ndarray, end: np.ndarray, least: float
) -> tuple[Runs, np.ndarray, np.ndarray]:
    """Join runs shorter than `least` seconds that start in the same part of the range. The joined
    run has the owner of the longest of these runs.

    Gaps and longer runs are unchanged. After that, directly successive runs with the same owner are
    joined.
    """
    follows = np.append(False, (runs.tp[1:] == runs.tp[:-1]) & (begin[1:] == end[:-1]))
    # A run of 0 seconds is at the last slot. It stays separate, because it shows the current owner.
    is_short = (end - begin < least) & (end > begin)
    place = (begin - begin.min(initial=np.inf)) // (least or 1)
    is_start = ~(follows & is_short & np.roll(is_short, 1) & (place == np.roll(place, 1)))
    starts = np.flatnonzero(is_start)
    owner = runs.owner[np.lexsort((begin - end, np.cumsum(is_start)))[starts]]
    is_new = ~(follows[starts] & (owner == np.roll(owner, 1)))
    starts, owner = starts[is_new], owner[is_new]
    last = np.append(starts[1:], runs.tp.size)[: starts.size] - 1
    return (
        Runs(runs.tp[starts], owner, runs.first[starts], runs.last[last]),
        begin[starts],
        end[last],
    )
