"""Where a search starts: the largest first from scratch, and from the owners now with few partitions given away."""

import heapq

import numpy as np

from evenkeel.assignors.best.problem import NO_HOME, Problem


def from_scratch(problem: Problem) -> np.ndarray:
    """Place every partition, the largest first, on the member with the least; int64 (n,)."""
    size = problem.weight
    order = np.argsort(-size, kind="stable")
    if problem.is_open and problem.has_equal_capacity and problem.objective != "drain":
        owner = np.empty(problem.n, dtype=np.int64)
        owner[order] = problem.members[dealt(size[order], problem.members.size)]
        return owner
    return placed(problem, np.full(problem.n, NO_HOME, dtype=np.int64), order, size)


def dealt(size: np.ndarray, count: int) -> np.ndarray:
    """Return the place of each of the sizes, which descend, when each goes to the place that has least; int64 (n,).

    Exactly one by one, but in blocks: places by load get one each, up to the first whose load exceeds the least new load.
    """
    where, load, at = np.empty(size.size, dtype=np.int64), np.zeros(count, dtype=np.int64), 0
    while at < size.size:
        order = np.argsort(load, kind="stable")[: size.size - at]
        sorted_load, block = load[order], size[at : at + order.size]
        least_new = np.minimum.accumulate(sorted_load + block)
        over = np.flatnonzero(sorted_load[1:] > least_new[:-1])
        taken = int(over[0]) + 1 if over.size else order.size
        where[at : at + taken] = order[:taken]
        load[order[:taken]] += block[:taken]
        at += taken
    return where


def placed(problem: Problem, owner: np.ndarray, order: np.ndarray, size: np.ndarray, share: np.ndarray | None = None) -> np.ndarray | None:
    """Place partitions in this order on the member that has least for its `share`; None where a member has no room for one.

    `owner`: those that stay. `size` int64 (n,). `share`: int64 (M,), else the capacities.
    """
    owner, share = owner.copy(), (problem.capacity if share is None else share).astype(np.float64)
    stays = owner != NO_HOME
    load = np.zeros(problem.cap.size, dtype=np.int64)
    np.add.at(load, owner[stays], size[stays])
    room = problem.cap - np.bincount(owner[stays], minlength=problem.cap.size)
    if problem.is_open and (share == share[0]).all():
        return _placed_anywhere(problem, owner, order, size, load)
    rows = [np.flatnonzero(row) for row in problem.may_own]
    for p in order.tolist():
        members = rows[problem.class_of[p]]
        after = np.where(room[members] > 0, (load[members] + size[p]) / share[members], np.inf)
        best = int(after.argmin())
        if after[best] == np.inf:
            return None
        owner[p] = members[best]
        load[members[best]] += size[p]
        room[members[best]] -= 1
    return owner


def _placed_anywhere(problem: Problem, owner: np.ndarray, order: np.ndarray, size: np.ndarray, load: np.ndarray) -> np.ndarray:
    heap = list(zip(load[problem.members].tolist(), problem.members.tolist()))
    heapq.heapify(heap)
    for p, s in zip(order.tolist(), size[order].tolist()):
        least, member = heap[0]
        owner[p] = member
        heapq.heapreplace(heap, (least + s, member))
    return owner
