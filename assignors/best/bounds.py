"""Lower bounds: no assignment within the limits has a smaller value. Each bound has a proof.

`docs/best.md` explains the bounds: mean, largest, pigeonhole, count, subscriptions, moves and
largest_moves.
"""

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from evenkeel.assignors.best.feasible import (
    Homes,
    drain_size,
    given_at_least,
    homes_of,
    left_after,
    most_ms,
)
from evenkeel.assignors.best.objective import Value
from evenkeel.assignors.best.problem import NO_HOME, Problem
from evenkeel.assignors.best.request import THOUSAND
from evenkeel.assignors.best.sums import exact_sum

_LARGEST = 64
"""Number of partitions that `largest_moves` tries."""

ALL_UNIONS = 8
"""Largest number of partition classes for which `subscriptions` tries every union."""


@dataclass(frozen=True)
class LowerBound:
    """A lower bound and its proof.

    `proof`: numbers. `members`: row numbers of members. `given`: how many partitions each member
    gives away. `partition`: position among the partitions in play.
    """

    name: str
    value: Value
    proof: dict[str, Any] = field(default_factory=dict)


def lower_bounds(problem: Problem, sets: Iterable[np.ndarray] = ()) -> list[LowerBound]:
    """Return the bounds that apply.

    `sets`: sets of members, as row numbers, for which the bound `subscriptions` is computed too.
    """
    if not problem.n:
        return [LowerBound("mean", Fraction(0), {"members": None})]
    order = np.sort(problem.weight)[::-1]
    bounds = [_mean(problem), _largest(problem)]
    if problem.aim.is_sum:
        bounds += [*_pigeonhole(problem, order), *_count(problem, order)]
    bounds += _subscriptions(problem, sets)
    if problem.moves is not None:
        bounds += _moves(problem, problem.moves)
        bounds += _largest_moves(problem, problem.moves) if problem.aim.is_sum else []
    return bounds


def best_of(bounds: Iterable[LowerBound]) -> LowerBound:
    """Return the largest bound, or the first of equally large bounds."""
    return max(bounds, key=lambda bound: bound.value)


def _mean_of(problem: Problem, members: np.ndarray, lag: int, rate: int) -> Value:
    capacity = problem.capacity[members]
    equal = int(capacity[0]) if (capacity == capacity[0]).all() else None
    return problem.aim.mean(lag, rate, exact_sum(capacity), members.size, equal)


def _mean(problem: Problem) -> LowerBound:
    return LowerBound(
        "mean",
        _mean_of(problem, problem.members, exact_sum(problem.lag), exact_sum(problem.rate)),
        {"members": None},
    )


def _fastest(problem: Problem) -> np.ndarray:
    """Return, for each class of partitions, the largest capacity of a possible owner, int64
    (Q,).
    """
    return np.array([int(problem.capacity[row].max()) for row in problem.may_own], dtype=np.int64)


def _largest(problem: Problem) -> LowerBound:
    """Return the largest value of a single partition: some member must own this partition."""
    fastest, best = _fastest(problem), LowerBound("largest", Fraction(0), {"partition": 0})
    for place in _candidates(problem):
        value = problem.value_of(
            problem.lag[place], problem.rate[place], fastest[problem.class_of[place]]
        )
        if value > best.value:
            best = LowerBound("largest", value, {"partition": place})
    return best


def _candidates(problem: Problem) -> list[int]:
    """Return row numbers of up to four partitions. The partition with the largest value is always
    among them.
    """
    if len(problem.may_own) == 1 and problem.aim.is_sum:
        return [int(problem.weight.argmax())]
    capacity = _fastest(problem)[problem.class_of].astype(np.float64)
    rough = problem.aim.rough(problem.lag, problem.rate, capacity)
    return np.argsort(-rough, kind="stable")[:4].tolist()


