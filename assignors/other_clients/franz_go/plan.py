"""Plan: who holds which partitions while franz-go assigns the free ones and evens out."""

from copy import copy

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.other_clients.franz_go.claims import Claims


class Plan:
    """Lists of topic-partitions by member number. `is_chance`: Go's map order decided which stale claims count."""

    def __init__(self, member_count: int, claims: Claims):
        self.held: list[list[int]] = [[] for _ in range(member_count)]
        self._holder = dict(claims.holder)
        for tp, member in sorted(claims.holder.items()):
            self.held[member].append(tp)
        moved = [tp for tp, member in sorted(claims.stale.items()) if self._goes_back(tp, member)]
        self.is_chance = bool(moved) and len(claims.stale) > 1

    def _goes_back(self, tp: int, stale: int) -> bool:
        """Give a partition to its stale claimant if that leaves it with no more than the holder; tell whether it moved."""
        holder = self._holder[tp]
        if len(self.held[stale]) + 1 >= len(self.held[holder]):
            return False
        self.held[holder].remove(tp)
        self.held[stale].append(tp)
        self._holder[tp] = stale
        return True

    def takers(self, number: int) -> list[int]:
        """Return which members get so many free partitions: each time the top of a binary heap by count, without order among equals."""
        heap = list(range(len(self.held)))
        count = [len(each) for each in self.held]
        for place in range(len(heap) // 2 - 1, -1, -1):
            _sift_down(heap, count, place)
        taken = []
        for _ in range(number):
            taken.append(heap[0])
            count[heap[0]] += 1
            _sift_down(heap, count, 0)
        return taken

    def given(self, tps: list[int], members: list[int]) -> "Plan":
        """Return the plan where each member also has the partition at its place."""
        after = copy(self)
        after.held = [held.copy() for held in self.held]
        for tp, member in zip(tps, members, strict=True):
            after.held[member].append(tp)
        return after

    def even_out(self, group: GroupSnapshot) -> None:
        """Move partitions from the members with the most to those with the least until counts differ by one at most."""
        levels: dict[int, list[int]] = {}
        for member, held in enumerate(self.held):
            levels.setdefault(len(held), []).append(member)
        if max(levels) > min(levels) + 1:
            self._sort(group, min(levels) + 1)
        while (most := max(levels)) > (least := min(levels)) + 1:
            pairs = list(zip(levels[least], levels[most]))
            for taker, giver in pairs:
                self.held[taker].append(self.held[giver].pop())
            for level, side, after in ((least, 0, least + 1), (most, 1, most - 1)):
                levels[level] = levels[level][len(pairs) :]
                levels.setdefault(after, []).extend(pair[side] for pair in pairs)
            levels = {level: members for level, members in levels.items() if members}

    def _sort(self, group: GroupSnapshot, enough: int) -> None:
        for held in self.held:
            if len(held) > enough:
                tps = np.array(held)
                held[:] = tps[np.lexsort((tps, group.tp_partition[tps]))].tolist()


def _sift_down(heap: list[int], count: list[int], place: int) -> None:
    while (child := 2 * place + 1) < len(heap):
        if child + 1 < len(heap) and count[heap[child + 1]] < count[heap[child]]:
            child += 1
        if count[heap[place]] <= count[heap[child]]:
            return
        heap[place], heap[child] = heap[child], heap[place]
        place = child
