"""Levelling: a partition moves if its owner has at least two partitions more than another
subscriber of the topic.

    PlainLevelling(group, Movements(group, owner, count)).level(runs_of_topics(group, topics))

Levelling ends when no such partition is left. Kafka tests before each partition whether the group
is balanced. If only partition counts decide, the group is balanced exactly if no partition would
move. `PlainLevelling` therefore needs no test.
"""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.kafka.sticky.claims import NO_ROWS
from evenkeel.assignors.kafka.sticky.movements import Movements

Runs = list[tuple[int, np.ndarray, np.ndarray]]
"""For each topic: the topic, its topic-partitions to check, and its subscribers sorted by id."""


def runs_of_topics(group: GroupSnapshot, topics: np.ndarray) -> Runs:
    """Return for each topic one run with all its topic-partitions."""
    rows = np.arange(group.tp_count)
    return [
        (topic, rows[group.tps_of(topic)], group.subscribers_by_id.of_topic(topic))
        for topic in topics.tolist()
    ]


def runs_of_rows(group: GroupSnapshot, rows: np.ndarray, topics: np.ndarray) -> Runs:
    """Split topic-partitions, which are sorted by topic, into one run for each topic.

    Only partitions of `topics` are included.
    """
    is_wanted = np.zeros(group.topic_count, dtype=bool)
    is_wanted[topics] = True
    rows = rows[is_wanted[group.tp_topic[rows]]]
    topic = group.tp_topic[rows]
    starts = np.flatnonzero(np.diff(topic, prepend=-1))
    parts = np.split(rows, starts[1:]) if rows.size else []
    return [
        (each, part, group.subscribers_by_id.of_topic(each))
        for each, part in zip(topic[starts].tolist(), parts, strict=True)
    ]


