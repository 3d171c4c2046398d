"""The `uniform` assignor for groups with different subscriptions.

Reproduces `org.apache.kafka.coordinator.group.assignor.UniformHeterogeneousAssignmentBuilder` since
its rewrite in 4.0. A member keeps its partitions of subscribed topics. Each free partition is
assigned to the subscriber with the fewest partitions. Then, topic by topic, partitions move from
subscribers with many partitions to subscribers with few.
"""

import numpy as np

from evenkeel.assignors.arrays import row_ranges, stable_order
from evenkeel.assignors.assignment import UNASSIGNED, Assignment, AssignorError, Assumption
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.kafka.consumer.stored_targets import (
    StoredTarget,
    stored_partitions,
    unknown_ids,
)
from evenkeel.assignors.trace import Fewest, KeepStep, MoveStep, Trace, asked, pairs

# MAX_ITERATION_COUNT in Kafka's builder.
_MOST_ROUNDS = 16


def assign_differing(group: GroupSnapshot) -> Assignment:
    """Return the assignment of a group with at least one member.

    Raises
    ------
    AssignorError
        ArrayIndexOutOfBoundsException if a member's stored target has a partition that does not
        exist, of a topic to which the member subscribes.
    """
    building = _Building(group, _kept(group))
    building.fill()
    building.balance()
    return building.answer()


class _Building:
    """An assignment in progress.

    Members are numbered in the order of Kafka's map. `_size`: number of partitions of each member,
    int64 (M,). `_owner`: number of each partition's owner, int32 (P,). `_others`: if several
    members claim a partition, each further member as (member, topic-partition).
    """

    def __init__(self, group: GroupSnapshot, stored: StoredTarget):
        self._group = group
        number = group.member_map_order.places.astype(np.int32)
        self._subscribers = [number[members] for members in group.subscribers_in_map_order.members]
        self._topics, self._tied = _topic_order(group)
        self._size = np.bincount(stored.member, minlength=group.member_count)[
            group.member_map_order.rows
        ]
        self._owner, self._others = _owners(stored, number, group.tp_count)
        self._changed = False
        self._trace = asked()
        if self._trace is not None:
            count = np.bincount(stored.member, minlength=group.member_count)
            for row in self._trace.places(stored.tp):
                self._trace.add(
                    stored.tp[row],
                    KeepStep(int(stored.member[row]), int(count[stored.member[row]])),
                )

    def fill(self):
        """Assign each free partition to the subscriber with the fewest partitions."""
        free = np.flatnonzero(self._owner == UNASSIGNED)
        bounds = np.searchsorted(free, self._group.first_tp).tolist()
        for topic in self._topics.tolist():
            tps = free[bounds[topic] : bounds[topic + 1]]
            if tps.size:
                members = self._members(topic)
                places = places_with_fewest(self._size[members], tps.size)
                self._owner[tps] = members[places]
                if self._trace is not None:
                    self._tell_fill(self._trace, tps, members, places)
                self._size[members] += np.bincount(places, minlength=members.size)
                self._changed = True

    def balance(self):
        """Move partitions, topic by topic, until a round moves no partition, for at most 16
        rounds.
        """
        topics = [topic for topic in self._topics.tolist() if self._members(topic).size > 1]
        last = None
        for _ in range(_MOST_ROUNDS):
            for topic in topics:
                if topic == last:
                    return
                # As in Kafka's balanceTopics: the first topic counts as changed even if nothing
                # moved, so a round without moves ends at the first topic.
                if self._even_out(topic) or last is None:
                    last = topic

    def answer(self) -> Assignment:
        """Return the assignment, with the member numbers of the group snapshot."""
        row = np.append(self._group.member_map_order.rows, UNASSIGNED).astype(np.int32)
        others = np.array(sorted(self._others), dtype=np.int64).reshape(-1, 2)
        extra = np.column_stack(
            (
                row[others[:, 0]],
                self._group.tp_topic[others[:, 1]],
                self._group.tp_partition[others[:, 1]],
            )
        )
        return Assignment(
            row[self._owner],
            extra.astype(np.int32),
            assumed=self._assumed() if self._changed else (),
        )

    def _members(self, topic: int) -> np.ndarray:
        return self._subscribers[self._group.subscribers_in_map_order.set_of_topic[topic]]

    def _even_out(self, topic: int) -> bool:
        """Move partitions of a topic between its subscribers. Return whether any partition
        moved.
        """
        members, tps = self._members(topic), self._group.tps_of(topic)
        size, owner = self._size[members], self._owner[tps]
        # Only owners can give partitions. So nothing moves if the most loaded owner has at most one
        # partition more than the least loaded subscriber.
        if not owner.size or self._size[owner].max() - size.min() <= 1:
            return False
        by_size = stable_order(size)
        ranked = members[by_size]
        place = np.empty(self._size.size, dtype=np.int64)
        place[ranked] = np.arange(ranked.size)
        partitions, places, sizes = evening_moves(size[by_size], place[owner])
        moved = tps.start + partitions
        if self._trace is not None:
            self._tell_moves(self._trace, moved, ranked[place[owner[partitions]]], ranked[places])
        self._owner[moved], self._size[ranked] = ranked[places], sizes
        # Kafka stores a member's partitions in a Set. If a member gets a partition that it already
        # shares, the Set has the partition once.
        self._others.difference_update(
            zip(ranked[places].tolist(), moved.tolist(), strict=False) if self._others else ()
        )
        self._changed |= bool(moved.size)
        return bool(moved.size)

    def _tell_fill(
        self, trace: Trace, tps: np.ndarray, members: np.ndarray, places: np.ndarray
    ) -> None:
        row, size = self._group.member_map_order.rows, self._size[members]
        # In each round, members that had fewer partitions at the start are first.
        order = stable_order(size)
        for at in trace.places(tps):
            now = size + np.bincount(places[:at], minlength=size.size)
            trace.add(
                tps[at],
                Fewest(int(row[members[places[at]]]), pairs(row[members[order]], now[order])),
            )

    def _tell_moves(
        self, trace: Trace, tps: np.ndarray, givers: np.ndarray, takers: np.ndarray
    ) -> None:
        row, size, watched = (
            self._group.member_map_order.rows,
            self._size.copy(),
            set(trace.of(tps)),
        )
        for tp, giver, taker in zip(tps.tolist(), givers.tolist(), takers.tolist(), strict=True):
            if tp in watched:
                trace.add(
                    tp,
                    MoveStep(int(row[taker]), int(row[giver]), int(size[giver]), int(size[taker])),
                )
            size[giver] -= 1
            size[taker] += 1

    def _assumed(self) -> tuple[Assumption, ...]:
        return (*self._group.member_map_order.assumed, *unknown_ids(self._group, self._tied))


