"""Ownership: the owner of each partition over time, rebalances, how long members keep the same
partitions, and how long partitions have no owner.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.restarts import Restarts
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN


class Runs(NamedTuple):
    """Runs of slots in which a partition had the same owner, sorted by partition and time.

    int32 (R,) each: row number of the partition; row number of the owner, or `UNASSIGNED`; row
    numbers of the run's first and last slot. A run also ends at a gap, and before a slot that does
    not list the partition or does not record owners.
    """

    tp: np.ndarray
    owner: np.ndarray
    first: np.ndarray
    last: np.ndarray


def held_since(owner: np.ndarray, end: np.ndarray, longest: int) -> np.ndarray:
    """Return for each partition the row number of the slot at which its owner at slot `end` became
    the owner, int64 (P,).

    Slots without an owner, between two slots with the same owner, do not end the ownership, because
    they may be a rebalance. More than `longest` such slots end it.

    Parameters
    ----------
    owner : int32 (S, P)
    end : int64 (P,)
        Row number of a slot for each partition. If the partition has no owner at this slot, the
        result is `end`.
    """
    rows = np.arange(owner.shape[0], dtype=np.int64)[:, None]
    now = np.take_along_axis(owner, end[None], axis=0)
    is_owned = (owner != UNASSIGNED) & (rows <= end)
    mine, other = is_owned & (owner == now), is_owned & (owner != now)
    never = -longest - 2
    last_mine, last_other = (
        np.maximum.accumulate(np.where(mask, rows, never), axis=0) for mask in (mine, other)
    )
    before = np.vstack([np.full((1, end.size), never), last_mine[:-1]])
    begins = mine & ((rows - before > longest + 1) | (last_other > before))
    return np.where(now[0] == UNASSIGNED, end, np.where(begins, rows, 0).max(axis=0, initial=0))


class Flapping(NamedTuple):
    """Counts by partition, int64 (P,): changes of owner, and changes back to the previous owner.

    `hours`: length of the series.
    """

    change_count: np.ndarray
    returns: np.ndarray
    hours: float

    @property
    def changes_an_hour(self) -> np.ndarray:
        """Changes of owner per hour, float64 (P,)."""
        return self.change_count / self.hours


def ownership(series: Series) -> Runs:
    """Return the runs of owners."""
    listed = (series.is_listed & series.shows_owners[:, None]).T
    owner = np.where(listed, series.owner.T, np.int32(UNASSIGNED - 1))
    begins = np.ones(owner.shape, dtype=bool)
    begins[:, 1:] = (owner[:, 1:] != owner[:, :-1]) | (np.diff(series.slot) > 1)
    tp, first = np.nonzero(begins)
    last = np.append(first[1:], owner.shape[1]) - 1
    last[np.append(tp[1:] != tp[:-1], True)] = owner.shape[1] - 1
    is_run = listed[tp, first]
    return Runs(
        *(column[is_run].astype(np.int32) for column in (tp, owner[tp, first], first, last))
    )


def flapping(series: Series) -> Flapping:
    """Count changes of owner from one member to another. Slots without an owner between the two
    members are ignored.
    """
    runs = ownership(series)
    has_owner = runs.owner != UNASSIGNED
    tp, owner = runs.tp[has_owner], runs.owner[has_owner]
    is_change = np.zeros(tp.size, dtype=bool)
    is_change[1:] = (tp[1:] == tp[:-1]) & (owner[1:] != owner[:-1])
    tp, owner, before = tp[is_change], owner[is_change], np.roll(owner, 1)[is_change]
    back = np.zeros(tp.size, dtype=bool)
    back[1:] = (tp[1:] == tp[:-1]) & (owner[1:] == before[:-1])
    hours = np.ptp(series.time) / 3600 if series.slot_count > 1 else np.inf
    changes, returns = (np.bincount(rows, minlength=series.tp_count) for rows in (tp, tp[back]))
    return Flapping(changes, returns, float(hours))


class UnownedTime(NamedTuple):
    """Time without an owner, and all time, each summed over the partitions. Only time in which the
    group had members counts.
    """

    seconds: float
    all_seconds: float


def unowned(series: Series) -> UnownedTime:
    """Return for how long partitions had no owner. The owners of a slot count until the next slot.
    Gaps are left out.
    """
    lasts = np.where(np.diff(series.slot) == 1, np.diff(series.time), 0.0) * series.is_member[
        :-1
    ].any(axis=1)
    without = series.is_listed & (series.owner == UNASSIGNED)
    return UnownedTime(
        *(
            float((np.count_nonzero(cells, axis=1)[:-1] * lasts).sum())
            for cells in (without, series.is_listed)
        )
    )


# Rebalances, from changes of generation or epoch, else from changes of members and owners


class Rebalances(NamedTuple):
    """Three slots of each rebalance, as row numbers, int64 (R,). `before`: the last slot before the
    rebalance. `row`: the first slot after the rebalance. `end`: the first slot with its new owners.

    `is_told`: bool (R,), whether the generation or epoch changed. If not, members or owners
    changed, and the generation at `before` or `row` is unknown.
    """

    before: np.ndarray
    row: np.ndarray
    end: np.ndarray
    is_told: np.ndarray


def rebalances(series: Series) -> Rebalances:
    """Return the rebalances that slots show, sorted by time. A slot is ignored if it does not have
    the group or does not record owners.
    """
    there = np.flatnonzero(series.shows_owners)
    before, row = there[:-1], there[1:]
    known = series.generation != UNKNOWN
    is_known = known[before] & known[row]
    is_new = series.generation[before] != series.generation[row]
    # If all members have no partitions, the slot is in the middle of a rebalance, which the slot
    # before already showed.
    is_between = (
        series.is_member.any(axis=1)
        & series.is_listed.any(axis=1)
        & (series.owner == UNASSIGNED).all(axis=1)
    )
    is_other = _is_other(series, before, row) & ~(is_between[before] & (before > there[:1]))
    places = np.flatnonzero(np.where(is_known, is_new, is_other))
    owned = np.append(there[~is_between[there]], there[-1:])
    end = owned[np.searchsorted(owned, row[places])]
    return Rebalances(before[places], row[places], end, is_known[places])


def of_restarts(series: Series, run: Restarts) -> np.ndarray:
    """Return the rebalances that belong to a run of restarts, bool (R,). In these rebalances, only
    members that restart repeatedly join or leave.

    The run starts after the member's last slot before its first return. The run ends `run.period`,
    the usual pause between two returns, after the last return.
    """
    changes = rebalances(series)
    time, back = series.time[changes.row], int(np.searchsorted(series.time, run.times[0]))
    seen = np.flatnonzero(series.is_member[:back, run.member])
    is_within = (changes.row > (seen[-1] if seen.size else back - 1)) & (
        time <= run.times[-1] + run.period
    )
    is_of_run = np.isin(
        np.arange(series.is_member.shape[1]),
        [restarts.member for restarts in series.restarts if restarts.is_unstable],
    )
    changed = series.is_member[changes.before] != series.is_member[changes.row]
    return is_within & ~(changed & ~(is_of_run & (time <= run.times[-1])[:, None])).any(axis=1)


def may_be_more(series: Series) -> bool:
    """Return whether a rebalance between two slots may be invisible, because the generation of a
    slot with members is unknown.
    """
    return bool((series.is_member.any(axis=1) & (series.generation == UNKNOWN)).any())


def new_owners(series: Series, before: int, row: int) -> np.ndarray:
    """Return the partitions whose owner at slot `row` differs from their owner at slot `before`,
    int64.
    """
    return np.flatnonzero(
        (series.owner[row] != series.owner[before])
        & series.is_listed[row]
        & series.is_listed[before]
    )


def _is_other(series: Series, before: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Return whether the slots `before` and `row` have different members, or different owners of a
    partition that both slots list, bool (R,).
    """
    members = (series.is_member[row] != series.is_member[before]).any(axis=1)
    owners = (
        (series.owner[row] != series.owner[before])
        & series.is_listed[row]
        & series.is_listed[before]
    )
    return members | owners.any(axis=1)


