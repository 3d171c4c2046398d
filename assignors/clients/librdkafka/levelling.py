"""Levelling of librdkafka: partitions move from members with more partitions to members with fewer.
It ends when no partition moves in a whole pass.

Reproduces the passes and `PartitionMovements_t` of rdkafka_sticky_assignor.c, including failed
assertions and reads of freed memory.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.clients.librdkafka.known_group import Claims, KnownGroup
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.assignors.trace import MoveStep, asked

LEADER_CRASH = "LeaderCrash"
UNDEFINED = "Undefined"


class Levelling:
    """Levelling: the members that take part and the partitions of each member.

    Parameters
    ----------
    owner, holder : int32 (P,)
        `owner`: the owner of each partition. `holder`: the member from which the leader would move
        the partition.
    plays : bool (M,)
        Whether each member takes part: it can get or lose partitions. The leader's process dies if
        it looks up a member that takes no part.
    """

    def __init__(
        self,
        known: KnownGroup,
        claims: Claims,
        owner: np.ndarray,
        holder: np.ndarray,
        plays: np.ndarray,
    ):
        group = known.group
        self._known, self._plays = known, plays.tolist()
        self.lists = _Lists(
            owner, np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count)
        )
        self._size_before = list(self.lists.size)
        self._holder, self._former = holder.tolist(), claims.former.tolist()
        self._topic_of = group.tp_topic.tolist()
        self._set_of = known.subscribers.set_of_topic.tolist()
        self._least = _LeastOfSets(known.subscribers.members, self.lists.size)
        self._movements = _Movements(group, self._topic_of)
        self._in_play = [member for member in known.by_id.tolist() if self._plays[member]]
        self._balance = _Balance(known, self.lists, self._plays, self._in_play)
        # If true, the group is not balanced as long as any partition can move.
        self._is_simple = _are_owners(known, claims.former, owner, holder)
        self._trace = asked()

    def level(self, rows: np.ndarray) -> bool:
        """Move the partitions `rows` to level the members. Return whether a partition moved."""
        tps = rows.tolist()
        if tps and not self._in_play:
            raise AssignorError(
                LEADER_CRASH, "the leader dies: no member can get or lose a partition"
            )
        has_moved = False
        while self._pass(tps):
            has_moved = True
        return has_moved

    @property
    def is_better(self) -> bool:
        """Whether the members that take part have more even partition counts than before levelling:
        the sum of the differences between the counts of all pairs of members is smaller.
        """
        return _score(self.lists.size, self._in_play) < _score(self._size_before, self._in_play)

    def _pass(self, rows: list[int]) -> bool:
        has_moved = False
        for tp in rows:
            target = self._target(tp)
            if target is None:
                continue
            if not self._is_simple and self._balance.is_reached():
                break
            self._move(tp, target())
            has_moved = True
        return has_moved

    def _target(self, tp: int) -> Callable[[], int] | None:
        """Return None if the partition stays. Otherwise return a function that returns the new
        member of the partition, or raises an error.
        """
        holder, former = self._holder[tp], self._former[tp]
        if not self._plays[holder] or (former != UNASSIGNED and not self._plays[former]):
            return self._dies
        size = self.lists.size
        if former != UNASSIGNED and size[holder] > size[former] + 1:
            return lambda: former
        subscribers = self._set_of[self._topic_of[tp]]
        return (
            (lambda: self._least.member(subscribers))
            if size[holder] > self._least.size_in(subscribers) + 1
            else None
        )

    def _dies(self) -> int:
        raise AssignorError(
            LEADER_CRASH, "the leader dies: it looks up a member that takes no part"
        )

    def _move(self, tp: int, target: int):
        wanted = tp
        tp, source = self._movements.moved(tp, target, self._holder)
        if self._trace is not None and self._trace.watches(tp):
            had, has = self.lists.size[source], self.lists.size[target]
            step = MoveStep(
                target,
                source,
                had,
                has,
                None if tp == wanted else wanted,
                self._former[wanted] == target,
            )
            self._trace.add(tp, step)
        self._is_simple &= self.lists.owner[tp] == source
        self.lists.append(tp, target)
        self.lists.remove(tp, source)
        self._holder[tp] = target
        self._least.changed(source, target)


def _are_owners(
    known: KnownGroup, former: np.ndarray, owner: np.ndarray, holder: np.ndarray
) -> bool:
    """Return whether the holder of each partition is its owner, and the member with the second
    newest claim to a partition still subscribes to the topic.
    """
    group, tps = known.group, np.flatnonzero(former != UNASSIGNED)
    subscribes = group.is_listed[group.subscription[former[tps]], group.tp_topic[tps]]
    return bool((holder[known.rows] == owner[known.rows]).all() and subscribes.all())


def _score(size: list[int], members: list[int]) -> int:
    """Return the sum of the differences between the partition counts of all pairs of members."""
    ascending = sorted(size[member] for member in members)
    return sum(each * (2 * place - len(ascending) + 1) for place, each in enumerate(ascending))


class _Lists:
    """The list of partitions of each member during levelling. A partition may be in several lists,
    or twice in one list.

    `owner`: the first member that has each partition. `also`: further members that have it. `size`:
    the length of each list.
    """

    def __init__(self, owner: np.ndarray, size: np.ndarray):
        self.owner: list[int] = owner.tolist()
        self.also: dict[int, list[int]] = {}
        self.size: list[int] = size.tolist()

    def append(self, tp: int, member: int):
        if self.owner[tp] == UNASSIGNED:
            self.owner[tp] = member
        else:
            self.also.setdefault(tp, []).append(member)
        self.size[member] += 1

    def remove(self, tp: int, member: int):
        """Remove a partition from the list of a member. If the list has it twice, it stays once."""
        others = self.also.get(tp, [])
        if self.owner[tp] == member:
            self.owner[tp] = others.pop() if others else UNASSIGNED
        elif member in others:
            others.remove(member)
        else:
            return
        if not others:
            self.also.pop(tp, None)
        self.size[member] -= 1

    def has(self, tp: int, member: int) -> bool:
        return self.owner[tp] == member or member in self.also.get(tp, ())

    def members_with(self, tp: int) -> list[int]:
        return [
            member for member in (self.owner[tp], *self.also.get(tp, ())) if member != UNASSIGNED
        ]

    def holdings(self) -> np.ndarray:
        """Return all lists as pairs (member, partition row number), int64 (N, 2)."""
        owner = np.array(self.owner, dtype=np.int64)
        tps = np.flatnonzero(owner != UNASSIGNED)
        more = [(member, tp) for tp, members in self.also.items() for member in members]
        return np.concatenate(
            (np.column_stack((owner[tps], tps)), np.array(more, dtype=np.int64).reshape(-1, 2))
        )


class _LeastOfSets:
    """The length of the shortest partition list among the members of each set of subscribers. The
    lengths are cached.

    `sets`: the members of each set, sorted by id. `size`: the length of each member's list. Call
    `changed` after a length changes.
    """

    def __init__(self, sets: Sequence[np.ndarray], size: list[int]):
        self._sets = [members.tolist() for members in sets]
        self._size = size
        self._least: list[int | None] = [None] * len(sets)
        self._of_member: dict[int, list[int]] = {}
        for number, members in enumerate(self._sets):
            for member in members:
                self._of_member.setdefault(member, []).append(number)

    def size_in(self, number: int) -> int:
        """Return the length of the shortest list in a set of subscribers."""
        least = self._least[number]
        if least is None:
            least = self._least[number] = min(map(self._size.__getitem__, self._sets[number]))
        return least

    def member(self, number: int) -> int:
        """Return the member of a set with the shortest list. Of equally short lists, the member
        with the smallest id.
        """
        return min(self._sets[number], key=self._size.__getitem__)

    def changed(self, *members: int):
        """Delete the cached lengths that depend on these members."""
        for member in members:
            for number in self._of_member.get(member, ()):
                self._least[number] = None


@dataclass(frozen=True, eq=False)
class _Pair:
    """A pair of members, as an object in the leader's memory. Two objects can have the same
    members.
    """

    source: int
    target: int


@dataclass(eq=False)
class _Record:
    """The partitions, all of one topic, that moved from one member to another.

    `maker`: the partition for which the record was created. `key`: the pair of members.
    """

    key: _Pair
    maker: int
    tps: list[int] = field(default_factory=list)


class _Movements:
    """The leader's records of moved partitions. For some inputs, the leader crashes in this code.

    `last`: the pair of members of the last move of each partition. Within one assignment, pairs are
    never removed.
    """

    def __init__(self, group: GroupSnapshot, topic_of: list[int]):
        self._group, self._topic_of = group, topic_of
        self._last: dict[int, _Pair] = {}
        self._by_topic: dict[int, dict[tuple[int, int], _Record]] = {}

    def moved(self, tp: int, target: int, holder: list[int]) -> tuple[int, int]:
        """Record that `tp` moves to `target`. Return (partition, member): the partition that
        actually moves, `tp` or a replacement, and the member that gives it.

        Raises
        ------
        AssignorError
            `LeaderCrash` if an assertion fails, `Undefined` if freed memory is read.
        """
        taken = self._reversed(tp, target, holder[tp])
        chosen = tp if taken is None else taken.tps[0]
        source, pair = holder[chosen], self._last.get(chosen)
        if pair is None:
            self._add(chosen, _Pair(source, target))
            return chosen, source
        self._take_off(chosen, pair)
        is_freed = taken is not None and not taken.tps
        if is_freed and self._topic_of[tp] not in self._by_topic:
            raise _freed(f"the record of {self._name(chosen)}")
        if pair.target != source:
            raise _crash(f"{self._name(chosen)} is not with the member to which it moved")
        if is_freed:
            raise _freed(f"the record of {self._name(chosen)}")
        # The leader stores a position in the list, not the partition. After the removal, the next
        # partition is at this position.
        chosen = chosen if taken is None else taken.tps[0]
        if pair.source != target:
            self._add(chosen, _Pair(pair.source, target))
        return chosen, source

    def _reversed(self, tp: int, target: int, source: int) -> _Record | None:
        """Return the record of earlier moves in the opposite direction, for partitions of the same
        topic. None if there is no such record.
        """
        records = self._by_topic.get(self._topic_of[tp])
        if records is None:
            return None
        if tp in self._last and self._last[tp].target != source:
            raise _crash(f"{self._name(tp)} moves a second time after it moved back")
        return self._looked_up(records, target, source)

    def _take_off(self, tp: int, pair: _Pair):
        records = self._by_topic.get(self._topic_of[tp], {})
        record = self._looked_up(records, pair.source, pair.target)
        if record is None:
            raise _crash(f"the leader has no record of the move of {self._name(tp)}")
        if tp in record.tps:
            record.tps.remove(tp)
        if not record.tps:
            del records[pair.source, pair.target]
        if not records:
            del self._by_topic[self._topic_of[tp]]

    def _add(self, tp: int, pair: _Pair):
        self._last[tp] = pair
        records = self._by_topic.setdefault(self._topic_of[tp], {})
        record = self._looked_up(records, pair.source, pair.target)
        if record is None:
            record = records[pair.source, pair.target] = _Record(pair, tp)
        record.tps.append(tp)

    def _looked_up(
        self, records: dict[tuple[int, int], _Record], source: int, target: int
    ) -> _Record | None:
        record = records.get((source, target))
        if record is not None and self._last[record.maker] is not record.key:
            raise _freed(f"the pair of members in the record that {self._name(record.maker)} made")
        return record

    def _name(self, tp: int) -> str:
        return tp_name(self._group, tp)


def _crash(why: str) -> AssignorError:
    return AssignorError(LEADER_CRASH, f"the leader dies of an assertion: {why}")


def _freed(memory: str) -> AssignorError:
    return AssignorError(
        UNDEFINED, f"no answer exists: the leader reads {memory} after it was freed"
    )


class _Balance:
    """The leader's test whether the group is balanced.

    `plays`: whether each member takes part in levelling. `in_play`: the members that take part,
    sorted by id.
    """

    def __init__(self, known: KnownGroup, lists: _Lists, plays: list[bool], in_play: list[int]):
        self._known, self._lists, self._plays, self._in_play = known, lists, plays, in_play
        self._can_count = known.can_count.tolist()

    def is_reached(self) -> bool:
        """Return whether the group is balanced: no member could take a partition from a member that
        has more partitions.
        """
        size = self._lists.size
        ascending = sorted(self._in_play, key=size.__getitem__)
        most = size[ascending[-1]]
        if size[ascending[0]] >= most - 1:
            return True
        return not any(
            size[each] < most and size[each] != self._can_count[each] and self._gains(each)
            for each in ascending
        )

    def _gains(self, member: int) -> bool:
        size, group = self._lists.size, self._known.group
        for topic in np.unique(group.topic_lists[group.subscription[member]]).tolist():
            for tp in range(*group.tps_of(topic).indices(group.tp_count)):
                if not self._lists.has(tp, member) and size[member] < size[self._first_with(tp)]:
                    return True
        return False

    def _first_with(self, tp: int) -> int:
        """Return the first member, in the order reported, that has the partition in its list."""
        having = [member for member in self._lists.members_with(tp) if self._plays[member]]
        if not having:
            raise AssignorError(
                LEADER_CRASH,
                f"the leader dies: {tp_name(self._known.group, tp)} has no member that takes part",
            )
        return min(having)