def _kept(group: GroupSnapshot) -> StoredTarget:
    """Return the stored partitions of members that still subscribe to the topic."""
    listed = group.is_listed & group.topic_known
    place = np.repeat(group.subscription * group.topic_count, np.diff(group.claim_start))
    place += group.claim_topic
    stored = stored_partitions(group, np.flatnonzero(listed.take(place)))
    if stored.beyond.size:
        topic, partition = stored.beyond[0].tolist()
        claim = (
            f"{partition_name(group.topic_name[topic], partition)}, of a topic of"
            f" {group.partition_count[topic]} partitions"
        )
        raise AssignorError("ArrayIndexOutOfBoundsException", f"uniform: a member owns {claim}")
    return stored


def _owners(
    stored: StoredTarget, number: np.ndarray, tp_count: int
) -> tuple[np.ndarray, set[tuple[int, int]]]:
    """Return the owner of each partition, and all other members that have the partition.

    If several members have a partition, the member with the highest number is the owner.
    """
    if not stored.shared:
        return np.append(number, UNASSIGNED)[stored.owner].astype(np.int32), set()
    by_number = np.argsort(number[stored.member], kind="stable")
    numbers, tps = number[stored.member][by_number], stored.tp[by_number]
    owner = np.full(tp_count, UNASSIGNED, dtype=np.int32)
    owner[tps] = numbers
    beside = owner[tps] != numbers
    return owner, set(zip(numbers[beside].tolist(), tps[beside].tolist(), strict=False))


def _topic_order(group: GroupSnapshot) -> tuple[np.ndarray, np.ndarray]:
    """Return the subscribed topics in dealing order, and topics whose place depends on their topic
    id.

    Topics are sorted by partitions per subscriber, descending. If equal, topics with fewer
    subscribers come first. If equal again, the topic id decides.
    """
    subscribers = group.subscribers_in_map_order
    topics = np.flatnonzero(group.topic_known & (subscribers.set_of_topic > 0))
    count = np.array([members.size for members in subscribers.members])[
        subscribers.set_of_topic[topics]
    ]
    ratio = group.partition_count[topics] / count
    most, least = group.topic_uuid[topics].T
    # int64: Uuid.compareTo is signed, so ids that start with 8 to f are before ids that start with
    # 0 to 7.
    order = np.lexsort((least, most, count, -ratio))
    # The order does not matter for a topic without partitions, or for a topic with one subscriber,
    # which gets all its partitions.
    matters = (ratio[order] > 0) & (count[order] > 1)
    same = (np.diff(ratio[order]) == 0) & (np.diff(count[order]) == 0) & matters[1:]
    tied = np.append(same, False) | np.append(False, same)
    return topics[order], topics[order[tied]] if topics.size else topics