class PlainLevelling:
    """Levelling if only partition counts decide. `left_rack` is always empty."""

    left_rack = NO_ROWS

    def __init__(self, group: GroupSnapshot, movements: Movements):
        self._movements = movements
        self._by_id = group.members_by_id.tolist()
        self._rank = np.argsort(group.members_by_id)
        self._rank_list = self._rank.tolist()

    def level(self, runs: Runs) -> bool:
        """Repeat passes over the runs until no partition moves. Return whether a partition
        moved.
        """
        moved_at_all = False
        for _ in self._movements.passes():
            # A list, because with a generator `any` would stop at the first topic that moved.
            if np.ptp(self._movements.count) <= 1 or not any(
                [self._level_topic(*run) for run in runs]
            ):
                break
            moved_at_all = True
        return moved_at_all

    def _level_topic(self, topic: int, rows: np.ndarray, members: np.ndarray) -> bool:
        start, moved = 0, False
        while start < rows.size:
            places, to = self._plan(self._movements.owner[rows[start:]], members)
            if not places:
                break
            moved = True
            number = self._movements.move(topic, rows[start:][places], np.array(to, dtype=np.int32))
            if number == len(places):
                break
            start += places[number] + 1
        return moved

    def _plan(self, owner: np.ndarray, members: np.ndarray) -> tuple[list[int], list[int]]:
        """Return which partitions should move, as places in `owner`, and their new owners.

        `Movements` may later replace a partition of the plan by another partition of its topic. A
        partition stays if its owner has at most one partition more than the member with the fewest.
        """
        count = self._movements.count
        held, had = count[owner], count[members]
        (places,) = (held > had.min() + 1).nonzero()
        if not places.size:
            return [], []
        receivers = members[had < held.max() - 1]
        queue = (count[receivers] * count.size + self._rank[receivers]).tolist()
        return self._deal(places.tolist(), owner[places].tolist(), count.tolist(), queue)

    def _deal(
        self, places: list[int], givers: list[int], left: list[int], queue: list[int]
    ) -> tuple[list[int], list[int]]:
        """Give one partition after the other to the member with the fewest partitions.

        The loop is sequential, because each move changes the partition counts. `places`, `givers`:
        places of the partitions, and their owners. `left`: partition count of each member. `queue`:
        members that may get partitions, each coded as one integer from its count and its rank by
        id. An integer in the queue is outdated after the member has given a partition away.
        `left` and `queue` are overwritten.
        """
        ranks, by_id, size = self._rank_list, self._by_id, len(left)
        heapify(queue)
        moving, to = [], []
        fewest, receiver = queue[0] // size, by_id[queue[0] % size]
        for place, giver in zip(places, givers, strict=False):
            if left[giver] > fewest + 1:
                moving.append(place)
                to.append(receiver)
                left[receiver] += 1
                left[giver] -= 1
                heapreplace(queue, queue[0] + size)
                heappush(queue, left[giver] * size + ranks[giver])
                while left[receiver := by_id[queue[0] % size]] != (fewest := queue[0] // size):
                    heappop(queue)
        return moving, to


@dataclass(frozen=True, eq=False)
class Circumstances:
    """The inputs of levelling other than owners and partition counts.

    Parameters
    ----------
    history : int32 (P,)
        Owner of the partition in an older generation, or `UNASSIGNED`.
    maximum : int64 (M,)
        Number of partitions that each member can have, as Kafka counts it.
    is_frozen : bool (M,)
        Whether the member is excluded from levelling, because it already has all partitions that it
        can have.
    copy_member : int32, copy_row : int64
        Member and partition of each copy, as in HeldPartitions. Copies do not move.
    is_exceeded : bool
        Whether a member has partitions that do not exist.
    """

    history: np.ndarray
    maximum: np.ndarray
    is_frozen: np.ndarray
    copy_member: np.ndarray
    copy_row: np.ndarray
    is_exceeded: bool

    @property
    def are_plain(self) -> bool:
        """Whether only partition counts decide."""
        return not self.is_exceeded and bool((self.history == UNASSIGNED).all())


class CarefulLevelling:
    """Levelling, one partition at a time, if partition counts alone do not decide.

    A partition may move back to its owner of an older generation, or partitions that do not exist
    count for a member. Each move changes the input of the next move. Only partitions of topics with
    several subscribers move. `shared`: the runs of these topics.

    Raises
    ------
    AssignorError
        NullPointerException if Kafka reads the partition count of a frozen member.
    """

    def __init__(
        self,
        group: GroupSnapshot,
        movements: Movements,
        shared: Runs,
        circumstances: Circumstances,
        racks: Racks | None,
    ):
        self._group, self._movements, self._shared, self._racks = group, movements, shared, racks
        self._owner, self._count = movements.owner, movements.count
        self._is = circumstances
        self._may_seem_full = circumstances.is_exceeded
        self._left_rack: set[int] = set()

    @property
    def left_rack(self) -> np.ndarray:
        """Partitions that levelling moved from a member near a replica to a member without a
        replica in its rack, int64.

        Only partitions that another member near a replica could get are included. With KIP-881,
        Kafka searches for such a member, but then chooses the member with the fewest partitions.
        """
        return np.array(sorted(self._left_rack), dtype=np.int64)

    def level(self, runs: Runs) -> bool:
        """Repeat passes over the runs until no partition moves or the group is balanced.

        Return whether a partition moved.
        """
        moved_at_all = False
        for _ in self._movements.passes():
            if not self._pass_over(runs):
                break
            moved_at_all = True
        return moved_at_all

    def _pass_over(self, runs: Runs) -> bool:
        moved = False
        for topic, rows, members in runs:
            start = 0
            while start < rows.size:
                too_many, wanted = self._wanted(rows[start:], members)
                if not wanted.any():
                    break
                place = int(np.argmax(wanted))
                # If an owner has at least two partitions more than a subscriber, the group is not
                # balanced, unless this subscriber seems full.
                if (self._may_seem_full or not too_many[place]) and self._is_balanced():
                    return moved
                moved |= self._look_at(topic, int(rows[start + place]), members)
                start += place + 1
        return moved

    def _wanted(self, rows: np.ndarray, members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return two arrays for the partitions `rows`.

        The first: whether the owner has at least two partitions more than a subscriber. The second:
        whether the partition may move, or Kafka may read the partition count of a frozen member.
        """
        held, frozen = self._count[self._owner[rows]], self._is.is_frozen
        too_many = held > self._count[members].min() + 1
        former = self._is.history[rows]
        goes_back = (former != UNASSIGNED) & (frozen[former] | (held > self._count[former] + 1))
        return too_many, too_many | goes_back | frozen[members].any()

    def _look_at(self, topic: int, row: int, members: np.ndarray) -> bool:
        """Move a partition if another member should get it.

        Return whether a partition moved: this partition, or another partition in its place.
        """
        count, former = self._count, int(self._is.history[row])
        held = count[self._owner[row]]
        # performReassignments does not check whether the former owner still subscribes to the
        # topic.
        if former != UNASSIGNED and held > self._load(former) + 1:
            self._may_seem_full |= former not in members
            self._movements.move_one(topic, row, former, to_former_owner=True)
        elif any(held > self._load(other) + 1 for other in self._asked(topic, row, members)):
            active = members[~self._is.is_frozen[members]]
            # reassignPartition chooses the subscriber with the fewest partitions, whatever its
            # rack.
            to = int(active[np.argmin(count[active])])
            if self._racks is not None:
                self._watch(self._racks, row, to, active, held)
            self._movements.move_one(topic, row, to)
        else:
            return False
        return True

    def _watch(self, racks: Racks, row: int, to: int, members: np.ndarray, held: int):
        had_replica = racks.match(self._owner[row], row) and racks.mismatch(to, row)
        near = members[racks.match(members, row)] if had_replica else members[:0]
        self._left_rack.discard(row)
        if (self._count[near] + 1 < held).any():
            self._left_rack.add(row)

    def _asked(self, topic: int, row: int, members: np.ndarray) -> list[int]:
        """Return the members whose partition count Kafka reads, in Kafka's order.

        The order matters only if a member is frozen.
        """
        if not self._is.is_frozen[members].any():
            return [int(members[np.argmin(self._count[members])])]
        members = self._group.subscribers_in_map_order.of_topic(topic)
        near = members[:0]
        if self._racks is not None and self._racks.match(self._owner[row], row):
            near = members[self._racks.match(members, row)]
        return np.concatenate((near, members)).tolist()

    def _load(self, member: int) -> int:
        if self._is.is_frozen[member]:
            name = self._group.member_id[member]
            raise AssignorError(
                "NullPointerException",
                f"{name} has all the partitions that it can have, but should get one more",
            )
        return int(self._count[member])

    def _is_balanced(self) -> bool:
        """Return whether no partition can move to a member with at least two partitions fewer.

        Kafka ignores members that already have their maximum.
        """
        count, frozen = self._count, self._is.is_frozen
        if np.ptp(count[~frozen]) <= 1:
            return True
        is_open = ~frozen & (count != self._is.maximum)
        copied = np.zeros(self._owner.size, dtype=bool)
        copied[self._is.copy_row] = True
        for _, rows, members in self._shared:
            # max - 1, because the largest int64 plus 1 would overflow below.
            fewest = count[members[is_open[members]]].min(initial=np.iinfo(np.int64).max - 1)
            if (count[self._owner[rows[~copied[rows]]]] > fewest + 1).any():
                return False
        return not any(
            self._unbalances(row, int(member), is_open)
            for row, member in zip(self._is.copy_row.tolist(), self._is.copy_member, strict=False)
        )

    def _unbalances(self, row: int, holder: int, is_open: np.ndarray) -> bool:
        """Return whether a partition with two owners should move to another subscriber.

        Kafka compares the partition count of the subscriber with the count of one owner: the last
        in Kafka's iteration order.
        """
        holders = [int(self._owner[row]), holder]
        members = self._group.subscribers_by_id.of_topic(self._group.tp_topic[row])
        others = members[is_open[members] & ~np.isin(members, holders)]
        # A member with a partition of a topic with several subscribers is never frozen.
        seen = max(holders, key=self._group.member_refilled_order.rows.tolist().index)
        return bool((self._count[others] + 1 < self._count[seen]).any())
