"""A long history as few slots and runs as a picture can show: lag by member, who had the worst
partitions when, counts by topic.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.timeline.ownership import Runs, flapping, ownership

# Fewer slots, without losing a peak


def thinned(columns: np.ndarray, stretch: np.ndarray, bins: int) -> np.ndarray:
    """Return rows, int64 ascending: all if they are few, else the rows with the least and the most
    of each column in each bin.

    Parameters
    ----------
    columns : int64 (S, K)
    stretch : int64 (S,)
        The first and the last row of each stretch stay, so that gaps are as long as they were.
    """
    count = columns.shape[0]
    if count <= 2 * bins:
        return np.arange(count)
    size = -(-count // bins)
    # The last bin is filled up with its last row, which changes neither least nor most.
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
    """R slots of a series, K members with a line each; unknown lags are left out of all sums.

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
    """Sum lags by member; each bin of slots keeps its first and last slot, and the slots with the
    least and the most of each column.
    """
    lag, unknown = _by_member(series)
    # By name where two are equal: the same history has the same colours.
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
    """Return int64 (S, M + 1), the last column for partitions without owner, and how many lags are
    unknown (S,).
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


# What rows have in common


def run_ends(series: Series, last: np.ndarray) -> np.ndarray:
    """Return when runs with these last slots end, in seconds since 1970: if the next slot
    begins, or at the last one before a gap.
    """
    following = np.minimum(last + 1, series.slot_count - 1)
    return np.where(
        series.slot[following] == series.slot[last] + 1, series.time[following], series.time[last]
    )


def last_lag(series: Series) -> np.ndarray:
    """Return the lag of each partition at the last slot that lists any, int64 (P,), `UNKNOWN_LAG`
    if unknown.
    """
    listed = np.flatnonzero(series.is_listed.any(axis=1))
    return series.lag[listed[-1]] if listed.size else np.full(series.tp_count, UNKNOWN_LAG)


# Who had the worst partitions when


_MOST_RUNS = 3000

BINS = 400
"""Parts of the range, each as wide as the narrowest stripe that a picture can show: two pixels."""


@dataclass(frozen=True, eq=False)
class OwnerRows:
    """W partitions, R runs.

    Parameters
    ----------
    tp : int64 (W,)
        Rows of the series, the partition with the largest lag now first.
    lag : int64 (W,)
        At the last slot, `UNKNOWN_LAG` if unknown.
    change_count : int64 (W,)
        How often the owner changed from one member to another.
    row, owner : int32 (R,)
        Place in `tp`, and the member or `UNASSIGNED`.
    begin, end : float64 (R,)
        Seconds since 1970. A run ends if the next begins, or with its last slot before a gap.
    member_id : (R,) str
        The last member that the owner was in the run, empty for nobody.
    id_count : int64 (R,)
        How many members the owner was in the run.
    is_joined : bool
        Whether there are runs too short, or too many, for a picture: of the members in one part of
        the range, the longest is drawn for all.
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
    """Return the partitions with the largest lag now; partitions that the last slot does not list
    come last.
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
    """Return, for the owner of each run, its last member and the number of its members."""
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
        ids.append(
            ""
            if row == UNASSIGNED
            else lives[came - 1].member_id
            if came > gone
            else series.member_id[row]
        )
        counts.append(max(came - gone, 1))
    return tuple(ids), np.array(counts, dtype=np.int64)


def _joined(
    runs: Runs, begin: np.ndarray, end: np.ndarray, least: float
) -> tuple[Runs, np.ndarray, np.ndarray]:
    """Join runs shorter than `least` seconds that begin in the same part of the range; the longest
    gives the owner.

    Gaps stay, and so do longer runs. Runs of one owner that then follow each other are one, too.
    """
    follows = np.append(False, (runs.tp[1:] == runs.tp[:-1]) & (begin[1:] == end[:-1]))
    # A run that lasts no time is of the last slot: the current owner is shown.
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


# How many partitions each member had, one row a topic


OTHER_TOPICS = -1
_MOST_TOPIC_RUNS = 400


@dataclass(frozen=True, eq=False)
class TopicRows:
    """W topics, R runs, K members with a colour each.

    Parameters
    ----------
    topic : int64 (W,)
        Rows of `topic_name`, the one with the largest lag now first; `OTHER_TOPICS`, the last, for
        all that are too many.
    topic_count, tp_count : int64 (W,)
        Topics and partitions of each row.
    lag : int64 (W,)
        At the last slot, the sum of known lags; `UNKNOWN_LAG` if none is known.
    change_count : int64 (W,)
        How often an owner changed from one member to another.
    row : int64 (R,)
        Place in `topic`.
    owned : int64 (R, K + 2)
        Partitions of each member, of all others, and of none.
    begin, end : float64 (R,)
        Seconds since 1970. A run ends if the next begins, or with its last slot before a gap.
    is_joined : bool
        Whether short runs count to the run before them, because there are too many.
    """

    topic: np.ndarray
    topic_count: np.ndarray
    tp_count: np.ndarray
    lag: np.ndarray
    change_count: np.ndarray
    row: np.ndarray
    owned: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    is_joined: bool


def topic_rows(
    series: Series,
    but: np.ndarray,
    members: np.ndarray,
    most: int,
    most_runs: int = _MOST_TOPIC_RUNS,
) -> TopicRows:
    """Return all partitions except `but` by topic, in at most `most` rows; `members`: rows of the
    distinguished members.
    """
    tps = np.setdiff1d(np.arange(series.tp_count), but)
    lag = last_lag(series)[tps]
    topic, of_tp = _topics(series.topic[tps], np.maximum(lag, 0), most)
    rest = _Rest(tps, of_tp, topic.size)
    starts, is_joined = _starts(series, tps, most_runs)
    return TopicRows(
        topic=topic,
        topic_count=np.where(
            topic == OTHER_TOPICS, np.unique(series.topic[tps]).size - topic.size + 1, 1
        ),
        tp_count=rest.sums(np.ones(tps.size, dtype=np.int64)),
        lag=np.where(
            rest.sums((lag != UNKNOWN_LAG).astype(np.int64)) > 0,
            rest.sums(np.maximum(lag, 0)),
            UNKNOWN_LAG,
        ),
        change_count=rest.sums(flapping(series).change_count[tps]),
        is_joined=is_joined,
        **_runs(series, rest, _colors(series, members), starts),
    )


class _Rest(NamedTuple):
    """Partitions, which row each is of, and how many rows there are."""

    tps: np.ndarray
    row: np.ndarray
    row_count: int

    def sums(self, values: np.ndarray) -> np.ndarray:
        result = np.zeros(self.row_count, dtype=np.int64)
        # Not bincount with weights: it adds floats, which lose records beyond 2 ** 53.
        np.add.at(result, self.row, values)
        return result


def _topics(topic: np.ndarray, lag: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the topics by lag, and the row of each partition."""
    topics, code = np.unique(topic, return_inverse=True)
    order = np.lexsort((topics, -_Rest(topic, code, topics.size).sums(lag)))
    row = np.argsort(order)[code]
    if topics.size > most:
        return np.append(topics[order[: most - 1]], OTHER_TOPICS).astype(np.int64), np.minimum(
            row, most - 1
        )
    return topics[order].astype(np.int64), row