# The most and the least loaded subscribers of a topic, in the order in which the builder chooses
# them


def places_with_fewest(size: np.ndarray, count: int) -> np.ndarray:
    """Deal `count` partitions in rounds, each to a member with the fewest. Return the members,
    int64.

    Parameters
    ----------
    size : int64 (members,)
        Number of partitions that each member already has.
    """
    lowest = size.min()
    at_lowest = np.flatnonzero(size == lowest)
    if at_lowest.size >= count:
        return at_lowest[:count]
    if size.max() - lowest <= 1:
        line = np.append(at_lowest, np.flatnonzero(size != lowest))
        return np.append(at_lowest, line[np.arange(count - at_lowest.size) % line.size])
    order = stable_order(size)
    level = size[order]
    dealt_before = np.arange(level.size) * level - (np.cumsum(level) - level)
    taking = int(np.searchsorted(dealt_before, count))
    last_level = level[taking - 1] - (dealt_before[taking - 1] - count) // taking
    in_round = np.searchsorted(level[:taking], np.arange(lowest, last_level), side="right")
    return order[row_ranges(np.zeros_like(in_round), in_round)[:count]]


def evening_moves(size: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Move partitions of a topic from the members with the most to the members with the fewest.

    Return the moved partitions, the new places of these partitions, and the size of each member
    afterwards. Givers and takers are chosen in rounds, as in `MemberAssignmentBalancer`. The loop
    is sequential, because a giver without partitions of the topic is replaced by the last giver of
    the same round.

    Parameters
    ----------
    size : int64 (members,)
        Number of partitions of each member, ascending. A member's place is its number in this
        array.
    place : int64 (partitions,)
        Place of each partition's owner.
    """
    holding = np.bincount(place, minlength=size.size)
    # Skips members without partitions of the topic. The members below `high_start` are unchanged,
    # so Kafka would choose these members one after another and drop each.
    next_holding = np.maximum.accumulate(np.where(holding > 0, np.arange(size.size), -1)).tolist()
    by_owner, stop = stable_order(place), np.cumsum(holding).tolist()
    first, size, line = [0, *stop], size.tolist(), list(range(size.size))
    # Both ranges are empty at first, outside the sizes, as in MemberAssignmentBalancer.initialize.
    # The first use extends them.
    low_end, low_size, low_next = 0, size[0] - 1, 0
    count = high_start = high_end = len(line)
    high_size, high_next = size[-1] + 1, count - 1
    taken_rows: list[int] = []
    given_places: list[int] = []
    while high_size - low_size > 1:
        while True:
            if high_next < high_start:
                if high_end > high_start:
                    high_size, high_next = high_size - 1, high_end - 1
                elif high_start == 0 or next_holding[high_start - 1] < 0:
                    return (
                        by_owner[taken_rows],
                        np.array(given_places, dtype=np.int64),
                        np.array(size),
                    )
                else:
                    high_start = high_next = next_holding[high_start - 1]
                    high_end, high_size = high_next + 1, size[high_next]
                while high_start > 0 and size[high_start - 1] == high_size:
                    high_start -= 1
            taken = line[high_next]
            high_next -= 1
            if stop[taken] > first[taken]:
                break
            high_end -= 1
            line[high_next + 1], line[high_end] = line[high_end], taken
        if low_next >= low_end:
            low_size, low_next = low_size + 1, 0
            while low_end < count and size[line[low_end]] == low_size:
                low_end += 1
        given = line[low_next]
        low_next += 1
        # Kafka's balanceTopic calls isBalanced again after it has chosen both members. If it is
        # true, the partition does not move.
        if high_size - low_size <= 1:
            break
        stop[taken] -= 1
        size[taken] -= 1
        size[given] += 1
        taken_rows.append(stop[taken])
        given_places.append(given)
    return by_owner[taken_rows], np.array(given_places, dtype=np.int64), np.array(size)
