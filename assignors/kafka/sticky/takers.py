"""New owners of the partitions that no member keeps, if subscriptions are equal.

Members get partitions in turn. With racks, members near a replica come first.
"""

from bisect import bisect_left
from collections import defaultdict, deque
from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.arrays import deal_in_turn, stable_order
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.trace import (
    Lacking,
    Trace,
    Turn,
    asked,
    pairs,
)


@dataclass(frozen=True, eq=False)
class Queues:
    """The members that get partitions.

    `under`: members below the lower quota, sorted by id, int32. `missing`: how many partitions each
    of these members needs for the lower quota, int64. `exact`: members at the lower quota that may
    get one partition more, int32.
    """

    under: np.ndarray
    missing: np.ndarray
    exact: np.ndarray


# New owners without racks


def takers(queues: Queues, number: int) -> np.ndarray:
    """Return the new owner of each of `number` partitions, int32.

    First, members in `under` get partitions in rounds, until no member is below the lower quota.
    Then the members in `exact` get one partition more each, and then the members that have reached
    the lower quota, in the order in which they reached it.

    Raises
    ------
    AssignorError
        IllegalStateException if there are more partitions than the members may get.
    """
    under, missing = queues.under, queues.missing
    lacking = int(missing.sum())
    rest = number - lacking
    if not 0 <= rest <= queues.exact.size + under.size:
        most = lacking + queues.exact.size + under.size
        raise AssignorError(
            "IllegalStateException", f"{number} partitions are left, expected {lacking} to {most}"
        )
    if not under.size:
        return queues.exact[:number]
    result = np.empty(number, dtype=np.int32)
    if (missing == missing[0]).all():
        deal_in_turn(result[:lacking], under)
    else:
        result[:lacking] = _in_rounds(under, missing)
    result[lacking:] = _above_least(queues)[:rest]
    return result


def _above_least(queues: Queues) -> np.ndarray:
    """Return the members that may get one partition more than the lower quota, in order, int32."""
    return np.concatenate((queues.exact, queues.under[stable_order(queues.missing)]))


def tell_given(trace: Trace, rows: np.ndarray, queues: Queues, given: np.ndarray) -> None:
    """Trace the new owner of each partition."""
    lacking, above = int(queues.missing.sum()), _above_least(queues)
    under, more = pairs(queues.under, queues.missing), pairs(above, np.ones(above.size))
    for at in trace.places(rows):
        of_queue = (at, under, True, False) if at < lacking else (at - lacking, more, True, True)
        trace.add(rows[at], Lacking(int(given[at]), *of_queue))


def _in_rounds(members: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Return each member as many times as it lacks partitions, in rounds.

    The first round has all members, the second round all members that lack at least two, and so on.
    """
    result, whole = np.empty(missing.sum(), dtype=members.dtype), int(missing.min()) * members.size
    deal_in_turn(result[:whole], members)
    missing = missing - missing.min()
    number_of_round = np.arange(missing.sum()) - np.repeat(np.cumsum(missing) - missing, missing)
    result[whole:] = np.repeat(members, missing)[stable_order(number_of_round)]
    return result


def takers_by_rack(
    queues: Queues, rows: np.ndarray, racks: Racks, room: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the partitions and their new owners. The partitions that nearby members get
    come first. Both parts are sorted by number of nearby members, fewest first.

    A member is nearby if its rack has a replica. `room`: how many more members may exceed the lower
    quota.
    """
    rows = rows[np.argsort(racks.near_count(rows), kind="stable")]
    near = _Near(queues, racks.member_rack, room)
    given = [
        near.taker(row, np.flatnonzero(has).tolist())
        for row, has in zip(rows.tolist(), racks.has[rows], strict=True)
    ]
    is_given = np.array([member is not None for member in given], dtype=bool)
    left = near.left()
    rest = takers(left, int(np.count_nonzero(~is_given)))
    if (trace := asked()) is not None:
        tell_given(trace, rows[~is_given], left, rest)
    members = np.array([member for member in given if member is not None], dtype=np.int32)
    return np.concatenate((rows[is_given], rows[~is_given])), np.concatenate((members, rest))


class _Near:
    """The queues, divided by rack.

    The next member in turn that is below the lower quota and near a replica gets the partition. If
    there is none, the first member at the lower quota near a replica gets it.
    """

    def __init__(self, queues: Queues, member_rack: np.ndarray, room: int):
        self._under, self._missing = queues.under.tolist(), queues.missing.tolist()
        self._rack = member_rack.tolist()
        self._room = room
        self._next = 0
        self._places = defaultdict(list)
        for place, member in enumerate(self._under):
            self._places[self._rack[member]].append(place)
        self._joined, self._before, self._number = 0, UNASSIGNED, 0
        self._trace = asked()
        self._exact: defaultdict[int, deque[tuple[int, int]]] = defaultdict(deque)
        for member in queues.exact.tolist():
            self._join(member)

    def taker(self, row: int, fitting: list[int]) -> int | None:
        """Return the new owner of a partition. `fitting`: racks with a replica.

        None if no member in these racks may get the partition.
        """
        place = min(
            (self._following(self._places[rack]) for rack in fitting if self._places[rack]),
            default=None,
        )
        if place is not None:
            if self._trace is not None:
                self._tell_turn(self._trace, row, self._under[place % len(self._under)], fitting)
            return self._give(place % len(self._under))
        first = min((self._exact[rack][0] for rack in fitting if self._exact[rack]), default=None)
        if first is None:
            return None
        if self._trace is not None and self._trace.watches(row):
            line = [
                member
                for _, member in sorted(each for rack in fitting for each in self._exact[rack])
            ]
            self._trace.add(
                row,
                Lacking(
                    first[1], 0, pairs(line, [1] * len(line)), in_rounds=True, is_above_least=True
                ),
            )
        self._exact[self._rack[first[1]]].popleft()
        self._use_room()
        return first[1]

    def _tell_turn(self, trace: Trace, row: int, member: int, fitting: list[int]) -> None:
        if trace.watches(row):
            ring = sorted(place for rack in fitting for place in self._places[rack])
            trace.add(
                row,
                Turn(
                    member,
                    tuple(self._under[place] for place in ring),
                    self._number,
                    self._before,
                    is_near=True,
                ),
            )
        self._before, self._number = member, self._number + 1

    def left(self) -> Queues:
        """Return the queues with the members that may still get partitions."""
        below = sorted(place for places in self._places.values() for place in places)
        exact = [
            member for _, member in sorted(each for queue in self._exact.values() for each in queue)
        ]
        under = np.array([self._under[place] for place in below], dtype=np.int32)
        return Queues(
            under,
            np.array([self._missing[place] for place in below], dtype=np.int64),
            np.array(exact, dtype=np.int32),
        )

    def _following(self, places: list[int]) -> int:
        """Return the first of `places` that is not before `_next`.

        If there is none: the first of `places`, plus the length of the ring.
        """
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
