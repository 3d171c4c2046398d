"""Careful levelling: a partition may go back to its owner of an older generation, and partitions beyond their topic's size count as load.

Partition by partition, because each move changes what the next one meets.
"""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.kafka.classic.abstract_sticky.general.circumstances import Circumstances
from evenkeel.assignors.kafka.classic.abstract_sticky.general.levelling import Runs
from evenkeel.assignors.kafka.classic.abstract_sticky.general.movements import Movements


class CarefulLevelling:
    """Moves partitions of topics with several subscribers; `shared` are the runs of all of them.

    Raises
    ------
    AssignorError
        NullPointerException where Kafka asks for the load of a frozen member.
    """

    def __init__(self, group: GroupSnapshot, movements: Movements, shared: Runs, circumstances: Circumstances, racks: Racks | None):
        self._group, self._movements, self._shared, self._racks = group, movements, shared, racks
        self._owner, self._count = movements.owner, movements.count
        self._is = circumstances
        self._may_seem_full = circumstances.is_exceeded
        self._left_rack: set[int] = set()

    @property
    def left_rack(self) -> np.ndarray:
        """int64: partitions moved out of their racks although a member there could take them.

        KIP-881 looks for such a member, and then takes the one with the fewest partitions.
        """
        return np.array(sorted(self._left_rack), dtype=np.int64)

    def level(self, runs: Runs) -> bool:
        """Go through the runs until a whole pass moves nothing or the group is balanced; return whether anything moved."""
        moved_at_all = False
        for _ in self._movements.passes():
            if not self._pass_over(runs):
                return moved_at_all
            moved_at_all = True

    def _pass_over(self, runs: Runs) -> bool:
        moved = False
        for topic, rows, members in runs:
            start = 0
            while start < rows.size:
                too_many, wanted = self._wanted(rows[start:], members)
                if not wanted.any():
                    break
                place = int(np.argmax(wanted))
                # An owner with two more than a subscriber shows that the group is not balanced, unless that subscriber seems full.
                if (self._may_seem_full or not too_many[place]) and self._is_balanced():
                    return moved
                moved |= self._look_at(topic, int(rows[start + place]), members)
                start += place + 1
        return moved

    def _wanted(self, rows: np.ndarray, members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return where an owner has two more than a subscriber, and where a partition may move or meet a frozen member."""
        held, frozen = self._count[self._owner[rows]], self._is.is_frozen
        too_many = held > self._count[members].min() + 1
        former = self._is.history[rows]
        goes_back = (former != UNASSIGNED) & (frozen[former] | (held > self._count[former] + 1))
        return too_many, too_many | goes_back | frozen[members].any()

    def _look_at(self, topic: int, row: int, members: np.ndarray) -> bool:
        """Move one partition if a member should get it; return whether it, or another in its place, moved."""
        count, former = self._count, int(self._is.history[row])
        held = count[self._owner[row]]
        # performReassignments does not ask whether the former owner still subscribes to the topic.
        if former != UNASSIGNED and held > self._load(former) + 1:
            self._may_seem_full |= former not in members
            self._movements.move_one(topic, row, former)
        elif any(held > self._load(other) + 1 for other in self._asked(topic, row, members)):
            active = members[~self._is.is_frozen[members]]
            # reassignPartition takes the subscriber with the fewest partitions, whatever its rack.
            to = int(active[np.argmin(count[active])])
            if self._racks is not None:
                self._watch(row, to, active, held)
            self._movements.move_one(topic, row, to)
        else:
            return False
        return True

    def _watch(self, row: int, to: int, members: np.ndarray, held: int):
        had_replica = self._racks.match(self._owner[row], row) and self._racks.mismatch(to, row)
        near = members[self._racks.match(members, row)] if had_replica else members[:0]
        self._left_rack.discard(row)
        if (self._count[near] + 1 < held).any():
            self._left_rack.add(row)

    def _asked(self, topic: int, row: int, members: np.ndarray) -> list[int]:
        """Return the members whose load Kafka asks for, in its order; the order matters only where one of them is frozen."""
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
            raise AssignorError("NullPointerException", f"{name} has all the partitions that it can have, but should get one more")
        return int(self._count[member])

    def _is_balanced(self) -> bool:
        """Tell whether no member that could have more could take from one with two more; Kafka leaves out members at their maximum."""
        count, frozen = self._count, self._is.is_frozen
        if np.ptp(count[~frozen]) <= 1:
            return True
        is_open = ~frozen & (count != self._is.maximum)
        copied = np.zeros(self._owner.size, dtype=bool)
        copied[self._is.copy_row] = True
        for _, rows, members in self._shared:
            # max - 1: the largest int64 would wrap around below.
            fewest = count[members[is_open[members]]].min(initial=np.iinfo(np.int64).max - 1)
            if (count[self._owner[rows[~copied[rows]]]] > fewest + 1).any():
                return False
        return not any(self._unbalances(row, int(member), is_open) for row, member in zip(self._is.copy_row.tolist(), self._is.copy_member))

    def _unbalances(self, row: int, holder: int, is_open: np.ndarray) -> bool:
        """Tell whether a partition with two holders could go to a third member; Kafka sees the holder that it walks last."""
        holders = [int(self._owner[row]), holder]
        members = self._group.subscribers_by_id.of_topic(self._group.tp_topic[row])
        others = members[is_open[members] & ~np.isin(members, holders)]
        # A member that holds a partition of a topic with several subscribers is never frozen.
        seen = max(holders, key=self._group.member_refilled_order.rows.tolist().index)
        return bool((self._count[others] + 1 < self._count[seen]).any())
