"""Progress of each partition at each slot: left, stop, forgotten, blocked, stall. If several of
these rules apply, only the first counts.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.episodes.evidence import HALF, WINDOW, Evidence, run_lengths
from evenkeel.assignors.episodes.settings import Settings
from evenkeel.assignors.episodes.track import Track
from evenkeel.assignors.group.snapshot import UNKNOWN

_IN_A_ROW = 3


@dataclass(frozen=True, eq=False)
class Holding:
    """The result of a rule, (S, K): S slots, and K partitions, members or groups.

    `since`: when the rule began to apply, in seconds since 1970. `is_least`: whether the problem
    started before the first slot.
    """

    holds: np.ndarray
    since: np.ndarray
    is_least: np.ndarray

    @staticmethod
    def never(shape: tuple[int, ...]) -> "Holding":
        """Return a result in which the rule applies at no slot."""
        return Holding(np.zeros(shape, bool), np.zeros(shape), np.zeros(shape, bool))

    def but(self, others: np.ndarray) -> "Holding":
        """Return the result without the slots and columns in which `others` is True."""
        return Holding(self.holds & ~others, self.since, self.is_least)


@dataclass(frozen=True, eq=False)
class Progress:
    """The rules of progress. At most one of them applies to a partition at a slot.

    `is_uncommitted`: bool (S, P), whether `stop` applies because there is no commit. `is_stuck`:
    bool (S, P).
    """

    unknown_lag: Holding
    left: Holding
    stop: Holding
    forgotten: Holding
    blocked: Holding
    stall: Holding
    is_uncommitted: np.ndarray
    is_stuck: np.ndarray


def progress(evidence: Evidence, track: Track, settings: Settings) -> Progress:
    """Judge the progress at every slot. The judgement of a slot never depends on later slots."""
    unknown = _unknown(evidence)
    left, is_left, left_ended = _left(evidence)
    stuck = _stuck(evidence, track)
    is_read = evidence.has_members[:, None] if evidence.is_share else evidence.is_owned
    is_unowned = evidence.is_listed[:, None] & ~is_read
    taken = unknown.holds | is_left

    uncommitted = _uncommitted(evidence).but(taken)
    owned = _owned(evidence, stuck.holds & ~taken, is_unowned)
    stop = stuck.but(taken | ~is_unowned | owned.may_be)
    # While no member subscribed to the topic, no reader was missing.
    since = np.maximum(stop.since, left_ended)
    stop = Holding(
        stop.holds | uncommitted.holds,
        np.where(uncommitted.holds, uncommitted.since, since),
        np.where(uncommitted.holds, uncommitted.is_least, stop.is_least & (since == stop.since)),
    )
    forgotten = _forgotten(evidence, stop, settings.forgotten)
    is_blocked = _is_blocked(evidence, track, owned.may_be)
    return Progress(
        unknown_lag=unknown,
        left=left,
        stop=stop.but(forgotten.holds),
        forgotten=forgotten,
        blocked=stuck.but(~is_blocked),
        stall=stuck.but(~owned.surely | _recently(is_blocked)),
        is_uncommitted=uncommitted.holds,
        is_stuck=stuck.holds,
    )


def in_a_row(evidence: Evidence, condition: np.ndarray, count: int) -> Holding:
    """Return whether a condition, bool (S, K), has been True at `count` or more listed slots in a
    row. `since`: the first of these slots.
    """
    holding = Holding.never(condition.shape)
    rows, columns = np.flatnonzero(evidence.is_listed), np.flatnonzero(condition.any(axis=0))
    if rows.size and columns.size:
        cells = np.ix_(rows, columns)
        run = run_lengths(condition[cells])
        start = np.arange(rows.size)[:, None] - np.maximum(run - 1, 0)
        holding.holds[cells] = run >= count
        holding.since[cells] = evidence.series.time[rows][start]
        holding.is_least[cells] = start == 0
    return holding


def _in_group(evidence: Evidence) -> np.ndarray:
    known = evidence.series.committed_offset != UNKNOWN
    # A topic may have grown, so the partition may not have existed at earlier slots.
    return known | evidence.is_owned | (evidence.is_subscribed & evidence.series.is_listed)


def _unknown(evidence: Evidence) -> Holding:
    is_unknown = evidence.series.end_offset == UNKNOWN
    return in_a_row(evidence, is_unknown & _in_group(evidence), _IN_A_ROW)


class _UnreadPartitions(NamedTuple):
    """Partitions of topics to which no member subscribes.

    `holding`: the result of the rule, which also needs lag. `is_left`: bool (S, P), whether no
    member subscribes to the topic. `ended`: float64 (S, P), time of the slot after the latest slot
    at which `is_left` is certain; -inf if there is no such slot.
    """

    holding: Holding
    is_left: np.ndarray
    ended: np.ndarray


def _left(evidence: Evidence) -> _UnreadPartitions:
    series, rows = evidence.series, np.flatnonzero(evidence.is_listed)
    shape = series.lag.shape
    result = _UnreadPartitions(
        Holding.never(shape), np.zeros(shape, dtype=bool), np.full(shape, -np.inf)
    )
    is_free = ~evidence.is_subscribed & ~evidence.is_owned & (series.committed_offset != UNKNOWN)
    is_off = is_free & evidence.knows_subscriptions[:, None]
    cells = np.ix_(rows, np.flatnonzero(is_off[rows].any(axis=0)))
    committed, is_off = series.committed_offset[cells], is_off[cells]
    if not is_off.size:
        return result
    stays = np.ones(committed.shape, dtype=bool)
    stays[1:] = committed[1:] == committed[:-1]
    # The slot of the final commit is already the first slot without a reader.
    begins = is_off.copy()
    begins[1:] &= ~is_off[:-1]
    is_off &= stays | begins

    # A member that joins again has no subscription yet, and a group may have no member for a
    # moment.
    row = np.arange(rows.size)[:, None]
    last_off = _last(is_off, row)
    may_be = is_free[cells] & ~is_off & stays & (row - last_off <= WINDOW)
    may_be &= ~evidence.knows_subscriptions[rows][:, None]
    is_run = is_off | (may_be & (last_off > _last(~is_off & ~may_be, row)))
    begin = np.minimum(_last(~is_run, row) + 1, rows.size - 1)
    count = np.cumsum(is_off, axis=0)
    in_run = count - np.take_along_axis(count - is_off, begin, axis=0)
    is_left = is_run & (in_run >= _IN_A_ROW)

    time = series.time[rows]
    last_left = _last(is_left & is_off, row)
    after = time[np.minimum(last_left + 1, rows.size - 1)]
    result.is_left[cells] = is_left
    result.ended[cells] = np.where(last_left >= 0, after, -np.inf)
    result.holding.holds[cells] = is_left & (series.lag[cells] > 0)
    result.holding.since[cells] = time[begin]
    result.holding.is_least[cells] = begin == 0
    return result


def _last(holds: np.ndarray, row: np.ndarray) -> np.ndarray:
    """For each row number in `row`: return the nearest row at or before it in which `holds` is
    True, or -1.
    """
    return np.maximum.accumulate(np.where(holds, row, -1), axis=0)


def _stuck(evidence: Evidence, track: Track) -> Holding:
    observed = evidence.observed
    cells = np.nonzero(track.is_stuck)
    moved = track.last_moved[cells]
    since = np.zeros(track.is_stuck.shape)
    since[cells] = track.time[np.where(moved < 0, track.first[cells], moved), cells[1]]
    holds = observed.at_slots(track.is_stuck, False)
    is_known = evidence.series.committed_offset != UNKNOWN
    return Holding(
        holds & is_known & evidence.is_listed[:, None],
        observed.at_slots(since, 0.0),
        observed.at_slots(track.last_moved < 0, False),
    )


class _OwnedPartitions(NamedTuple):
    """Whether a stuck partition has an owner, bool (S, P).

    `may_be`: has an owner, or has had none for less than half a window. `surely`: has had an owner
    for half a window, enough for a first commit.
    """

    may_be: np.ndarray
    surely: np.ndarray


def _owned(evidence: Evidence, is_stuck: np.ndarray, is_unowned: np.ndarray) -> _OwnedPartitions:
    result = _OwnedPartitions(
        np.zeros(is_stuck.shape, dtype=bool), np.zeros(is_stuck.shape, dtype=bool)
    )
    rows = np.flatnonzero(evidence.is_listed)
    cells = np.ix_(rows, np.flatnonzero(is_stuck.any(axis=0)))
    owner, is_away = evidence.series.owner[cells], is_unowned[cells]
    if not owner.size:
        return result
    row = np.arange(rows.size)[:, None]
    changes = np.zeros(owner.shape, dtype=bool)
    changes[1:] = (owner[1:] != owner[:-1]) | (is_away[1:] != is_away[:-1])
    is_settled = row - _last(changes, row) >= HALF - 1
    is_between = is_away & ~is_settled & evidence.has_members[rows][:, None]
    may_be = is_stuck[cells] & (~is_away | is_between)
    since_row = _last(~may_be, row)
    result.may_be[cells] = may_be
    result.surely[cells] = may_be & (_last(may_be & ~is_away & is_settled, row) > since_row)
    return result


def _uncommitted(evidence: Evidence) -> Holding:
    series = evidence.series
    has_records = (series.end_offset != UNKNOWN) & (
        series.end_offset > np.maximum(series.begin_offset, 0)
    )
    is_unread = (series.committed_offset == UNKNOWN) & ~evidence.is_owned & has_records
    if evidence.is_share:
        # A share group has no commits.
        is_unread &= False
    return in_a_row(evidence, is_unread & evidence.is_subscribed, HALF)


def _recently(holds: np.ndarray) -> np.ndarray:
    """Return whether `holds` is True, or was True less than half a window ago. The owner perhaps
    had no time to read since then.
    """
    if not holds.any():
        return holds
    rows = np.arange(holds.shape[0])[:, None]
    return rows - np.maximum.accumulate(np.where(holds, rows, -HALF), axis=0) < HALF


def empty_since(evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays (S,): the time since which the group has had no members, and whether it
    already had none before the first slot. Values at slots with members have no meaning.
    """
    empty = in_a_row(evidence, ~evidence.has_members[:, None], 1)
    return empty.since[:, 0], empty.is_least[:, 0]


