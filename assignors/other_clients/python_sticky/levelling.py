"""Levelling: partitions move to members with fewer until the group counts as balanced or a whole pass moves nothing."""

from collections import Counter
from collections.abc import Iterator

from evenkeel.assignors.assignment import REQUEST_ERROR, AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.assignors.other_clients.python_sticky.loads import Loads
from evenkeel.assignors.other_clients.python_sticky.movements import Movements
from evenkeel.assignors.other_clients.python_sticky.taking_part import TakingPart

_PASSES_UNWATCHED = 64
_MOST_REPEATS = 2


class Levelling:
    """Changes `owner`, the member of each topic-partition.

    Parameters
    ----------
    moves_both : bool
        Where another partition goes back in place of one, that one takes its place first: kafka-python since 3.0.
    """

    def __init__(self, group: GroupSnapshot, owner: list[int], part: TakingPart, previous: dict[int, int], moves_both: bool):
        self.owner, self._part, self._previous, self._moves_both = owner, part, previous, moves_both
        self._group, self._topic_of = group, group.tp_topic.tolist()
        self._set_of_topic = group.subscribers.set_of_topic.tolist()
        self.loads = Loads(part.count.tolist(), part.active, part.place.tolist(), group.subscribers)
        self.movements = Movements(self._topic_of)
        self.touched: set[int] = set()
        self._holders: dict[int, Counter[int]] = {}
        for tp, member in enumerate(owner):
            self._holders.setdefault(self._topic_of[tp], Counter())[member] += 1
        self._is_balanced: bool | None = None

    def level(self, tps: list[int]) -> bool:
        """Go through the partitions until a whole pass moves nothing; return whether anything moved."""
        moved_at_all = False
        for _ in self._passes():
            if not self._pass_over(tps):
                return moved_at_all
            moved_at_all = True

    def _passes(self) -> Iterator[None]:
        seen: Counter[int] = Counter()
        for _ in range(_PASSES_UNWATCHED):
            yield
        while seen.total() == 0 or max(seen.values()) <= _MOST_REPEATS:
            yield
            seen[hash((tuple(self.owner), tuple(self.movements.went.items())))] += 1
        message = "the client's code never ends on this group, because it moves the same partitions back and forth"
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
        """Return the member that a partition should go to: its former owner, else the subscriber with the fewest."""
        count = self.loads.count
        held = count[self.owner[tp]]
        former = self._previous.get(tp)
        if former is not None and held > self._load(former, tp, held) + 1:
            return former
        fewest = self.loads.fewest(self._set_of_topic[self._topic_of[tp]])
        return fewest if held > count[fewest] + 1 else None

    def _load(self, member: int, tp: int, held: int) -> int:
        """Return the count of a former owner; one that takes no part has an empty list there, and cannot be given anything."""
        if member not in self._part.frozen:
            return self.loads.count[member]
        self.touched.add(member)
        if held > 1:
            found = f"{tp_name(self._group, tp)} should go back to {self._group.member_id[member]}, which has everything that it can have"
            raise AssignorError("KeyError", f"{found}; expected a member that takes part")
        return 0

    def _move(self, tp: int, to: int) -> None:
        owner = self.owner[tp]
        goes = self.movements.in_place_of(tp, owner, to)
        if self._moves_both and self.owner[goes] != owner:
            self._shift(tp, self.owner[goes])
        self._shift(goes, to)

    def _shift(self, tp: int, to: int) -> None:
        owner, holders = self.owner[tp], self._holders[self._topic_of[tp]]
        self.movements.record(tp, owner, to)
        self.owner[tp] = to
        self.loads.change(owner, -1)
        self.loads.change(to, 1)
        holders[owner] -= 1
        holders[to] += 1
        self._is_balanced = None

    def is_balanced(self) -> bool:
        """Tell whether counts differ by one at most, or no member could take a partition from one that has more than it has."""
        if self._is_balanced is None:
            self._is_balanced = self.loads.is_even or not any(map(self._could_have_more, self._part.active))
        return self._is_balanced

    def _could_have_more(self, member: int) -> bool:
        count = self.loads.count
        if count[member] == self._part.maximum[member]:
            return False
        holders = (self._holders[topic].items() for topic in self._part.topics_of(member))
        return any(number and count[holder] > count[member] for each in holders for holder, number in each)