def _pigeonhole(problem: Problem, order: np.ndarray) -> list[LowerBound]:
    """Return the bound by the i·m + 1 largest partitions. One of the m members must own at least i
    + 1 of these partitions, so its load is at least the sum of the i + 1 smallest of these
    partitions.
    """
    m, n = problem.members.size, problem.n
    steps = np.arange(1, (n - 1) // m + 1)
    if not steps.size:
        return []
    prefix = np.concatenate(([0], np.cumsum(order)))
    values = prefix[steps * m + 1] - prefix[steps * m - steps]
    best = int(values.argmax())
    return [LowerBound("pigeonhole", _over_fastest(problem, int(values[best])), {"i": best + 1})]


def _count(problem: Problem, order: np.ndarray) -> list[LowerBound]:
    """Return the bound by the number of partitions that each member must own, because the other
    members have limited room.
    """
    least = least_count(problem)
    m, n = problem.members.size, problem.n
    if least <= 0:
        return []
    prefix = np.concatenate(([0], np.cumsum(order)))
    steps = np.arange(min(least - 1, (n - 1) // m) + 1)
    more = least - steps - 1
    values = prefix[steps * m + 1] - prefix[steps * m - steps] + prefix[n] - prefix[n - more]
    best = int(values.argmax())
    return [
        LowerBound("count", _over_fastest(problem, int(values[best])), {"i": best, "least": least})
    ]


def least_count(problem: Problem) -> int:
    """Return the number of partitions that each member must own even if the others are full."""
    per_class = np.bincount(problem.class_of, minlength=len(problem.may_own))
    room = np.minimum(problem.cap, per_class @ problem.may_own)[problem.members]
    return int(problem.n - (room.sum() - room.min()))


def _over_fastest(problem: Problem, load: int) -> Value:
    return problem.value_of(load, load, int(problem.capacity[problem.members].max()))


# Bound by a set of members: some partitions can be owned only by members of the set.


def _subscriptions(problem: Problem, sets: Iterable[np.ndarray]) -> list[LowerBound]:
    if len(problem.may_own) < 2:
        return []
    lag = (
        [exact_sum(problem.lag[problem.class_of == row]) for row in range(len(problem.may_own))]
        if len(problem.may_own) < 64
        else None
    )
    lag, rate = (
        _class_sums(problem, problem.lag) if lag is None else lag,
        _class_sums(problem, problem.rate),
    )
    best = None
    for inside in _distinct(problem, sets):
        only = ~(problem.may_own & ~inside).any(axis=1)
        value = _mean_of(
            problem,
            np.flatnonzero(inside),
            sum(lag[row] for row in np.flatnonzero(only)),
            sum(rate[row] for row in np.flatnonzero(only)),
        )
        if best is None or value > best.value:
            best = LowerBound("subscriptions", value, {"members": np.flatnonzero(inside)})
    return [best] if best else []


def _class_sums(problem: Problem, weight: np.ndarray) -> list[int]:
    total = np.zeros(len(problem.may_own), dtype=np.int64)
    np.add.at(total, problem.class_of, weight)
    return total.tolist()


def _distinct(problem: Problem, sets: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    """Yield distinct sets of members, bool (M,): the possible owners of a class, or of several
    classes if there are few classes; then `sets`.
    """
    seen = set()
    for inside in _unions(problem, sets):
        if inside.any() and (key := inside.tobytes()) not in seen:
            seen.add(key)
            yield inside


def _unions(problem: Problem, sets: Iterable[np.ndarray]) -> Iterator[np.ndarray]:
    yield from problem.may_own
    if len(problem.may_own) <= ALL_UNIONS:
        for size in range(2, len(problem.may_own) + 1):
            yield from (
                np.any(problem.may_own[list(rows)], axis=0)
                for rows in combinations(range(len(problem.may_own)), size)
            )
    for members in sets:
        inside = np.zeros(problem.cap.size, dtype=bool)
        inside[members] = True
        yield inside


# Bounds by moves. A member's value is at least the value of the partitions that stay with the
# member (`feasible.py`).


def _moves(problem: Problem, k: int) -> list[LowerBound]:
    if not (problem.home != NO_HOME).any():
        return []
    if not problem.aim.is_sum:
        return _drain_moves(problem, k)
    homes = homes_of(problem, problem.weight)
    forced = np.maximum(homes.count - problem.cap, 0)
    if (forced > homes.movable).any() or int(forced.sum()) > k:
        return []
    capacity = problem.share
    taken = _finished(homes, _taken(homes, forced, capacity, k), capacity, k)
    before = np.flatnonzero(taken > forced)
    heads = (
        _extreme(problem, homes.left(taken), np.arange(taken.size), -1),
        _extreme(problem, homes.left(taken - 1)[before], before, 1),
    )
    # The minimum also covers the last given partition of each member, so a rounded level cannot
    # make the bound too high.
    value = min([max(heads[0]), *heads[1]])
    return [LowerBound("moves", value, {"moves": k, "given": taken})]


def _extreme(problem: Problem, load: np.ndarray, members: np.ndarray, sign: int) -> list[Value]:
    """Return the exact values of up to four members. If `sign` is 1, these are the members with the
    smallest rounded values; if -1, with the largest.
    """
    rough = problem.aim.rough(load, load, problem.capacity[members])
    near = np.argsort(sign * rough, kind="stable")[:4].tolist()
    return [problem.value_of(load[j], load[j], problem.capacity[members[j]]) for j in near]


def _taken(homes: Homes, forced: np.ndarray, capacity: np.ndarray, k: int) -> np.ndarray:
    """Return how many partitions each member gives away, int64 (M,): at most k in total. A member
    gives its largest partitions first.

    The most loaded members give first. The total may be a few below k; `_finished` adds the rest.
    """
    low, high = -1.0, float((homes.load / capacity).max(initial=0)) * 1.001 + 1e-9
    for _ in range(64):
        middle = (low + high) / 2
        given = np.maximum(homes.given(np.floor(middle * capacity).astype(np.int64)), forced)
        if (given <= homes.movable).all() and int(given.sum()) <= k:
            high = middle
        else:
            low = middle
    return np.maximum(homes.given(np.floor(high * capacity).astype(np.int64)), forced)


def _finished(homes: Homes, taken: np.ndarray, capacity: np.ndarray, k: int) -> np.ndarray:
    """Give away further partitions, one at a time and by exact values, up to k in total."""
    left, taken, budget = homes.left(taken), taken.copy(), k - int(taken.sum())
    heap = [(-Fraction(int(left[j]), int(capacity[j])), j) for j in range(left.size)]
    heapq.heapify(heap)
    while budget > 0 and heap[0][0] < 0 and taken[heap[0][1]] < homes.movable[heap[0][1]]:
        j = heap[0][1]
        place = int(homes.first[j] + taken[j])
        left[j] -= homes.sums[place + 1] - homes.sums[place]
        taken[j] += 1
        budget -= 1
        heapq.heapreplace(heap, (-Fraction(int(left[j]), int(capacity[j])), j))
    return taken


def _drain_moves(problem: Problem, k: int) -> list[LowerBound]:
    """Return the bound by moves for drain: the longest time, in whole milliseconds, within which
    the members cannot drain with only k moves.
    """
    low, high = 0, most_ms(problem)
    if high < 1 or not _needs_more(problem, k, 1):
        return []
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _needs_more(problem, k, middle) else (low, middle)
    return (
        [LowerBound("moves", Fraction(low, THOUSAND), {"moves": k, "given": None})] if low else []
    )


def _needs_more(problem: Problem, k: int, ms: int) -> bool:
    homes = homes_of(problem, drain_size(problem, ms))
    given = given_at_least(problem, homes, problem.capacity * ms)
    return bool((given > homes.movable).any()) or int(given.sum()) > k


def _largest_moves(problem: Problem, k: int) -> list[LowerBound]:
    """Return the bound by one large partition. If the partition stays, its owner can give away k
    other partitions. If it moves, its new owner can give away k - 1 partitions.
    """
    homes = homes_of(problem, problem.weight)
    largest = largest_of(problem.weight, _LARGEST)
    others = left_after(homes, max(k - 1, 0))
    best = None
    for place in largest:
        value = _one_largest(problem, homes, place, k, others)
        if value is not None and (best is None or value > best.value):
            best = LowerBound("largest_moves", value, {"partition": place, "moves": k})
    return [best] if best else []


def largest_of(weight: np.ndarray, number: int) -> list[int]:
    """Return the positions in `weight` of the `number` largest weights. Equal weights are in order
    of position.
    """
    if weight.size <= 4 * number:
        return np.argsort(-weight, kind="stable")[:number].tolist()
    least = np.partition(weight, weight.size - number)[weight.size - number]
    rows = np.flatnonzero(weight >= least)
    return rows[np.argsort(-weight[rows], kind="stable")][:number].tolist()


def _one_largest(
    problem: Problem, homes: Homes, place: int, k: int, others: np.ndarray
) -> Value | None:
    w, home = int(problem.weight[place]), int(problem.home[place])
    goes = None
    candidates = problem.may_own[problem.class_of[place]].copy()
    if home != NO_HOME:
        candidates[home] = False
    if candidates.any() and (home == NO_HOME or k >= 1):
        left = left_after(homes, k) if home == NO_HOME else others
        rows = np.flatnonzero(candidates)
        rough = (left[rows] + w) / problem.capacity[rows]
        near = rows[np.argsort(rough, kind="stable")[:4]].tolist()
        goes = min(
            problem.value_of(int(left[j]) + w, int(left[j]) + w, problem.capacity[j]) for j in near
        )
    if home == NO_HOME:
        return goes
    load = w + _others_at_home(problem, homes, place, home, k)
    stays = problem.value_of(load, load, problem.capacity[home])
    return stays if goes is None else min(stays, goes)


def _others_at_home(problem: Problem, homes: Homes, place: int, home: int, k: int) -> int:
    """Return the total size of the partitions at `home`, without the partition `place` and the k
    largest others.
    """
    mine = homes.order[homes.first[home] : homes.first[home + 1]]
    given = mine[mine != place][:k]
    return int(homes.load[home]) - int(problem.weight[place]) - int(problem.weight[given].sum())
