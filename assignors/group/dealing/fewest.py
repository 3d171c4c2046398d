"""Deal each partition to the subscriber with the fewest partitions, with or without racks."""

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
    """Assign topic-partitions, one after the other, to the subscriber with the fewest partitions.

    `rows`: the topic-partitions. `owner`, int32 (P,), and `count`, int64 (M,), are updated in
    place. If several subscribers have the fewest partitions, the first of them in `sets` gets the
    partition.
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
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    return (
        zip(np.split(rows, starts[1:]), key[starts].tolist(), strict=True)
        if rows.size
        else iter(())
    )


def slots(count: np.ndarray, number: int) -> np.ndarray:
    """Deal `number` partitions one at a time, always to the place with the fewest partitions.

    Return the chosen places, int64. A place is an index in `count`, the number of partitions that
    each place already has. If several places have the fewest, the first of them is chosen.
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
    """Return the largest n for which `number` partitions can give every place at least n."""
    ordered = np.sort(count)
    total = ordered.cumsum()
    needed = ordered * np.arange(1, ordered.size + 1) - total
    taking_part = int(np.searchsorted(needed, number, side="right"))
    return (number + int(total[taking_part - 1])) // taking_part


def _up_to(count: np.ndarray, level: int) -> np.ndarray:
    """Deal partitions until every place has at least `level`. Return the place of each partition.

    The result is in dealing order.
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
    """Assign the topic-partitions `rows` to subscribers with the fewest partitions, near a replica.

    A subscriber is a candidate if it has no rack, or if its rack has a replica of the partition.
    Return the topic-partitions without a candidate. `by_id`: members in the order of `sets`, int32.
    If several candidates have the fewest partitions, the first in `by_id` gets the partition.
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
    """Return the queue's member with the smallest key. None if the queue is empty.

    `key`: present key of each member, which only increases. Keys in the queue may be outdated; an
    outdated key at the front is replaced.
    """
    while queue:
        member = int(by_id[queue[0] % len(key)])
        if key[member] == queue[0]:
            return member
        heapreplace(queue, key[member])
    return None
