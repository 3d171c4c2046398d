"""Racks first, where subscriptions are equal: partitions go to members in a rack with a replica, then the rest to any member."""

from bisect import bisect_left
from collections import defaultdict, deque

import numpy as np

from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.kafka.classic.abstract_sticky.constrained.queues import Queues, takers


def takers_by_rack(queues: Queues, rows: np.ndarray, racks: Racks, room: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows, those with the fewest nearby members first, and the member for each.

    `room`: number of members that may still exceed the lower quota.
    """
    rows = rows[np.argsort(racks.near_count(rows), kind="stable")]
    near = _Near(queues, racks.member_rack, room)
    given = [near.taker(np.flatnonzero(has).tolist()) for has in racks.has[rows]]
    is_given = np.array([member is not None for member in given], dtype=bool)
    rest = takers(near.left(), int(np.count_nonzero(~is_given)))
    members = np.array([member for member in given if member is not None], dtype=np.int32)
    return np.concatenate((rows[is_given], rows[~is_given])), np.concatenate((members, rest))


class _Near:
    """The queues by rack.

    Members below the lower quota take turns: the next one in a fitting rack gets the partition. Of members at
    the lower quota, the first one gets it.
    """

    def __init__(self, queues: Queues, member_rack: np.ndarray, room: int):
        self._under, self._missing = queues.under.tolist(), queues.missing.tolist()
        self._rack = member_rack.tolist()
        self._room = room
        self._next = 0
        self._places = defaultdict(list)
        for place, member in enumerate(self._under):
            self._places[self._rack[member]].append(place)
        self._joined = 0
        self._exact = defaultdict(deque)
        for member in queues.exact.tolist():
            self._join(member)

    def taker(self, fitting: list[int]) -> int | None:
        """Return the member for a partition with replicas in these racks, None where no member there may take it."""
        place = min((self._following(self._places[rack]) for rack in fitting if self._places[rack]), default=None)
        if place is not None:
            return self._give(place % len(self._under))
        first = min((self._exact[rack][0] for rack in fitting if self._exact[rack]), default=None)
        if first is None:
            return None
        self._exact[self._rack[first[1]]].popleft()
        self._use_room()
        return first[1]

    def left(self) -> Queues:
        """Return the queues as they are now."""
        below = sorted(place for places in self._places.values() for place in places)
        exact = [member for _, member in sorted(each for queue in self._exact.values() for each in queue)]
        under = np.array([self._under[place] for place in below], dtype=np.int32)
        return Queues(under, np.array([self._missing[place] for place in below], dtype=np.int64), np.array(exact, dtype=np.int32))

    def _following(self, places: list[int]) -> int:
        """Return the next of these places in turn, plus the length of a turn where it is past the end."""
        number = bisect_left(places, self._next)
        return places[number] if number < len(places) else places[0] + len(self._under)

    def _give(self, place: int) -> int:
        member = self._under[place]
        self._next = place + 1
        self._missing[place] -= 1
        if not self._missing[place]:
            self._places[self._rack[member]].remove(place)
            if self._room:
                self._join(member)
        return member

    def _join(self, member: int):
        self._exact[self._rack[member]].append((self._joined, member))
        self._joined += 1

    def _use_room(self):
        self._room -= 1
        if not self._room:
            self._exact.clear()
