"""Lag of each member over time, as few slots of it as a picture can show."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.history.pictures.thinning import thinned
from evenkeel.assignors.history.series import Series


@dataclass(frozen=True, eq=False)
class MemberLags:
    """R slots of a series, K members that are told apart; unknown lags are left out of all sums.

    Parameters
    ----------
    time : float64 (R,)
        Seconds since 1970, ascending.
    stretch : int64 (R,)
        Equal numbers have no gap between them.
    member : int64 (K,)
        Rows of `member_id`, the one with the largest lag of the range first.
    lag : int64 (R, K + 1)
        Of these members; the last column has all others, and partitions without owner.
    total, unknown_count : int64 (R,)
    other_count : int
        Members of the last column.
    has_unowned : bool
        Whether a partition without owner had lag.
    """

    time: np.ndarray
    stretch: np.ndarray
    member: np.ndarray
    lag: np.ndarray
    total: np.ndarray
    unknown_count: np.ndarray
    other_count: int
    has_unowned: bool


def member_lags(series: Series, most_members: int, bins: int) -> MemberLags:
    """Sum lags by member; of each bin of slots stay the first and the last, and those with the least and the most of each column."""
    lag, unknown = _by_member(series)
    # By name where two are equal: the same history has the same colours.
    name = np.argsort(np.argsort(np.array(series.member_id, dtype=np.str_)))
    order = np.lexsort((name, -lag[:, :-1].max(axis=0, initial=0)))
    shown, others = order[:most_members], order[most_members:]
    columns = np.column_stack([lag[:, shown], lag[:, others].sum(axis=1) + lag[:, -1]])
    total = columns.sum(axis=1)
    stretch, rows = _stretches(series, unknown), np.flatnonzero((series.lag != UNKNOWN_LAG).any(axis=1))
    kept = rows[thinned(np.column_stack([total, columns])[rows], stretch[rows], bins)]
    has_unowned = bool(lag[:, -1].any())
    return MemberLags(series.time[kept], stretch[kept], shown, columns[kept], total[kept], unknown[kept], others.size, has_unowned)


def _by_member(series: Series) -> tuple[np.ndarray, np.ndarray]:
    """Return int64 (S, M + 1), the last column for partitions without owner, and how many lags are unknown (S,)."""
    is_known, width = series.lag != UNKNOWN_LAG, len(series.member_id) + 1
    result = np.zeros(series.slot_count * width, dtype=np.int64)
    column = np.where(series.owner == UNASSIGNED, width - 1, series.owner)
    # Not bincount with weights: it adds floats, which lose records beyond 2 ** 53.
    np.add.at(result, (np.arange(series.slot_count)[:, None] * width + column).ravel(), np.where(is_known, series.lag, 0).ravel())
    return result.reshape(-1, width), np.count_nonzero(series.is_listed & ~is_known, axis=1)


def _stretches(series: Series, unknown: np.ndarray) -> np.ndarray:
    is_told = (series.lag != UNKNOWN_LAG).any(axis=1)
    begins = np.append(True, (np.diff(series.slot) > 1) | (is_told[1:] != is_told[:-1]))[: series.slot_count]
    return np.cumsum(begins)
