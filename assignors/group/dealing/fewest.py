"""Dealing to the member with the fewest partitions, also within racks."""

from collections.abc import Iterator
from heapq import heapify, heapreplace

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.group.snapshot import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.subscriptions import Subscribers
from evenkeel.assignors.trace import Fewest, Trace, asked, pairs

# Fewest first: each free partition goes to its subscriber with the fewest partitions, as in the
# sticky assignors


def fill(
    group: GroupSnapshot, rows: np.ndarray, owner: np.ndarray, count: np.ndarray, sets: Subscribers
) -> None:
    """Assign `rows` in turn, and update `owner`, int32 (P,), and the counts `count`, int64 (M,).

    If counts are equal, the first member of the set of subscribers gets the partition.
    """
    trace = asked()
    for run, subscribers in _runs(rows, sets.set_of_topic[group.tp_topic[rows]]):
        members = sets.members[subscribers]
        takers = members[slots(count[members], run.size)]
        if trace is not None:
            _tell_fewest(trace, run, takers, members, count)
        owner[run] = takers
        count += np.bincount(takers, minlength=count.size)


def _tell_fewest(
    trace: Trace, run: np.ndarray, takers: np.ndarray, members: np.ndarray, count: np.ndarray
) -> None:
    for at in trace.places(run):
        now = count + np.bincount(takers[:at], minlength=count.size)
        trace.add(run[at], Fewest(int(takers[at]), pairs(members, now[members])))


def _runs(rows: np.ndarray, key: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """Yield the rows and the key of each run of equal keys."""
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    return (
        zip(np.split(rows, starts[1:]), key[starts].tolist(), strict=True)
        if rows.size
        else iter(())
    )


def slots(count: np.ndarray, number: int) -> np.ndarray:
    """Deal `number` partitions one at a time, always to the first place with the fewest partitions.
    Return the places, int64.

    The result is the first `number` pairs of (partitions so far, place) in ascending order.
    """
    (lowest,) = (count == count.min()).nonzero()
    if number <= lowest.size:
        return lowest[:number]
    level = _level(count, number)
    ragged = _up_to(count, min(level, int(count.max())))
    rounds = max(level - int(count.max()), 0)
    result = np.empty(number, dtype=np.int64)
    result[: ragged.size] = ragged
    rest = ragged.size + rounds * count.size
    result[ragged.size : rest].reshape(rounds, count.size)[:] = np.arange(count.size)
    result[rest:] = np.flatnonzero(count <= level)[: number - rest]
    return result


def _level(count: np.ndarray, number: int) -> int:
    """Return the least number of partitions at the places that get any, after `number` partitions
    are dealt.
    """
    ordered = np.sort(count)
    total = ordered.cumsum()
    needed = ordered * np.arange(1, ordered.size + 1) - total
    taking_part = int(np.searchsorted(needed, number, side="right"))
    return (number + int(total[taking_part - 1])) // taking_part


def _up_to(count: np.ndarray, level: int) -> np.ndarray:
    """Return each place, repeated for each partition that it needs to reach `level`. The order is
    by (partitions so far, place).
    """
    missing = np.maximum(level - count, 0)
    place = np.arange(count.size).repeat(missing)
    so_far = np.arange(place.size) + (count - missing.cumsum() + missing).repeat(missing)
    return place[stable_order(so_far)]


# Near first: each free partition goes to the subscriber with the fewest partitions among
# subscribers with a replica in their rack


def fill_within_racks(
    group: GroupSnapshot,
    rows: np.ndarray,
    owner: np.ndarray,
    count: np.ndarray,
    racks: Racks,
    by_id: np.ndarray,
    sets: Subscribers,
) -> np.ndarray:
    """Assign rows to subscribers without a rack or with a replica in their rack. Return the rows
    without such a subscriber.

    The loop is over rows, because every member is in several queues. `by_id`: int32, members in the
    order of `sets`, which decides if counts are equal.
    """
    position = np.full(count.size, -1, dtype=np.int64)
    position[by_id] = np.arange(by_id.size)
    key = (count * count.size + position).tolist()
    queues, taken, left = {}, [], []
    trace = asked()
    for row, subscribers, has in zip(
        rows.tolist(),
        sets.set_of_topic[group.tp_topic[rows]].tolist(),
        racks.has[rows],
        strict=False,
    ):
        name = subscribers, has.tobytes()
        if name not in queues:
            members = sets.members[subscribers]
            rack = racks.member_rack[members]
            queues[name] = [
                key[member] for member in members[(rack == NO_RACK) | has[rack]].tolist()
            ]
            heapify(queues[name])
        member = _first(queues[name], key, by_id)
        if member is None:
            left.append(row)
        else:
            if trace is not None and trace.watches(row):
                near = [
                    each
                    for each in sets.members[subscribers].tolist()
                    if racks.member_rack[each] == NO_RACK or has[racks.member_rack[each]]
                ]
                trace.add(
                    row,
                    Fewest(
                        member,
                        pairs(near, [key[each] // count.size for each in near]),
                        is_near=True,
                    ),
                )
            owner[row] = member
            key[member] += count.size
            taken.append(member)
    count += np.bincount(np.array(taken, dtype=np.int64), minlength=count.size)
    return np.array(left, dtype=np.int64)


def _first(queue: list[int], key: list[int], by_id: np.ndarray) -> int | None:
    """Return the member with the smallest key, None if the queue is empty.

    Keys only grow, so an outdated key is detected when it reaches the front.
    """
    while queue:
        member = int(by_id[queue[0] % len(key)])
        if key[member] == queue[0]:
            return member
        heapreplace(queue, key[member])
    return None
