"""Is there an assignment within the caps? How many moves does such an assignment need, and how many
moves does a value need?

A chain is a series of moves: a partition moves to a second member, a partition of the second member
moves to a third, and so on. Each partition that must move takes the cheapest chain to a member with
room (successive shortest paths), so the result is exact.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.problem import NO_HOME, Problem
from evenkeel.assignors.best.request import THOUSAND, Infeasible
from evenkeel.assignors.best.sums import descending, exact_sum, sums

_FAR = 1 << 40


def with_fewest_moves(problem: Problem) -> np.ndarray:
    """Return the owners, int64 (n,), of the assignment that needs the fewest moves to keep the
    caps.

    Raises
    ------
    Infeasible
        If no assignment keeps the caps, or if it needs more moves than are allowed.
    """
    owner = _placed(problem, problem.cap)
    key = "partitions_per_member"
    if owner is None:
        needed = _least_cap(problem)
        if needed is None:
            raise Infeasible(
                f"{key}: no cap helps, because untouched members or pins exceed it", key
            )
        raise Infeasible(
            f"{key}: {needed:,} is needed, at most {problem.request.partitions_per_member:,} is"
            " allowed",
            key,
            needed,
        )
    moves = problem.moves_of(owner)
    if problem.moves is not None and moves > problem.moves:
        are = "are" if moves > 1 else "is"
        raise Infeasible(
            f"moves: {moves:,} {are} needed by {key}, at most {problem.moves:,}"
            f" {'is' if problem.moves == 1 else 'are'} allowed",
            "moves",
            moves,
        )
    return owner


def _least_cap(problem: Problem) -> int | None:
    """Return the smallest limit of partitions per member with which an assignment exists."""
    free = problem.cap < problem.n
    low, high = int(problem.request.partitions_per_member or 0), problem.n
    while high - low > 1:
        middle = (low + high) // 2
        fits = _placed(problem, np.where(free, middle, problem.cap)) is not None
        low, high = (low, middle) if fits else (middle, high)
    return high


def _placed(problem: Problem, cap: np.ndarray) -> np.ndarray | None:
    ways = _Ways(problem, cap)
    for j in np.flatnonzero(ways.count > cap).tolist():
        while ways.count[j] > cap[j]:
            if not ways.relieve(j):
                return None
    for p in np.flatnonzero(problem.home == NO_HOME).tolist():
        if not ways.place(p):
            return None
    return ways.owner


class _Ways:
    """The owners so far, and the partitions that each member can give away, by class. A move costs
    least if the partition returns home, more if it has no home, and most if it leaves its home.
    """

    def __init__(self, problem: Problem, cap: np.ndarray):
        self.problem, self.cap, self.owner = problem, cap, problem.home.copy()
        members = cap.size
        self.count = np.bincount(self.owner[self.owner != NO_HOME], minlength=members)
        self.held: dict[tuple[int, int], set[int]] = {}
        self.classes: list[set[int]] = [set() for _ in range(members)]
        for p in np.flatnonzero(self.owner != NO_HOME).tolist():
            self._add(p, int(self.owner[p]))
        self.rows = [np.flatnonzero(row) for row in problem.may_own]

    def _add(self, p: int, j: int) -> None:
        row = int(self.problem.class_of[p])
        self.held.setdefault((j, row), set()).add(p)
        self.classes[j].add(row)

    def _remove(self, p: int, j: int) -> None:
        row = int(self.problem.class_of[p])
        mine = self.held[j, row]
        mine.discard(p)
        if not mine:
            self.classes[j].discard(row)

    def _cost(self, p: int, giver: int, taker: int) -> int:
        home = int(self.problem.home[p])
        return 0 if home == NO_HOME else int(taker != home) - int(giver != home)

    def relieve(self, j: int) -> bool:
        """Move a partition away from a member that exceeds its cap. A chain is searched only if no
        single move is possible, because a single move never costs more.
        """
        for row in sorted(self.classes[j]):
            takers = self.rows[row]
            free = takers[(self.count[takers] < self.cap[takers]) & (takers != j)]
            if free.size:
                self._give(min(self.held[j, row]), j, int(free[self.count[free].argmin()]))
                return True
        self.count[j] -= 1
        return self._carry({j: 0}, None)

    def place(self, p: int) -> bool:
        takers = self.rows[self.problem.class_of[p]]
        free = takers[self.count[takers] < self.cap[takers]]
        if free.size:
            self._give(p, None, int(free[(self.count[free]).argmin()]))
            return True
        return self._carry({int(j): 0 for j in takers}, p)

    def _carry(self, sources: dict[int, int], placed: int | None) -> bool:
        """Find the cheapest chain from one of the `sources` to a member with room, and make its
        moves. Return whether there is such a chain.
        """
        cost, came = dict(sources), {}
        queue, at = list(sources), 0
        while at < len(queue):
            giver = queue[at]
            at += 1
            for row in sorted(self.classes[giver]):
                for taker, (extra, p) in self._steps(row, giver):
                    if cost[giver] + extra < cost.get(taker, _FAR):
                        cost[taker], came[taker] = cost[giver] + extra, (giver, p)
                        queue.append(taker)
        ends = [
            j for j in cost if self.count[j] < self.cap[j] and (j in came or placed is not None)
        ]
        if not ends:
            return False
        self._carry_out(min(ends, key=lambda j: (cost[j], j)), came, placed)
        return True

    def _steps(self, row: int, giver: int) -> list[tuple[int, tuple[int, int]]]:
        """Return the members that can take a partition of a class from `giver`. For each member:
        the lowest cost, and the partition with this cost.
        """
        mine = self.held[giver, row]
        going_home: dict[int, tuple[int, int]] = {}
        cheapest = min((self._cost(p, giver, -2), p) for p in mine)
        for p in mine:
            home = int(self.problem.home[p])
            if home not in (NO_HOME, giver):
                going_home[home] = min(going_home.get(home, (0, p)), (-1, p))
        return [
            (taker, going_home.get(taker, cheapest))
            for taker in self.rows[row].tolist()
            if taker != giver
        ]

    def _carry_out(
        self,
        end: int,
        came: dict[int, tuple[int, int]],
        placed: int | None,
    ) -> None:
        chain, seen = [], set()
        while end in came and end not in seen:
            seen.add(end)
            giver, p = came[end]
            chain.append((p, giver, end))
            end = giver
        for p, giver, taker in chain:
            self._give(p, giver, taker)
        if placed is None:
            # `relieve` has already subtracted the partition that must leave.
            self.count[end] += 1
        else:
            self._give(placed, None, end)

    def _give(self, p: int, giver: int | None, taker: int) -> None:
        if giver is not None:
            self._remove(p, giver)
            self.count[giver] -= 1
        self._add(p, taker)
        self.owner[p] = taker
        self.count[taker] += 1


# Sizes at home. If the partitions at home are too large for an allowed value, the member must give
# some, largest first.


@dataclass(frozen=True, eq=False)
class Homes:
    """For each member: the movable partitions whose home is this member, largest first.

    Parameters
    ----------
    size : int64 (n,)
        Size of each partition in play.
    order : int64 (v,)
        Movable partitions, sorted by home, then by size, largest first.
    sums : int64 (v + 1,)
        Prefix sums of the sizes in `order`.
    first : int64 (M + 1,)
        Position in `order` of each member's first partition.
    load, count : int64 (M,)
        Total size and number of the partitions at home. Partitions that cannot move are included.
    """

    size: np.ndarray
    order: np.ndarray
    sums: np.ndarray
    first: np.ndarray
    load: np.ndarray
    count: np.ndarray

    @cached_property
    def movable(self) -> np.ndarray:
        """int64 (M,): for each member, how many of its partitions may move."""
        return np.diff(self.first)

    def left(self, taken: np.ndarray) -> np.ndarray:
        """Return the total size that each member keeps at home, int64 (M,), after it gives its
        `taken` largest movable partitions.
        """
        return self.load - (self.sums[self.first[:-1] + taken] - self.sums[self.first[:-1]])

    def given(self, most: np.ndarray) -> np.ndarray:
        """Return the number of partitions that each member must give away, largest first, to have
        at most the total size `most`, int64 (M,).

        If this is not possible for a member, the number is one more than the member's movable
        partitions.
        """
        start = self.sums[self.first[:-1]]
        wanted = np.maximum(self.load - most, 0)
        place = np.searchsorted(self.sums, start + wanted)
        # If partitions have size 0, successive sums are equal. Then searchsorted returns the first
        # of the equal sums, which may belong to an earlier member.
        count = np.maximum(place - self.first[:-1], 0)
        return np.minimum(count, self.movable + 1)


def homes_of(problem: Problem, size: np.ndarray) -> Homes:
    """Return the `Homes` for partitions of this `size`, int64 (n,). The sum of the sizes must fit
    int64. The result for `problem.weight` is cached.
    """
    if size is not problem.weight:
        return _homes_of(problem, size)
    if "homes" not in problem.known:
        problem.known["homes"] = _homes_of(problem, size)
    return problem.known["homes"]


def _homes_of(problem: Problem, size: np.ndarray) -> Homes:
    member_count, at_home = problem.cap.size, np.flatnonzero(problem.home != NO_HOME)
    rows = np.flatnonzero(problem.movable)
    rows = rows[descending(size[rows])]
    order = rows[stable_order(problem.home[rows])]
    first = np.concatenate(
        ([0], np.cumsum(np.bincount(problem.home[order], minlength=member_count)))
    )
    load = sums(problem.home[at_home], size[at_home], member_count)
    count = np.bincount(problem.home[at_home], minlength=member_count)
    return Homes(size, order, np.concatenate(([0], np.cumsum(size[order]))), first, load, count)


def moves_needed(problem: Problem, value: Value) -> int:
    """Return a number of moves. An assignment whose value is at most `value` needs at least this
    number.
    """
    if not can_size(problem, value):
        return 0
    homes, most = homes_at(problem, value)
    return int(np.minimum(given_at_least(problem, homes, most), homes.movable).sum())


def homes_at(problem: Problem, value: Fraction) -> tuple[Homes, np.ndarray]:
    """Return the `Homes` for a value, and the total size that each member may have so that the
    value is not exceeded, int64 (M,).
    """
    if problem.aim.is_sum:
        most = [share * value.numerator // value.denominator for share in problem.share.tolist()]
        return homes_of(problem, problem.weight), np.array(most)
    ms = -(-value.numerator * THOUSAND // value.denominator)
    return homes_of(problem, drain_size(problem, ms)), problem.capacity * ms


def drain_size(problem: Problem, ms: int) -> np.ndarray:
    """Return the size of each partition for drain. A member has drained within `ms` milliseconds if
    the sum of its sizes is at most capacity * ms, and only then.
    """
    return problem.lag * (THOUSAND * THOUSAND) + problem.rate * ms


def given_at_least(problem: Problem, homes: Homes, most: np.ndarray) -> np.ndarray:
    """Return the number of partitions that each member must give, int64 (M,), so that it has at
    most the total size `most` and is within its cap.
    """
    return np.maximum(homes.given(most), np.maximum(homes.count - problem.cap, 0))


def can_size(problem: Problem, value: Value) -> bool:
    """Return whether the sizes for this value fit int64."""
    return value != NEVER and (problem.aim.is_sum or 0 < value * THOUSAND < most_ms(problem) - 1)


def most_ms(problem: Problem) -> int:
    """Return the largest time, in milliseconds, for which the sizes and their sums fit int64. 0 if
    there is no such time.
    """
    room = (1 << 62) - exact_sum(problem.lag) * THOUSAND * THOUSAND
    return max(room, 0) // max(exact_sum(problem.rate), int(problem.capacity.max(initial=1)))


def left_after(homes: Homes, k: int) -> np.ndarray:
    """Return the total size that each member keeps at home, int64 (M,), after it gives away its k
    largest movable partitions.
    """
    return homes.left(np.minimum(k, homes.movable))
