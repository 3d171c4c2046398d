"""Levelling of the Python clients: partitions move to members with fewer partitions. It ends when
the group is balanced or no partition moves in a whole pass.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from evenkeel.assignors.assignment import REQUEST_ERROR, UNASSIGNED, AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.assignors.group.subscriptions import Subscribers
from evenkeel.assignors.trace import MoveStep, asked

_PASSES_UNWATCHED = 64
_MOST_REPEATS = 2


@dataclass(frozen=True, eq=False)
class TakingPart:
    """The members that take part in levelling. The other members are frozen: they have all
    partitions of their topics, and no other member subscribes to these topics.

    `count`: partitions of each member before levelling, int64 (M,). `maximum`: number of partitions
    in the topics of each member. `place`: position of each member in id order, int64 (M,).
    """

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
    """Return the members that take part. `owner`: the owners before levelling, int32 (P,)."""
    count = np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count)
    topics = [each[group.in_play[each]] for each in group.topic_lists]
    maximum = np.array([group.partition_count[each].sum() for each in topics], dtype=np.int64)[
        group.subscription
    ]
    holds_shared = np.zeros(group.member_count, dtype=bool)
    holds_shared[
        owner[(group.subscribers.count_of_topic[group.tp_topic] > 1) & (owner != UNASSIGNED)]
    ] = True
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


class Levelling:
    """Levelling: moves partitions and changes `owner`, the list of the owners of all partitions.

    Parameters
    ----------
    moves_both : bool
        Whether the client is kafka-python 3.0 or later. If another partition moves in place of the
        chosen partition, this client first moves the chosen partition to the owner of the other
        partition.
    """

    def __init__(
        self,
        group: GroupSnapshot,
        owner: list[int],
        part: TakingPart,
        previous: dict[int, int],
        moves_both: bool,
    ):
        self.owner, self._part, self._previous, self._moves_both = owner, part, previous, moves_both
        self._group, self._topic_of = group, group.tp_topic.tolist()
        self._set_of_topic = group.subscribers.set_of_topic.tolist()
        self.loads = _Loads(
            part.count.tolist(), part.active, part.place.tolist(), group.subscribers
        )
        self.movements = _Movements(self._topic_of)
        self.touched: set[int] = set()
        self._holders: dict[int, Counter[int]] = {}
        for tp, member in enumerate(owner):
            self._holders.setdefault(self._topic_of[tp], Counter())[member] += 1
        self._is_balanced: bool | None = None
        self._trace = asked()

    def level(self, tps: list[int]) -> bool:
        """Pass over the partitions again and again until no partition moves in a pass. Return
        whether a partition moved.
        """
        moved_at_all = False
        for _ in self._passes():
            if not self._pass_over(tps):
                break
            moved_at_all = True
        return moved_at_all

    def _passes(self) -> Iterator[None]:
        seen: Counter[int] = Counter()
        for _ in range(_PASSES_UNWATCHED):
            yield
        while seen.total() == 0 or max(seen.values()) <= _MOST_REPEATS:
            yield
            seen[hash((tuple(self.owner), tuple(self.movements.went.items())))] += 1
        message = (
            "the client's code never ends on this group, because it moves the same partitions back"
            " and forth"
        )
        raise AssignorError(REQUEST_ERROR, f"{message}; expected an answer")

    def _pass_over(self, tps: list[int]) -> bool:
        moved = False
        for tp in tps:
            if self.is_balanced():
                break
            to = self._better(tp)
            if to is not None:
                self._move(tp, to)
                moved = True
        return moved

    def _better(self, tp: int) -> int | None:
        """Return the member to which a partition should move: its former owner or, failing that,
        the subscriber with the fewest partitions. None if neither has at least two partitions fewer
        than the present owner.
        """
        count = self.loads.count
        held = count[self.owner[tp]]
        former = self._previous.get(tp)
        if former is not None and held > self._load(former, tp, held) + 1:
            return former
        fewest = self.loads.fewest(self._set_of_topic[self._topic_of[tp]])
        return fewest if held > count[fewest] + 1 else None

    def _load(self, member: int, tp: int, held: int) -> int:
        """Return the partition count of a former owner, to compare with the present owner's count.
        0 if the former owner is frozen.

        Raises
        ------
        AssignorError
            If a frozen member would get the partition.
        """
        if member not in self._part.frozen:
            return self.loads.count[member]
        self.touched.add(member)
        if held > 1:
            refusal = (
                f"{tp_name(self._group, tp)} should go back to {self._group.member_id[member]},"
                " which already has all partitions of its topics"
            )
            raise AssignorError("KeyError", f"{refusal}; expected a member that takes part")
        return 0

    def _move(self, tp: int, to: int) -> None:
        owner = self.owner[tp]
        goes = self.movements.in_place_of(tp, owner, to)
        if self._moves_both and self.owner[goes] != owner:
            self._shift(tp, self.owner[goes], goes)
        self._shift(goes, to, None if goes == tp else tp, self._previous.get(tp) == to)

    def _shift(
        self, tp: int, to: int, in_place_of: int | None = None, to_former_owner: bool = False
    ) -> None:
        owner, holders = self.owner[tp], self._holders[self._topic_of[tp]]
        if self._trace is not None and self._trace.watches(tp):
            self._trace.add(
                tp,
                MoveStep(
                    to,
                    owner,
                    self.loads.count[owner],
                    self.loads.count[to],
                    in_place_of,
                    to_former_owner,
                ),
            )
        self.movements.record(tp, owner, to)
        self.owner[tp] = to
        self.loads.change(owner, -1)
        self.loads.change(to, 1)
        holders[owner] -= 1
        holders[to] += 1
        self._is_balanced = None

    def is_balanced(self) -> bool:
        """Return whether the group is balanced. Either the counts differ by at most one, or no
        member could take a partition from a member with more partitions.
        """
        if self._is_balanced is None:
            self._is_balanced = self.loads.is_even or not any(
                map(self._could_have_more, self._part.active)
            )
        return self._is_balanced

    def _could_have_more(self, member: int) -> bool:
        count = self.loads.count
        if count[member] == self._part.maximum[member]:
            return False
        holders = (self._holders[topic].items() for topic in self._part.topics_of(member))
        return any(
            number and count[holder] > count[member] for each in holders for holder, number in each
        )


class _Loads:
    """The partition counts of the members that take part.

    Parameters
    ----------
    count : list of int
        Partition count of every member.
    active : list of int
        Members that take part.
    place : list of int
        Position of each member in id order. This order breaks ties.
    sets : Subscribers
    """

    def __init__(self, count: list[int], active: list[int], place: list[int], sets: Subscribers):
        self.count, self._place = count, place
        self._sizes = Counter(count[member] for member in active)
        self._least, self._most = min(self._sizes, default=0), max(self._sizes, default=0)
        is_active = np.zeros(len(count), dtype=bool)
        is_active[active] = True
        self._queues = [
            [(count[each], place[each], each) for each in members[is_active[members]].tolist()]
            for members in sets.members
        ]
        self._queues_of: list[list[int]] = [[] for _ in count]
        for number, queue in enumerate(self._queues):
            heapify(queue)
            for _, _, member in queue:
                self._queues_of[member].append(number)

    @property
    def is_even(self) -> bool:
        """Whether the largest and the smallest count differ by at most one."""
        return self._most - self._least <= 1

    def fewest(self, subscribers: int) -> int:
        """Return the member of a set of subscribers that has the fewest partitions."""
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


class _Movements:
    """The client's records of moved partitions.

    `went`: for each moved partition, (source, destination), unless it is back at its source.
    `is_chance`: whether the client chose one of several partitions at random.
    """

    def __init__(self, topic_of: list[int]):
        self._topic_of = topic_of
        self._records: dict[int, dict[tuple[int, int], set[int]]] = {}
        self.went: dict[int, tuple[int, int]] = {}
        self.is_chance = False

    def in_place_of(self, tp: int, owner: int, to: int) -> int:
        """Return the partition that moves to `to`. It is a partition that moved in the opposite
        direction before, or `tp` if there is no such partition.

        If several partitions did, the client takes any of these from a Python set. Here it is
        the partition with the smallest number.
        """
        source = self.went[tp][0] if tp in self.went else owner
        back = self._records.get(self._topic_of[tp], {}).get((to, source))
        if not back:
            return tp
        self.is_chance |= len(back) > 1
        return min(back)

    def record(self, tp: int, owner: int, to: int) -> None:
        """Record that a partition moves."""
        source = owner
        records = self._records.setdefault(self._topic_of[tp], {})
        if tp in self.went:
            source = self.went[tp][0]
            records[self.went.pop(tp)].discard(tp)
        if source != to:
            self.went[tp] = source, to
            records.setdefault((source, to), set()).add(tp)
