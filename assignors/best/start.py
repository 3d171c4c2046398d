"""First assignments of a search. Either all partitions are placed from scratch, largest first, or
each partition keeps its present owner and only a few are given away.
"""

import heapq
from collections.abc import Iterator

import numpy as np

from evenkeel.assignors.best.feasible import Homes, homes_of, left_after
from evenkeel.assignors.best.objective import Value
from evenkeel.assignors.best.problem import NO_HOME, Problem
from evenkeel.assignors.best.steps import Gave, Placement
from evenkeel.assignors.best.sums import descending, sums
from evenkeel.assignors.trace import active, asked

_FEW = 16
"""With fewer members than this, no blocks are used, because blocks would be too short."""

_MANY = 200_000
"""With more partitions, fewer starts are tried."""


def from_scratch(problem: Problem) -> np.ndarray | None:
    """Place every partition, largest first, on the member with the least load. Return the owners,
    int64 (n,); None if no member has room for a partition.
    """
    size = problem.weight
    order = descending(size)
    if problem.is_open and problem.has_equal_capacity and problem.aim.is_sum:
        owner, before = (
            np.empty(problem.n, dtype=np.int64),
            None if asked() is None else np.empty(problem.n, dtype=np.int64),
        )
        owner[order] = problem.members[dealt(size[order], problem.members.size, before)]
        if before is not None:
            _tell_placed(problem, owner, order, before)
        return owner
    return placed(problem, np.full(problem.n, NO_HOME, dtype=np.int64), order, size)


def _tell_placed(
    problem: Problem, owner: np.ndarray, order: np.ndarray, before: np.ndarray
) -> None:
    """Trace the placements of partitions in `order`. `before`: for each placement, the load (int64)
    that the member had before it.
    """
    for rank in active().places(problem.tp[order]):
        p = order[rank]
        _tell_one(problem, int(p), int(owner[p]), rank, order.size, int(before[rank]))


def _tell_one(
    problem: Problem,
    p: int,
    member: int,
    rank: int,
    count: int,
    before: int,
    size: np.ndarray | None = None,
) -> None:
    is_value = problem.aim.is_sum and (size is None or size is problem.weight)
    had = problem.value_of(before, before, problem.capacity[member]) if is_value else None
    active().add(problem.tp[p], Placement(member, rank, count, had))


def dealt(size: np.ndarray, count: int, before: np.ndarray | None = None) -> np.ndarray:
    """Place each size, largest first, in the bin with the least load so far. Return the bin of each
    size, int64 (n,).

    `size`: in descending order. `count`: number of bins. `before`: output, int64 (n,): the load of
    the bin before each size.

    To be fast, sizes are placed in blocks: the least loaded bins get one size each. A block ends
    before a bin whose load exceeds the lowest new load, so the result is the same as for one size
    at a time.
    """
    if count < _FEW:
        return _dealt_to_few(size, count, before)
    where, load, at = np.empty(size.size, dtype=np.int64), np.zeros(count, dtype=np.int64), 0
    while at < size.size:
        order = np.argsort(load, kind="stable")[: size.size - at]
        sorted_load, block = load[order], size[at : at + order.size]
        least_new = np.minimum.accumulate(sorted_load + block)
        over = np.flatnonzero(sorted_load[1:] > least_new[:-1])
        taken = int(over[0]) + 1 if over.size else order.size
        where[at : at + taken] = order[:taken]
        if before is not None:
            before[at : at + taken] = sorted_load[:taken]
        load[order[:taken]] += block[:taken]
        at += taken
    return where


def _dealt_to_few(size: np.ndarray, count: int, before: np.ndarray | None) -> np.ndarray:
    heap, where, loads = [(0, place) for place in range(count)], [], []
    for amount in size.tolist():
        load, place = heap[0]
        where.append(place)
        loads.append(load)
        heapq.heapreplace(heap, (load + amount, place))
    if before is not None:
        before[:] = loads
    return np.array(where, dtype=np.int64)


def placed(
    problem: Problem,
    owner: np.ndarray,
    order: np.ndarray,
    size: np.ndarray,
    share: np.ndarray | None = None,
) -> np.ndarray | None:
    """Place the partitions in `order`, each on the member whose load / `share` is least. Return
    None if no member has room for a partition.

    `owner`: owners of the partitions that are not placed. `size`: int64 (n,). `share`: int64 (M,);
    if None, the capacities.
    """
    owner, share = owner.copy(), (problem.capacity if share is None else share).astype(np.float64)
    stays = owner != NO_HOME
    load = (
        sums(owner[stays], size[stays], problem.cap.size)
        if size.dtype == np.int64
        else np.bincount(owner[stays], size[stays], problem.cap.size)
    )
    room = problem.cap - np.bincount(owner[stays], minlength=problem.cap.size)
    if problem.is_open and (share == share[0]).all():
        return _placed_anywhere(problem, owner, order, size, load)
    rows = [np.flatnonzero(row) for row in problem.may_own]
    watched = _watched(problem, order)
    for rank, p in enumerate(order.tolist()):
        members = rows[problem.class_of[p]]
        after = np.where(room[members] > 0, (load[members] + size[p]) / share[members], np.inf)
        best = int(after.argmin())
        if after[best] == np.inf:
            return None
        owner[p] = members[best]
        if rank in watched:
            _tell_one(
                problem, p, int(members[best]), rank, order.size, int(load[members[best]]), size
            )
        load[members[best]] += size[p]
        room[members[best]] -= 1
    return owner


def _watched(problem: Problem, order: np.ndarray) -> set[int]:
    """Return the positions in `order` of the traced partitions."""
    trace = asked()
    return set() if trace is None else set(trace.places(problem.tp[order]))


