"""Places: owners and remaining capacities while partitions are dealt by rack."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.trace import FirstWithRoom, asked

# Range with racks, KIP-881


class Places:
    """The owner of each partition so far, and each member's remaining capacity in partitions.

    A place is the position of a member in the order of members.
    """

    def __init__(self, member_count: int, partition_count: int):
        self.owner = [UNASSIGNED] * partition_count
        self._base, self._extra_count = divmod(partition_count, member_count)
        self._given = [0] * member_count
        self._told: list[tuple[int, int, list[int], bool]] | None = None if asked() is None else []
        self._is_rest = False

    def capacity(self, place: int) -> int:
        # TopicAssignmentState.maxAssignable has the same limit. If no extra partition is left, a
        # member that has an extra partition is above its share.
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
        """Give each place in turn the first partitions of its iterator in `pools`.

        A place gets at most as many partitions as its capacity.
        """
        for place, pool in enumerate(pools):
            partitions = list(islice(pool, self.capacity(place)))
            if partitions:
                self.give(place, partitions)

    def fill_by_fit(self, rack_of_place: Sequence[int], fits_by_rack: Mapping[int, np.ndarray]):
        """Give each place in turn the first partitions with a replica in the place's rack.

        A place gets at most as many partitions as its capacity.
        """
        pools = {
            rack: self._unassigned(np.flatnonzero(fits).tolist())
            for rack, fits in fits_by_rack.items()
        }
        self.fill_by_place([pools[rack] for rack in rack_of_place])

    def fill_by_partition(
        self, rack_of_place: Sequence[int], fits_by_rack: Mapping[int, np.ndarray]
    ):
        """Go through the partitions. The first place in a fitting rack gets the partition.

        A rack fits if it has a replica of the partition. Places without capacity are skipped.
        """
        waiting = {rack: deque[int]() for rack in fits_by_rack}
        for place, rack in enumerate(rack_of_place):
            if rack in waiting:
                waiting[rack].append(place)
        # Capacity never grows, so a full place can be removed from its queue.
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
        """Go through the places. Each place gets the first unassigned partitions, up to its
        capacity.
        """
        self._is_rest = True
        self.fill_by_place([self._unassigned(range(len(self.owner)))] * len(self._given))

    def tell(
        self,
        tps: slice,
        members: np.ndarray,
        rack_of_place: Sequence[int],
        fits_by_rack: Mapping[int, np.ndarray],
    ):
        """Trace how one topic's partitions were dealt. `members`: the member at each place."""
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
        return (partition for partition in partitions if self.owner[partition] == UNASSIGNED)

    def _first_with_capacity(self, queue: deque) -> int | None:
        while queue and not self.capacity(queue[0]):
            queue.popleft()
        return queue[0] if queue else None
