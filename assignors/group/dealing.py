"""Ways of dealing partitions that assignors of several clients share: ranges, rings, fewest first,
near first, by rack.

    owner = even_ranges(group, group.subscribers)

Topics for which everything that decides is equal are handled at once, run by run.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heapreplace
from itertools import islice, pairwise

import numpy as np

from evenkeel.assignors.arrays import deal_in_turn, stable_order
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.group.snapshot import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.subscriptions import Subscribers
from evenkeel.assignors.trace import Fewest, FirstWithRoom, Slice, Trace, Turn, asked, pairs

Sizes = Callable[[int, int], np.ndarray | int]
"""Partitions and subscribers of a topic to the size of each range, int64 (subscribers,), or one
size for all.
"""


def topic_runs(group: GroupSnapshot, *columns: np.ndarray) -> Iterator[tuple[np.ndarray, slice]]:
    """Yield the topics and the adjacent topic-partitions of each run of topics that are equal in
    every column (T,).

    Topics without partitions are left out.
    """
    for topics in runs((group.partition_count > 0).nonzero()[0], *columns):
        yield topics, slice(int(group.first_tp[topics[0]]), int(group.first_tp[topics[-1] + 1]))


def runs(topics: np.ndarray, *columns: np.ndarray) -> Iterator[np.ndarray]:
    """Cut topics, in any order, at each change of one of the columns (T,)."""
    if not topics.size:
        return
    is_cut = np.zeros(topics.size - 1, dtype=bool)
    for column in columns:
        value = column[topics]
        is_cut |= value[1:] != value[:-1]
    for start, stop in pairwise((0, *(is_cut.nonzero()[0] + 1).tolist(), topics.size)):
        yield topics[start:stop]


# Even ranges: each topic's partitions in contiguous ranges, one for each subscriber


def first_get_more(partition_count: int, subscriber_count: int) -> np.ndarray | int:
    """Return sizes of which the first `partition_count % subscriber_count` are one larger."""
    least, more = divmod(partition_count, subscriber_count)
    return least + (np.arange(subscriber_count) < more) if more else least


def even_ranges(
    group: GroupSnapshot, subscribers: Subscribers, sizes: Sizes = first_get_more
) -> np.ndarray:
    """Return the owners, int32 (P,); the members of each set of subscribers are in the order in
    which they get their ranges.
    """
    owner, trace = np.empty(group.tp_count, dtype=np.int32), asked()
    for topics, tps in topic_runs(group, subscribers.count_of_topic, group.partition_count):
        partition_count = int(group.partition_count[topics[0]])
        members = _members(subscribers, topics)
        size = sizes(partition_count, members.shape[1]) if members.size else 0
        owner[tps].reshape(-1, partition_count)[:] = (
            np.repeat(members, size, axis=1) if members.size else UNASSIGNED
        )
        if trace is not None and members.size:
            _tell_ranges(
                trace,
                tps,
                np.broadcast_to(members, (topics.size, members.shape[1])),
                np.broadcast_to(size, members.shape[1]),
            )
    return owner


def _tell_ranges(trace: Trace, tps: slice, members: np.ndarray, size: np.ndarray) -> None:
    """Trace the ranges of adjacent topics of one size; `members` int32 (topics, subscribers),
    `size` int64 (subscribers,).
    """
    stops = size.cumsum()
    for at in trace.places(tps):
        row, partition = divmod(at, int(stops[-1]))
        place = int(np.searchsorted(stops, partition, side="right"))
        order = tuple(members[row].tolist())
        trace.add(
            tps.start + at,
            Slice(
                order[place], order, tuple(size.tolist()), place, int(stops[place] - size[place])
            ),
        )


def _members(subscribers: Subscribers, topics: np.ndarray) -> np.ndarray:
    """Return the subscribers of topics with equal subscriber counts, int32: a row for each topic,
    or one row if all have the same.
    """
    members, sets = subscribers.members, subscribers.set_of_topic[topics]
    return (
        members[sets[0]][None]
        if (sets == sets[0]).all()
        else np.stack([members[each] for each in sets.tolist()])
    )


# Ring: partitions one by one to members in turn, past members that do not subscribe


def owners_in_ring(group: GroupSnapshot, subscribers: Subscribers, place: np.ndarray) -> np.ndarray:
    """Return the owners, int32 (P,), where topics are dealt by name; `place` as below,
    `subscribers` in that order.
    """
    runs = (
        (subscribers.of_topic(topics[0]), tps)
        for topics, tps in topic_runs(group, subscribers.set_of_topic)
    )
    return dealt_in_ring(runs, place, group.tp_count)


def dealt_in_ring(
    runs: Iterable[tuple[np.ndarray, slice]],
    place: np.ndarray,
    number: int,
    tps: np.ndarray | None = None,
) -> np.ndarray:
    """Deal `number` partitions, and return their members, int32.

    The pointer keeps its place from one run to the next, as in Kafka's CircularIterator.

    Parameters
    ----------
    runs : iterable of (int32, slice)
        Adjacent partitions that the same members subscribe to, and those members in the order of
        the ring; the runs cover all partitions.
    place : int64 (M,)
        Each member's place in the ring, -1 for members outside.
    tps : int64 (number,)
        The topic-partitions in the order in which they are dealt; by row if omitted.
    """
    owner, trace = np.empty(number, dtype=np.int32), asked()
    pointer, before = 0, UNASSIGNED
    for members, partitions in runs:
        if members.size:
            last = _deal(
                owner[partitions],
                members,
                int(np.searchsorted(place[members], pointer)) if pointer else 0,
            )
            if trace is not None:
                _tell_turns(trace, owner, partitions, members, before, place, tps)
            pointer, before = place[last] + 1, int(last)
        else:
            owner[partitions] = UNASSIGNED
    return owner


def _tell_turns(
    trace: Trace,
    owner: np.ndarray,
    run: slice,
    members: np.ndarray,
    before: int,
    place: np.ndarray,
    tps: np.ndarray | None,
) -> None:
    """Trace the turns of a run; `before`: the member that got the previous partition."""
    rows = np.arange(run.start, run.stop) if tps is None else tps[run]
    for at in trace.places(rows):
        number = run.start + at
        last = int(owner[number - 1]) if at else before
        trace.add(
            rows[at],
            Turn(
                int(owner[number]),
                tuple(members.tolist()),
                number,
                last,
                _between(place, last, int(owner[number])),
            ),
        )


def _between(place: np.ndarray, before: int, member: int) -> tuple[int, ...]:
    """Return the members of a ring between two of them, in order; before the first turn those from
    the start.
    """
    ring = np.flatnonzero(place >= 0)
    ring = ring[np.argsort(place[ring], kind="stable")].tolist()
    start, stop = ring.index(before) + 1 if before != UNASSIGNED else 0, ring.index(member)
    return tuple(ring[start:stop] if start <= stop else ring[start:] + ring[:stop])


def deal_and_tell(owner: np.ndarray, members: np.ndarray, tps: np.ndarray | slice) -> None:
    """Write members in turn into `owner`, as `deal_in_turn`, and trace it for `tps`, the dealt
    topic-partitions.
    """
    deal_in_turn(owner, members)
    if (trace := asked()) is not None:
        for at in trace.places(tps):
            tp = tps.start + at if isinstance(tps, slice) else tps[at]
            trace.add(
                tp,
                Turn(
                    int(owner[at]),
                    tuple(members.tolist()),
                    at,
                    int(owner[at - 1]) if at else UNASSIGNED,
                ),
            )


def _deal(owner: np.ndarray, members: np.ndarray, start: int) -> int:
    """Write members in turn into `owner`, from the member at `start`; return the last member."""
    turn = np.concatenate((members[start:], members[:start]))[: owner.size]
    deal_in_turn(owner, turn)
    return owner[-1]


# Fewest first: each free partition to its subscriber with the fewest, as the sticky assignors do


def fill(
    group: GroupSnapshot, rows: np.ndarray, owner: np.ndarray, count: np.ndarray, sets: Subscribers
) -> None:
    """Assign `rows` in turn: update `owner` int32 (P,) and the counts `count` int64 (M,); ties go
    to the first member of a set.
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
    """Hand out `number` partitions, one at a time, to the first place with the fewest; return the
    places, int64.

    These are the first `number` pairs of (partitions so far, place) in order.
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
    """Return the least count of the places that get something when `number` partitions are handed
    out.
    """
    ordered = np.sort(count)
    total = ordered.cumsum()
    needed = ordered * np.arange(1, ordered.size + 1) - total
    taking_part = int(np.searchsorted(needed, number, side="right"))
    return (number + int(total[taking_part - 1])) // taking_part


def _up_to(count: np.ndarray, level: int) -> np.ndarray:
    """Return each place as often as it lacks a partition to `level`, in the order of (partitions so
    far, place).
    """
    missing = np.maximum(level - count, 0)
    place = np.arange(count.size).repeat(missing)
    so_far = np.arange(place.size) + (count - missing.cumsum() + missing).repeat(missing)
    return place[stable_order(so_far)]


# Near first: each free partition to the subscriber with the fewest that has a replica in its rack,
# if there is one


def fill_within_racks(
    group: GroupSnapshot,
    rows: np.ndarray,
    owner: np.ndarray,
    count: np.ndarray,
    racks: Racks,
    by_id: np.ndarray,
    sets: Subscribers,
) -> np.ndarray:
    """Assign rows to subscribers without a rack or with a replica in theirs; return the rows
    without such a subscriber.

    Row by row, because every member is in several queues. `by_id` int32: members in the order of
    `sets`, which breaks ties.
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
    """Return the member with the smallest key. Keys only grow, so an outdated key is detected when
    it reaches the front.
    """
    while queue:
        member = int(by_id[queue[0] % len(key)])
        if key[member] == queue[0]:
            return member
        heapreplace(queue, key[member])
    return None