def _placed_anywhere(
    problem: Problem, owner: np.ndarray, order: np.ndarray, size: np.ndarray, load: np.ndarray
) -> np.ndarray:
    heap = list(zip(load[problem.members].tolist(), problem.members.tolist(), strict=False))
    heapq.heapify(heap)
    watched = _watched(problem, order)
    for rank, (p, s) in enumerate(zip(order.tolist(), size[order].tolist(), strict=False)):
        least, member = heap[0]
        owner[p] = member
        if rank in watched:
            _tell_one(problem, p, member, rank, order.size, int(least), size)
        heapq.heapreplace(heap, (least + s, member))
    return owner


# From the present owners: members that exceed a limit give partitions to the least loaded members.


def from_owners(
    problem: Problem, homes: Homes, most: np.ndarray, size: np.ndarray, level: Value
) -> Iterator[np.ndarray]:
    """Yield up to three assignments. Members whose total size exceeds `most`, int64 (M,), give
    partitions away until their size is at most `most`. Each assignment chooses these partitions in
    another way.

    `size`: the size of each partition, int64 (n,), the same as in `homes`. `level`: the value from
    which `most` was computed. Partitions without a home are placed together with the given
    partitions.
    """
    forced = np.maximum(homes.count - problem.cap, 0)
    count = np.minimum(np.maximum(homes.given(most), forced), homes.movable)
    givers = np.flatnonzero(count)
    segments = [homes.order[homes.first[j] : homes.first[j + 1]] for j in givers.tolist()]
    excess = (homes.load - most)[givers].tolist()
    ways = (_largest, _sufficient, _tight) if problem.n <= _MANY else (_largest, _sufficient)
    seen = set()
    for way in ways:
        parts = [
            way(size[rows], rows, number, over)
            for rows, number, over in zip(segments, count[givers].tolist(), excess, strict=False)
        ]
        given = np.concatenate([*parts, np.empty(0, dtype=np.int64)])
        owner = problem.home.copy()
        owner[given] = NO_HOME
        loose = np.flatnonzero(owner == NO_HOME)
        if (key := loose.tobytes()) in seen:
            continue
        seen.add(key)
        if asked():
            _tell_given(problem, given, level)
        answer = placed(problem, owner, loose[np.argsort(-size[loose], kind="stable")], size)
        if answer is not None:
            yield answer


def _tell_given(problem: Problem, given: np.ndarray, level: Value) -> None:
    trace, is_home = active(), problem.home != NO_HOME
    # Steps of an earlier failed attempt are discarded.
    trace.take()
    for row in given[trace.places(problem.tp[given])].tolist():
        giver = int(problem.home[row])
        mine = is_home & (problem.home == giver)
        had = problem.value_of(
            int(problem.lag[mine].sum()), int(problem.rate[mine].sum()), problem.capacity[giver]
        )
        trace.add(problem.tp[row], Gave(NO_HOME, giver, had, level))


def _largest(_size: np.ndarray, rows: np.ndarray, number: int, _over: int) -> np.ndarray:
    return rows[:number]


def _sufficient(size: np.ndarray, rows: np.ndarray, number: int, over: int) -> np.ndarray:
    """Return `number` partitions whose total size is at least `over`, as small as possible. All but
    the last are next to each other in the order of size.
    """
    if not number:
        return rows[:0]
    prefix = np.concatenate(([0], np.cumsum(size)))
    windows = prefix[number:] - prefix[:-number]
    first = max(int(np.searchsorted(-windows, -over, side="right")) - 1, 0)
    left = over - int(prefix[first + number - 1] - prefix[first])
    last = max(int(np.searchsorted(-size, -left, side="right")) - 1, first + number - 1)
    return rows[[*range(first, first + number - 1), last]]


def _tight(size: np.ndarray, rows: np.ndarray, number: int, over: int) -> np.ndarray:
    """Return the largest partitions whose total size is at most `over`. If it is less than `over`,
    add the smallest further partition with which it is at least `over`.
    """
    chosen, at, left = [], 0, over
    while left > 0 and at < size.size:
        at += int(np.searchsorted(-size[at:], -left))
        if at == size.size:
            break
        chosen.append(at)
        left -= int(size[at])
        at += 1
    if left > 0:
        unused = np.setdiff1d(np.arange(size.size), chosen, assume_unique=True)
        enough = unused[size[unused] >= left]
        chosen += enough[-1:].tolist()
    return rows[chosen] if len(chosen) >= number else rows[:number]


# Around a large partition: the cases that `largest_moves` bounds.


def around_largest(problem: Problem, place: int, k: int) -> Iterator[tuple[np.ndarray, int | None]]:
    """Yield (partitions that a member gives away, int64; the member that gets the large partition).

    First case: the large partition stays and its owner gives partitions away; the second item is
    None. Second case: the large partition moves to the member that then has the least load.
    """
    homes, home = homes_of(problem, problem.weight), int(problem.home[place])
    if home != NO_HOME:
        mine = homes.order[homes.first[home] : homes.first[home + 1]]
        yield mine[mine != place][:k], None
    leaves = k if home == NO_HOME else k - 1
    takers = np.flatnonzero(problem.may_own[problem.class_of[place]])
    takers = takers[takers != home]
    if takers.size and (home == NO_HOME or problem.movable[place]):
        left = left_after(homes, leaves)[takers] + problem.weight[place]
        taker = int(takers[(left / problem.capacity[takers]).argmin()])
        yield homes.order[homes.first[taker] : homes.first[taker + 1]][:leaves], taker