def _colors(series: Series, members: np.ndarray) -> np.ndarray:
    """Return the column of `owned` for each member, and for `UNASSIGNED` as the last."""
    result = np.full(len(series.member_id) + 1, members.size)
    result[members] = np.arange(members.size)
    result[UNASSIGNED] = members.size + 1
    return result


def _starts(series: Series, tps: np.ndarray, most: int) -> tuple[np.ndarray, bool]:
    """Return the rows of slots at which an owner changes or a gap ends; of too many the first in
    each part of the range.
    """
    is_shown = series.is_listed[:, tps] & series.shows_owners[:, None]
    cells = np.where(is_shown, series.owner[:, tps], np.int32(UNASSIGNED - 1))
    is_gap = np.diff(series.slot) > 1
    rows = np.append(0, np.flatnonzero((cells[1:] != cells[:-1]).any(axis=1) | is_gap) + 1)
    if rows.size <= most:
        return rows, False
    part = ((series.time[rows] - series.time[0]) / np.ptp(series.time) * most).astype(np.int64)
    return rows[np.append(True, np.diff(part) > 0) | is_gap[rows - 1]], True


def _runs(
    series: Series, rest: _Rest, color: np.ndarray, starts: np.ndarray
) -> dict[str, np.ndarray]:
    kinds, count = int(color.max()) + 1, starts.size
    cells = np.ix_(starts, rest.tps)
    place = (np.arange(count)[:, None] * rest.row_count + rest.row) * kinds + color[
        series.owner[cells]
    ]
    is_shown = series.is_listed[cells] & series.shows_owners[starts, None]
    sums = np.bincount(place[is_shown], minlength=count * rest.row_count * kinds)
    owned = sums.reshape(count, rest.row_count, kinds).swapaxes(0, 1)
    last = np.append(starts[1:], series.slot_count) - 1
    begin, end = series.time[starts], run_ends(series, last)
    is_first = np.ones(owned.shape[:2], dtype=bool)
    is_first[:, 1:] = (owned[:, 1:] != owned[:, :-1]).any(axis=2) | (begin[1:] != end[:-1])
    row, first = np.nonzero(is_first)
    is_last = np.append(row[1:] != row[:-1], True)
    until = np.where(is_last, count, np.append(first[1:], count)) - 1
    has_owner = owned[row, first].any(axis=1)
    return {
        "row": row[has_owner],
        "owned": owned[row, first][has_owner],
        "begin": begin[first][has_owner],
        "end": end[until][has_owner],
    }
