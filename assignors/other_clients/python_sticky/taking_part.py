"""Which members take part in levelling: all but those that hold everything they can have, none of it of interest to others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import GroupSnapshot


@dataclass(frozen=True, eq=False)
class TakingPart:
    """`count` int64 (M,): partitions of each member before levelling. `maximum`: all that it could have. `place` int64 (M,): by id."""

    count: np.ndarray
    maximum: list[int]
    place: np.ndarray
    active: list[int]
    frozen: set[int]
    topics: Sequence[Sequence[int]]
    topic_list: list[int]

    def topics_of(self, member: int) -> Sequence[int]:
        """Return the known topics of a member."""
        return self.topics[self.topic_list[member]]


def taking_part(group: GroupSnapshot, owner: np.ndarray, place: np.ndarray) -> TakingPart:
    """Look at who holds what, `owner` int32 (P,), before levelling."""
    count = np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count)
    topics = [each[group.in_play[each]] for each in group.topic_lists]
    maximum = np.array([group.partition_count[each].sum() for each in topics], dtype=np.int64)[group.subscription]
    holds_shared = np.zeros(group.member_count, dtype=bool)
    holds_shared[owner[(group.subscribers.count_of_topic[group.tp_topic] > 1) & (owner != UNASSIGNED)]] = True
    is_frozen = (count >= maximum) & ~holds_shared
    active = np.flatnonzero(~is_frozen)
    by_count = active[np.lexsort((place[active], count[active]))]
    return TakingPart(
        count,
        maximum.tolist(),
        place,
        by_count.tolist(),
        set(np.flatnonzero(is_frozen).tolist()),
        [each.tolist() for each in topics],
        group.subscription.tolist(),
    )
