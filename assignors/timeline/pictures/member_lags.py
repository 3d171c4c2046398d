"""Lag by member over a long history, reduced to as few slots as a picture can show."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import Series

# Fewer slots, but with every peak


def thinned(columns: np.ndarray, stretch: np.ndarray, bins: int) -> np.ndarray:
    """Return the row numbers of the slots to draw, int64, ascending: all slots if there are few,
    else the slots with the least and the largest value of each column in each bin.

    Parameters
    ----------
    columns : int64 (S, K)
        Values of each slot, such as lags.
    stretch : int64 (S,)
        For each slot, the number of its stretch, which is a run of slots without a gap. The result
        has the first and the last slot of each stretch, so that gaps keep their length.
    """
    count = columns.shape[0]
    if count <= 2 * bins:
        return np.arange(count)
    size = -(-count // bins)
    # The last bin is filled up with its last row, which changes neither the least nor the largest
    # value.
    rows = np.minimum(np.arange(-(-count // size) * size), count - 1).reshape(-1, size)
    held = columns[rows]
    ends = np.flatnonzero(np.diff(stretch))
    extremes = [
        rows[np.arange(rows.shape[0])[:, None], place(held, axis=1)]
        for place in (np.argmin, np.argmax)
    ]
    return np.unique(
        np.concatenate([*(each.ravel() for each in extremes), ends, ends + 1, [0, count - 1]])
    )


# Lag of each member


@dataclass(frozen=True, eq=False)
class MemberLags:
    """Lag of members over time: R slots of a series, K members with their own line. Unknown lags
    are left out of all sums.

    Parameters
    ----------
    time : float64 (R,)
        Seconds since 1970, ascending.
    stretch : int64 (R,)
        Number of each slot's stretch. Slots with equal numbers have no gap between them.
    member : int64 (K,)
        Row numbers of the members in `member_id`. The member with the largest lag in the range is
        first.
    lag : int64 (R, K + 1)
        Lag of each member in `member`. The last column has the lag of all other members and of
        partitions without an owner.
    total, unknown_count : int64 (R,)
    other_count : int
        Number of members in the last column.
    has_unowned : bool
        Whether a partition without an owner had lag.
    has_unrecorded : bool
        Whether there are slots without recorded owners.
    """

    time: np.ndarray
    stretch: np.ndarray
    member: np.ndarray
    lag: np.ndarray
    total: np.ndarray
    unknown_count: np.ndarray
    other_count: int
    has_unowned: bool
    has_unrecorded: bool = False


def member_lags(series: Series, most_members: int, bins: int) -> MemberLags:
    """Sum lags by member. From each bin of slots, keep the slots with the least and the largest
    value of each column. Also keep the first and the last slot of each stretch.
    """
    lag, unknown = _by_member(series)
    # Members with equal lag are sorted by name, so the same history always has the same colours.
    name = np.argsort(np.argsort(np.array(series.member_id, dtype=np.str_)))
    order = np.lexsort((name, -lag[:, :-1].max(axis=0, initial=0)))
    shown, others = order[:most_members], order[most_members:]
    columns = np.column_stack([lag[:, shown], lag[:, others].sum(axis=1) + lag[:, -1]])
    total = columns.sum(axis=1)
    stretch, rows = (
        _stretches(series),
        np.flatnonzero((series.lag != UNKNOWN_LAG).any(axis=1)),
    )
    drawn = rows[thinned(np.column_stack([total, columns])[rows], stretch[rows], bins)]
    is_recorded = series.shows_owners
    has_unowned = bool(lag[is_recorded, -1].any())
    return MemberLags(
        series.time[drawn],
        stretch[drawn],
        shown,
        columns[drawn],
        total[drawn],
        unknown[drawn],
        others.size,
        has_unowned,
        bool((series.is_there & ~is_recorded).any()),
    )


def _by_member(series: Series) -> tuple[np.ndarray, np.ndarray]:
    """Return the lag of each member, int64 (S, M + 1), and the number of unknown lags, (S,). The
    last column is for partitions without an owner.
    """
    is_known, width = series.lag != UNKNOWN_LAG, len(series.member_id) + 1
    result = np.zeros(series.slot_count * width, dtype=np.int64)
    column = np.where(series.owner == UNASSIGNED, width - 1, series.owner)
    # Not bincount with weights: it adds floats, which lose records beyond 2 ** 53.
    np.add.at(
        result,
        (np.arange(series.slot_count)[:, None] * width + column).ravel(),
        np.where(is_known, series.lag, 0).ravel(),
    )
    return result.reshape(-1, width), np.count_nonzero(series.is_listed & ~is_known, axis=1)


def _stretches(series: Series) -> np.ndarray:
    is_told = (series.lag != UNKNOWN_LAG).any(axis=1)
    begins = np.append(True, (np.diff(series.slot) > 1) | (is_told[1:] != is_told[:-1]))[
        : series.slot_count
    ]
    return np.cumsum(begins)
