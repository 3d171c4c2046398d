"""A request as arrays of integers: the partitions in play, their possible owners, their homes, and
the limits of the members.

Rates and capacities are thousandths of a record a second. A value is a Fraction: records for `lag`,
records a second or a part of capacity for `rate`, seconds for `drain`. `NEVER` is infinite.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.best.objective import OBJECTIVES, Lag, Value
from evenkeel.assignors.best.request import THOUSAND, UNKNOWN_RATE, Request, RequestError, expect
from evenkeel.assignors.best.sums import EXACT_FLOATS, exact_sum, float_sums, int_sums
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag

NO_HOME = UNASSIGNED

_MOST_SUM = 1 << 62


@dataclass(frozen=True, eq=False)
class Problem:
    """The arrays of a request: n partitions in play, M members, Q classes.

    A partition is in play if at least one member may own it. A class is the set of partitions with
    the same possible owners.

    Parameters
    ----------
    tp : int64 (n,)
        Row numbers of the partitions in play, ascending.
    lag, rate : int64 (n,)
        0 if unknown.
    capacity : int64 (M,)
        1,000 for every member if not given.
    class_of : int64 (n,)
    may_own : bool (Q, M)
    owner_now : int64 (n,)
        The member that claims the partition, even if this member may not own it. `NO_HOME` if no
        member or more than one member claims the partition.
    home : int64 (n,)
        The present owner if it may own the partition, else `NO_HOME`.
    movable : bool (n,)
        Whether the partition has a home and another member may own it.
    cap : int64 (M,)
        The most partitions that each member may own; n if there is no limit.
    moves : int or None
        The limit on moves.
    unknown : bool (n,)
        Whether the lag or rate that the objective needs is unknown.
    known : dict
        A cache of results that depend on homes and weights. Give a copy with other homes or weights
        an empty cache.
    """

    request: Request
    group: GroupSnapshot
    tp: np.ndarray
    lag: np.ndarray
    rate: np.ndarray
    capacity: np.ndarray
    class_of: np.ndarray
    may_own: np.ndarray
    owner_now: np.ndarray
    home: np.ndarray
    movable: np.ndarray
    cap: np.ndarray
    moves: int | None
    unknown: np.ndarray
    known: dict[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        return self.tp.size

    @property
    def objective(self) -> str:
        return self.aim.name

    @cached_property
    def aim(self) -> Lag:
        return OBJECTIVES[self.request.objective]

    @cached_property
    def is_linear(self) -> bool:
        """Whether values can be compared as sums of integers."""
        return self.aim.is_sum and (not self.aim.by_capacity or self.has_equal_capacity)

    @cached_property
    def share(self) -> np.ndarray:
        """int64 (M,): the number by which a member's load is divided to give its value."""
        return self.capacity if self.aim.by_capacity else np.ones_like(self.capacity)

    @property
    def unknown_count(self) -> int:
        """Number of partitions in play whose lag or rate is unknown but needed by the objective."""
        return int(np.count_nonzero(self.unknown))

    @cached_property
    def members(self) -> np.ndarray:
        """int64 (m,): members that may own a partition in play."""
        return np.flatnonzero(self.may_own.any(axis=0))

    @cached_property
    def is_open(self) -> bool:
        """Whether every member in `members` may own every partition in play, without a cap."""
        return bool(len(self.may_own) <= 1 and (self.cap >= self.n).all())

    @cached_property
    def has_equal_capacity(self) -> bool:
        return not self.members.size or bool(
            (self.capacity[self.members] == self.capacity[self.members[0]]).all()
        )

    @cached_property
    def weight(self) -> np.ndarray:
        """int64 (n,): each partition's lag, or its rate if the objective is `rate`."""
        return self.aim.weight(self.lag, self.rate)

    def loads(self, owner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the total lag and the total rate of each member, int64 (M,)."""
        none = np.zeros(self.cap.size, dtype=np.int64)
        lag = self._sums(owner, self.lag) if self.aim.reads_lag else none
        return lag, self._sums(owner, self.rate) if self.aim.reads_rate else none

    def loads_now(self) -> tuple[np.ndarray, np.ndarray]:
        """Return each member's lag and rate in the present assignment, int64 (M,)."""
        rows = self.owner_now != NO_HOME
        owner = self.owner_now[rows]
        return self._sums(owner, self.lag[rows]), self._sums(owner, self.rate[rows])

    def _sums(self, owner: np.ndarray, weight: np.ndarray) -> np.ndarray:
        if "exact" not in self.known:
            self.known["exact"] = max(exact_sum(self.lag), exact_sum(self.rate)) < EXACT_FLOATS
        return (
            float_sums(owner, weight, self.cap.size)
            if self.known["exact"]
            else int_sums(owner, weight, self.cap.size)
        )

    def value_of(self, lag: int, rate: int, capacity: int) -> Value:
        """Return the value of a member with this total lag and rate."""
        return self.aim.value(int(lag), int(rate), int(capacity))

    def worst(self, owner: np.ndarray) -> tuple[Value, int]:
        """Return the exact value of an assignment and its worst member: the first member with this
        value, or -1 without members.
        """
        lag, rate = self.loads(owner)
        best, worst = Fraction(0), int(self.members[0]) if self.members.size else -1
        if self.is_linear:
            load = self.aim.weight(lag, rate)[self.members]
            worst = int(self.members[load.argmax()]) if load.size else -1
            return (
                self.value_of(lag[worst], rate[worst], self.capacity[worst]) if load.size else best
            ), worst
        for member in self.members.tolist():
            value = self.value_of(lag[member], rate[member], self.capacity[member])
            if value > best:
                best, worst = value, member
        return best, worst

    def moves_of(self, owner: np.ndarray) -> int:
        """Return the number of partitions that have a home but another owner."""
        return int(np.count_nonzero((self.home != NO_HOME) & (owner != self.home)))

    def keeps_limits(self, owner: np.ndarray) -> bool:
        """Return whether every owner may own its partitions, and the caps and the limit on moves
        are kept.
        """
        if owner.size and (
            int(owner.min()) < 0
            or not (self.may_own.all() or self.may_own[self.class_of, owner].all())
        ):
            return False
        count = np.bincount(owner, minlength=self.cap.size)
        return bool((count <= self.cap).all()) and (
            self.moves is None or self.moves_of(owner) <= self.moves
        )

    def whole(self, owner: np.ndarray) -> Assignment:
        """Return the assignment of the snapshot. Partitions not in play are unassigned."""
        all_owners = self.group.unowned()
        all_owners[self.tp] = owner
        return Assignment(all_owners)


def problem_of(group: GroupSnapshot, request: Request) -> Problem:
    """Return the request as arrays.

    Raises
    ------
    RequestError
        If a member or partition is unknown, a pinned partition has no owner, rates are missing, or
        a sum is 2 ** 62 or more.
    """
    owner = _owner_now(group)
    untouched, pinned = _untouched(group, request), _pinned(group, request, owner)
    classes, may_own, home = _classes(group, request, owner, untouched, pinned)
    tp = (
        np.flatnonzero(np.any(may_own, axis=1)[classes])
        if len(may_own)
        else np.empty(0, dtype=np.int64)
    )
    class_of, home = classes[tp], home[tp]
    lag, rate, capacity, unknown = _weights(group, request, tp)
    movable = (
        (home != NO_HOME) & (may_own.sum(axis=1)[class_of] > 1)
        if len(may_own)
        else np.zeros(0, dtype=bool)
    )
    cap = np.full(
        group.member_count,
        tp.size if request.partitions_per_member is None else request.partitions_per_member,
        dtype=np.int64,
    )
    cap[untouched] = tp.size
    used, class_of = np.unique(class_of, return_inverse=True)
    return Problem(
        request,
        group,
        tp,
        lag,
        rate,
        capacity,
        class_of.reshape(-1),
        may_own[used],
        owner[tp],
        home,
        movable,
        cap,
        request.moves,
        unknown,
    )


def _owner_now(group: GroupSnapshot) -> np.ndarray:
    """Return the claiming member of each partition, int64 (P,); `NO_HOME` for none or several."""
    inside = np.flatnonzero(group.claim_partition < group.partition_count[group.claim_topic])
    tp = group.first_tp[group.claim_topic[inside]] + group.claim_partition[inside]
    member = group.claim_member[inside].astype(np.int64)
    owner = np.full(group.tp_count, NO_HOME, dtype=np.int64)
    owner[tp] = member
    owner[tp[owner[tp] != member]] = NO_HOME
    return owner


def _untouched(group: GroupSnapshot, request: Request) -> np.ndarray:
    row = {name: member for member, name in enumerate(group.member_id)}
    for name in request.untouched:
        expect(name in row, "untouched", f'"{name}"', "the id of a member of the group")
    return np.array(sorted({row[name] for name in request.untouched}), dtype=np.int64)


def _pinned(group: GroupSnapshot, request: Request, owner: np.ndarray) -> np.ndarray:
    """Return the row numbers (int64) of the pinned partitions. All must have an owner now."""
    topic_row = {name: topic for topic, name in enumerate(group.topic_name)}
    tps = set()
    for name, numbers in request.pinned.items():
        expect(name in topic_row, "pinned", f'topic "{name}"', "a topic of the group")
        count = int(group.partition_count[topic_row[name]])
        for number in numbers:
            expect(
                0 <= number < count,
                "pinned",
                f"{name} {number}",
                f"a number below the topic's {count:,} partitions",
            )
            tp = int(group.first_tp[topic_row[name]]) + number
            expect(
                owner[tp] != NO_HOME,
                "pinned",
                f"{name} {number}, which has no owner now",
                "a partition that one member owns",
            )
            tps.add(tp)
    return np.array(sorted(tps), dtype=np.int64)


def _classes(
    group: GroupSnapshot,
    request: Request,
    owner: np.ndarray,
    untouched: np.ndarray,
    pinned: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (the class of each partition, int64 (P,); the possible owners of each class, bool (Q,
    M); the home of each partition, int64 (P,)).
    """
    sets = group.subscribers
    subscribes = np.zeros((len(sets.members), group.member_count), dtype=bool)
    for row, members in enumerate(sets.members):
        subscribes[row, members] = True
    class_of = sets.set_of_topic.astype(np.int64)[group.tp_topic]
    had = np.append(owner, 0)[:-1]
    home = (
        np.where((had != NO_HOME) & subscribes[class_of, had], had, NO_HOME)
        if group.member_count
        else had
    )
    is_untouched = np.zeros(group.member_count, dtype=bool)
    is_untouched[untouched] = True
    stays = (
        (home != NO_HOME) & is_untouched[home]
        if group.member_count
        else np.zeros(group.tp_count, dtype=bool)
    )
    may_own = subscribes & ~is_untouched
    if request.racks == "require":
        class_of, may_own = _in_racks(group, class_of, may_own)
    if group.member_count:
        home = np.where(stays | ((home != NO_HOME) & may_own[class_of, home]), home, NO_HOME)
    stays[pinned] |= home[pinned] != NO_HOME
    fixed, place = np.unique(home[stays], return_inverse=True)
    class_of[stays] = len(may_own) + place.reshape(-1)
    alone = np.zeros((fixed.size, group.member_count), dtype=bool)
    alone[np.arange(fixed.size), fixed] = True
    return class_of, np.concatenate((may_own, alone)), home


def _in_racks(
    group: GroupSnapshot, class_of: np.ndarray, may_own: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Split each class by the racks of its partitions' replicas. Only members in one of these racks
    may own the partitions. If there is no such member, the possible owners do not change.
    """
    has = np.zeros((group.tp_count, len(group.rack_name)), dtype=bool)
    is_known = group.replica_rack != NO_RACK
    replica_tp = np.repeat(np.arange(group.tp_count), np.diff(group.replica_start))
    has[replica_tp[is_known], group.replica_rack[is_known]] = True
    rows = np.column_stack((class_of, np.packbits(has, axis=1)))
    distinct, place = np.unique(rows, axis=0, return_inverse=True)
    first = np.zeros(len(distinct), dtype=np.int64)
    first[place.reshape(-1)] = np.arange(group.tp_count)
    member_has_rack = group.member_rack != NO_RACK
    near = (
        has[first][:, np.where(member_has_rack, group.member_rack, 0)] & member_has_rack
        if group.rack_name
        else None
    )
    allowed = may_own[distinct[:, 0]]
    inside = allowed & near if near is not None else np.zeros_like(allowed)
    return place.reshape(-1).astype(np.int64), np.where(
        inside.any(axis=1, keepdims=True), inside, allowed
    )


def _weights(
    group: GroupSnapshot, request: Request, tp: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return (lag, rate, capacity, and whether the lag or rate of each partition is unknown and
    needed). Numbers that the objective does not need are 0, or 1,000 for capacities.
    """
    aim = OBJECTIVES[request.objective]
    lag = page_lag(group)[tp] if aim.reads_lag else np.zeros(tp.size, dtype=np.int64)
    rate, capacity = (
        np.zeros(tp.size, dtype=np.int64),
        np.full(group.member_count, THOUSAND, dtype=np.int64),
    )
    unknown = lag == UNKNOWN_LAG
    if aim.reads_rate:
        given = request.rates
        if given is None:
            raise RequestError(
                "rates: found none, expected the arrival rate of each partition, which the"
                f' objective "{request.objective}" needs'
            )
        expect(
            aim.is_sum or given.capacity is not None,
            "rates.capacity",
            "none",
            "the capacity of each member, which drain needs",
        )
        rate = given.arriving[tp]
        unknown, rate = unknown | (rate == UNKNOWN_RATE), np.where(rate == UNKNOWN_RATE, 0, rate)
        capacity = capacity if given.capacity is None else given.capacity
        expect(bool((capacity > 0).all()), "rates.capacity", "0", "more than 0 records/s")
    lag = np.where(lag == UNKNOWN_LAG, 0, lag)
    for key, column in (("lag", lag), ("rates.in", rate), ("rates.capacity", capacity)):
        expect(exact_sum(column) < _MOST_SUM, key, "a sum of 2^62 or more", "less")
    return lag, rate, capacity, unknown


Progress = Callable[[Value, Value], None]
"""Callback: called with value and bound when the value or the bound improves."""

Stop = Callable[[], bool]
"""Callback: called between steps. If it returns True, the search ends with the best answer so
far.
"""