def _forgotten(evidence: Evidence, stop: Holding, seconds: float) -> Holding:
    since, is_least = empty_since(evidence)
    moment = np.maximum(stop.since, since[:, None]) + seconds
    is_empty = evidence.is_listed & ~evidence.has_members
    is_over = evidence.series.time[:, None] >= moment
    return Holding(
        stop.holds & is_empty[:, None] & is_over, moment, stop.is_least & is_least[:, None]
    )


def _is_blocked(evidence: Evidence, track: Track, is_held: np.ndarray) -> np.ndarray:
    """Return the stuck partitions in which all remaining records belong to open transactions, and
    whose last stable offset has not grown since they got stuck.

    `is_held`: stuck partitions with an owner.
    """
    result = np.zeros(is_held.shape, dtype=bool)
    tps = np.flatnonzero((is_held & (evidence.stable_end != UNKNOWN)).any(axis=0))
    if not tps.size:
        return result
    stable = evidence.observed.of(evidence.stable_end)[:, tps]
    is_asked = stable != UNKNOWN
    last = np.maximum.accumulate(np.where(is_asked, track.row, -1), axis=0)
    value = np.take_along_axis(stable, np.maximum(last, 0), axis=0)
    before = np.full(last.shape, -1)
    before[1:] = last[:-1]
    old = np.take_along_axis(stable, np.maximum(before, 0), axis=0)
    changes = is_asked & (before >= 0) & (stable != old)
    # The last row at which the offset had another value than now.
    other = np.maximum.accumulate(np.where(changes, before, -1), axis=0)
    since = np.maximum(track.last_moved, track.first)[:, tps]
    counts = np.cumsum(is_asked, axis=0)
    asked_before = np.where(
        since > 0, np.take_along_axis(counts, np.maximum(since - 1, 0), axis=0), 0
    )
    is_same = (other < since) & (counts - asked_before >= 2)
    is_blocked = np.zeros(track.end.shape, dtype=bool)
    is_blocked[:, tps] = (
        is_same & (last >= 0) & (track.commit[:, tps] >= value) & (value < track.end[:, tps])
    )
    return evidence.observed.at_slots(is_blocked, False) & is_held