# Range with racks, KIP-881


class Places:
    """Owners so far, members as places in their order, and how many more partitions each
    may get.
    """

    def __init__(self, member_count: int, partition_count: int):
        self.owner = [UNASSIGNED] * partition_count
        self._base, self._extra_count = divmod(partition_count, member_count)
        self._given = [0] * member_count
        self._told: list[tuple[int, int, list[int], bool]] | None = None if asked() is None else []
        self._is_rest = False

    def capacity(self, place: int) -> int:
        # TopicAssignmentState.maxAssignable has the same bound: a member with an extra partition is
        # beyond its share once no extra is left.
        return max(0, self._base + (self._extra_count > 0) - self._given[place])

    def give(self, place: int, partitions: list[int]):
        for number, partition in enumerate(partitions):
            self.owner[partition] = place
            if self._told is not None:
                room = [
                    self.capacity(each) - number * (each == place)
                    for each in range(len(self._given))
                ]
                self._told.append((partition, place, room, self._is_rest))
        self._given[place] += len(partitions)
        if self._given[place] > self._base:
            self._extra_count -= 1

    def fill_by_place(self, pools: Iterable[Iterator[int]]):
        """Give each place in turn the first partitions of its pool, up to its capacity."""
        for place, pool in enumerate(pools):
            partitions = list(islice(pool, self.capacity(place)))
            if partitions:
                self.give(place, partitions)

    def fill_by_fit(self, rack_of_place: Sequence[int], fits_by_rack: Mapping[int, np.ndarray]):
        """Give each place in turn the first partitions that fit its rack."""
        pools = {
            rack: self._unassigned(np.flatnonzero(fits).tolist())
            for rack, fits in fits_by_rack.items()
        }
        self.fill_by_place([pools[rack] for rack in rack_of_place])

    def fill_by_partition(
        self, rack_of_place: Sequence[int], fits_by_rack: Mapping[int, np.ndarray]
    ):
        """Give each partition number in turn to the first place that fits and has capacity; places
        of other racks get nothing.
        """
        waiting = {rack: deque[int]() for rack in fits_by_rack}
        for place, rack in enumerate(rack_of_place):
            if rack in waiting:
                waiting[rack].append(place)
        # Capacity never grows, so a full place leaves its queue for good.
        for partition, fits in enumerate(
            zip(*(matches.tolist() for matches in fits_by_rack.values()), strict=False)
        ):
            first = [
                self._first_with_capacity(queue)
                for queue, matches in zip(waiting.values(), fits, strict=False)
                if matches
            ]
            nearest = min((place for place in first if place is not None), default=None)
            if nearest is not None:
                self.give(nearest, [partition])

    def fill_rest(self):
        """Give each place in turn the first unassigned partitions."""
        self._is_rest = True
        self.fill_by_place([self._unassigned(range(len(self.owner)))] * len(self._given))

    def tell(
        self,
        tps: slice,
        members: np.ndarray,
        rack_of_place: Sequence[int],
        fits_by_rack: Mapping[int, np.ndarray],
    ):
        """Trace how the partitions of one topic were dealt; `members`: the member at each place."""
        trace = asked()
        if trace is None or self._told is None:
            return
        trace.forget(tps)
        watched = set(trace.places(tps))
        for partition, place, room, is_rest in (step for step in self._told if step[0] in watched):
            fits = [
                is_rest or (rack in fits_by_rack and bool(fits_by_rack[rack][partition]))
                for rack in rack_of_place
            ]
            candidates = [
                (int(member), free)
                for member, free, fit in zip(members.tolist(), room, fits, strict=True)
                if fit
            ]
            trace.add(
                tps.start + partition,
                FirstWithRoom(int(members[place]), tuple(candidates), not is_rest),
            )

    def _unassigned(self, partitions: Iterable[int]) -> Iterator[int]:
        """Yield each of `partitions` that is unassigned when its turn comes."""
        return (partition for partition in partitions if self.owner[partition] == UNASSIGNED)

    def _first_with_capacity(self, queue: deque) -> int | None:
        while queue and not self.capacity(queue[0]):
            queue.popleft()
        return queue[0] if queue else None
