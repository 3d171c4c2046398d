"""Levelling: partitions move from members with more to members with fewer, pass by pass, until nothing moves."""

from collections.abc import Callable

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.librdkafka.cooperative_sticky.balance import Balance
from evenkeel.assignors.librdkafka.cooperative_sticky.claims import Claims
from evenkeel.assignors.librdkafka.cooperative_sticky.known_group import KnownGroup
from evenkeel.assignors.librdkafka.cooperative_sticky.least_of_sets import LeastOfSets
from evenkeel.assignors.librdkafka.cooperative_sticky.lists import Lists
from evenkeel.assignors.librdkafka.cooperative_sticky.movements import LEADER_CRASH, Movements


class Levelling:
    """The members that take part and what they have.

    Parameters
    ----------
    owner, holder : int32 (P,)
        Who has each partition, and from whom the leader takes it.
    plays : bool (M,)
        Members that can get or lose anything; whoever asks for another one dies.
    """

    def __init__(self, known: KnownGroup, claims: Claims, owner: np.ndarray, holder: np.ndarray, plays: np.ndarray):
        group = known.group
        self._known, self._plays = known, plays.tolist()
        self.lists = Lists(owner, np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count))
        self._size_before = list(self.lists.size)
        self._holder, self._former = holder.tolist(), claims.former.tolist()
        self._topic_of = group.tp_topic.tolist()
        self._set_of = known.subscribers.set_of_topic.tolist()
        self._least = LeastOfSets(known.subscribers.members, self.lists.size)
        self._movements = Movements(group, self._topic_of)
        self._in_play = [member for member in known.by_id.tolist() if self._plays[member]]
        self._balance = Balance(known, self.lists, self._plays, self._in_play)
        # Then a partition that can move says by itself that the group is not balanced.
        self._is_simple = _are_owners(known, claims.former, owner, holder)

    def level(self, rows: np.ndarray) -> bool:
        """Move partitions of `rows`; return whether any moved."""
        rows = rows.tolist()
        if rows and not self._in_play:
            raise AssignorError(LEADER_CRASH, "the leader dies: no member can get or lose anything")
        has_moved = False
        while self._pass(rows):
            has_moved = True
        return has_moved

    @property
    def is_better(self) -> bool:
        """Whether sizes differ less than before, summed over all pairs of members that take part."""
        return score(self.lists.size, self._in_play) < score(self._size_before, self._in_play)

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
        """Return what tells the member that gets a partition, None where it stays."""
        holder, former = self._holder[tp], self._former[tp]
        if not self._plays[holder] or (former != UNASSIGNED and not self._plays[former]):
            return self._dies
        size = self.lists.size
        if former != UNASSIGNED and size[holder] > size[former] + 1:
            return lambda: former
        subscribers = self._set_of[self._topic_of[tp]]
        return (lambda: self._least.member(subscribers)) if size[holder] > self._least.size_in(subscribers) + 1 else None

    def _dies(self) -> int:
        raise AssignorError(LEADER_CRASH, "the leader dies: it asks for a member that takes no part")

    def _move(self, tp: int, target: int):
        tp, source = self._movements.moved(tp, target, self._holder)
        self._is_simple &= self.lists.owner[tp] == source
        self.lists.append(tp, target)
        self.lists.remove(tp, source)
        self._holder[tp] = target
        self._least.changed(source, target)


def _are_owners(known: KnownGroup, former: np.ndarray, owner: np.ndarray, holder: np.ndarray) -> bool:
    """Tell whether holders are owners and every former owner still subscribes."""
    group, tps = known.group, np.flatnonzero(former != UNASSIGNED)
    subscribes = group.is_listed[group.subscription[former[tps]], group.tp_topic[tps]]
    return bool((holder[known.rows] == owner[known.rows]).all() and subscribes.all())


def score(size: list[int], members: list[int]) -> int:
    """Return the sum of the differences of all pairs."""
    ascending = sorted(size[member] for member in members)
    return sum(each * (2 * place - len(ascending) + 1) for place, each in enumerate(ascending))
