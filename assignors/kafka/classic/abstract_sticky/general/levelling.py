"""Levelling: partitions move from members that have at least two more than another subscriber of the topic, until none has.

Before every partition Kafka asks whether the group is balanced. That is so exactly where no partition would move: nothing to ask here.
"""

from heapq import heapify, heappop, heappush, heapreplace

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.kafka.classic.abstract_sticky.claims import NO_ROWS
from evenkeel.assignors.kafka.classic.abstract_sticky.general.movements import Movements

Runs = list[tuple[int, np.ndarray, np.ndarray]]
"""Topic, its rows to check, its subscribers by id."""


def runs_of_topics(group: GroupSnapshot, topics: np.ndarray) -> Runs:
    """Return a run of all rows for each topic."""
    rows = np.arange(group.tp_count)
    return [(topic, rows[group.tps_of(topic)], group.subscribers_by_id.of_topic(topic)) for topic in topics.tolist()]


def runs_of_rows(group: GroupSnapshot, rows: np.ndarray, topics: np.ndarray) -> Runs:
    """Cut rows, ordered by topic, into runs; rows of topics outside `topics` are left out."""
    is_wanted = np.zeros(group.topic_count, dtype=bool)
    is_wanted[topics] = True
    rows = rows[is_wanted[group.tp_topic[rows]]]
    topic = group.tp_topic[rows]
    starts = np.flatnonzero(np.diff(topic, prepend=-1))
    parts = np.split(rows, starts[1:]) if rows.size else []
    return [(each, part, group.subscribers_by_id.of_topic(each)) for each, part in zip(topic[starts].tolist(), parts, strict=True)]


class PlainLevelling:
    """Levelling where loads alone decide. `left_rack` as in Outcome: not watched here."""

    left_rack = NO_ROWS

    def __init__(self, group: GroupSnapshot, movements: Movements):
        self._movements = movements
        self._by_id = group.members_by_id.tolist()
        self._rank = np.argsort(group.members_by_id)
        self._rank_list = self._rank.tolist()

    def level(self, runs: Runs) -> bool:
        """Level all runs until a whole pass moves nothing; return whether anything moved."""
        moved_at_all = False
        for _ in self._movements.passes():
            # A list: on a generator, `any` would stop at the first topic that moved.
            if np.ptp(self._movements.count) <= 1 or not any([self._level_topic(*run) for run in runs]):
                return moved_at_all
            moved_at_all = True

    def _level_topic(self, topic: int, rows: np.ndarray, members: np.ndarray) -> bool:
        """Level one topic once; return whether anything moved."""
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
        """Return the places in `owner` that move, and the members that they go to, if nothing has to go back in their place.

        An owner that does not have two more than the fewest now will not have it later.
        """
        count = self._movements.count
        held, had = count[owner], count[members]
        (places,) = (held > had.min() + 1).nonzero()
        if not places.size:
            return [], []
        receivers = members[had < held.max() - 1]
        queue = (count[receivers] * count.size + self._rank[receivers]).tolist()
        return self._deal(places.tolist(), owner[places].tolist(), count.tolist(), queue)

    def _deal(self, places: list[int], givers: list[int], left: list[int], queue: list[int]) -> tuple[list[int], list[int]]:
        """Deal place by place, because each move changes which member has the fewest.

        `givers`: the owner at each place. `left`: the partitions of each member. `queue`: count and rank by id, in one number, of members
        that may get some; a number from before its member gave something away is outdated, and is dropped at the front. `left` and
        `queue` are consumed.
        """
        ranks, by_id, size = self._rank_list, self._by_id, len(left)
        heapify(queue)
        moving, to = [], []
        fewest, receiver = queue[0] // size, by_id[queue[0] % size]
        for place, giver in zip(places, givers):
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
