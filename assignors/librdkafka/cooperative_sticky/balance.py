"""Balance: whether the leader stops moving partitions."""

import numpy as np

from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.assignors.librdkafka.cooperative_sticky.known_group import KnownGroup
from evenkeel.assignors.librdkafka.cooperative_sticky.lists import Lists
from evenkeel.assignors.librdkafka.cooperative_sticky.movements import LEADER_CRASH


class Balance:
    """`plays`: members that take part; `in_play`: the same, by id."""

    def __init__(self, known: KnownGroup, lists: Lists, plays: list[bool], in_play: list[int]):
        self._known, self._lists, self._plays, self._in_play = known, lists, plays, in_play
        self._can_count = known.can_count.tolist()

    def is_reached(self) -> bool:
        """Tell whether no member with fewer partitions may have one of a member with more; the same number is no reason, one less is."""
        size = self._lists.size
        ascending = sorted(self._in_play, key=size.__getitem__)
        most = size[ascending[-1]]
        if size[ascending[0]] >= most - 1:
            return True
        return not any(size[each] < most and size[each] != self._can_count[each] and self._gains(each) for each in ascending)

    def _gains(self, member: int) -> bool:
        size, group = self._lists.size, self._known.group
        for topic in np.unique(group.topic_lists[group.subscription[member]]).tolist():
            for tp in range(*group.tps_of(topic).indices(group.tp_count)):
                if not self._lists.has(tp, member) and size[member] < size[self._first_with(tp)]:
                    return True
        return False

    def _first_with(self, tp: int) -> int:
        """Return the first member, in the order reported, that has a partition."""
        having = [member for member in self._lists.members_with(tp) if self._plays[member]]
        if not having:
            raise AssignorError(LEADER_CRASH, f"the leader dies: {tp_name(self._known.group, tp)} has no member that takes part")
        return min(having)