# Bursts of rebalances


BURST_SECONDS = 1800


class Burst(NamedTuple):
    """Rebalances within half an hour. `rows`: row numbers of their slots. `first`, `last`: times of
    the first and the last rebalance, in seconds since 1970.
    """

    rows: tuple[int, ...]
    first: float
    last: float


def bursts(time: np.ndarray, rows: np.ndarray) -> tuple[Burst, ...]:
    """Group rebalances into bursts of at most half an hour. `rows`: row numbers of their slots,
    ascending.
    """
    runs: list[list[int]] = []
    for row in rows.tolist():
        if not runs or time[row] - time[runs[-1][0]] > BURST_SECONDS:
            runs.append([])
        runs[-1].append(row)
    return tuple(Burst(tuple(run), float(time[run[0]]), float(time[run[-1]])) for run in runs)


# Stays of members


def unstable_members(series: Series, seconds: float) -> dict[int, float]:
    """Return the members that never had the same partitions for `seconds`, such as
    max.poll.interval.ms. Key: row number of the member. Value: its longest time with the same
    partitions, in seconds.

    This time starts at the slot before and ends at the slot after, because changes between two
    slots are not visible. A member that was seen for less than twice `seconds` is left out: a
    single rebalance would be enough to call it unstable.
    """
    there = series.at(series.shows_owners)
    begins = _stay_begins(there)
    unstable = {}
    for member in range(len(there.member_id)):
        rows = np.flatnonzero(there.is_member[:, member])
        if rows.size and there.time[rows[-1]] - there.time[rows[0]] >= 2 * seconds:
            first = np.flatnonzero(begins[rows, member])
            last = rows[np.append(first[1:], rows.size) - 1]
            before, after = (
                np.maximum(rows[first] - 1, 0),
                np.minimum(last + 1, there.slot_count - 1),
            )
            longest = float((there.time[after] - there.time[before]).max())
            if longest < seconds:
                unstable[member] = longest
    return unstable


def _stay_begins(series: Series) -> np.ndarray:
    """Return whether a member joins, or has other partitions than in the slot before, bool (S, M).
    True for every member in the first slot.
    """
    begins = np.ones(series.is_member.shape, dtype=bool)
    begins[1:] = series.is_member[1:] & ~series.is_member[:-1]
    row, tp = np.nonzero(series.owner[1:] != series.owner[:-1])
    for owner in (series.owner[row, tp], series.owner[row + 1, tp]):
        begins[row[owner != UNASSIGNED] + 1, owner[owner != UNASSIGNED]] = True
    return begins
