"""Loads: how many partitions each member has while they move, and which subscriber of a topic has the fewest."""

from collections import Counter
from heapq import heapify, heappop, heappush

import numpy as np

from evenkeel.assignors.group.subscriptions import Subscribers


class Loads:
    """Counts of the members that take part.

    Parameters
    ----------
    count : list of int
        Partitions of every member.
    active : list of int
        Members that take part.
    place : list of int
        Each member's place by id: it decides between equal counts.
    sets : Subscribers
    """

    def __init__(self, count: list[int], active: list[int], place: list[int], sets: Subscribers):
        self.count, self._place = count, place
        self._sizes = Counter(count[member] for member in active)
        self._least, self._most = min(self._sizes, default=0), max(self._sizes, default=0)
        is_active = np.zeros(len(count), dtype=bool)
        is_active[active] = True
        self._queues = [[(count[each], place[each], each) for each in members[is_active[members]].tolist()] for members in sets.members]
        self._queues_of: list[list[int]] = [[] for _ in count]
        for number, queue in enumerate(self._queues):
            heapify(queue)
            for _, _, member in queue:
                self._queues_of[member].append(number)

    @property
    def is_even(self) -> bool:
        """Whether largest and smallest count differ by one at most."""
        return self._most - self._least <= 1

    def fewest(self, subscribers: int) -> int:
        """Return the member of a set of subscribers with the fewest partitions."""
        queue = self._queues[subscribers]
        while queue[0][0] != self.count[queue[0][2]]:
            heappop(queue)
        return queue[0][2]

    def change(self, member: int, by: int) -> None:
        """Add 1 or -1 to the count of a member."""
        before = self.count[member]
        self.count[member] = after = before + by
        self._sizes[before] -= 1
        self._sizes[after] += 1
        if not self._sizes[self._least] or after < self._least:
            self._least = after
        if not self._sizes[self._most] or after > self._most:
            self._most = after
        for number in self._queues_of[member]:
            heappush(self._queues[number], (after, self._place[member], member))
