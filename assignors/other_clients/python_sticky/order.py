"""The order in which the Python clients look at partitions."""

from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.other_clients.python_sticky.claims import Claims, fewest_subscribers_first, have_one_list


class Order(NamedTuple):
    """`tps`: topic-partitions. `is_chance`: a Python set with several elements decided a place, so another run may choose otherwise."""

    tps: list[int]
    is_chance: bool


def order_of(group: GroupSnapshot, claims: Claims, place: np.ndarray) -> Order:
    """Return all partitions; `place` int64 (M,): each member's place by id."""
    plain = fewest_subscribers_first(group).tolist()
    if claims.is_fresh or not have_one_list(group):
        return Order(plain, False)
    first, is_chance = _dealt_back(claims, place.tolist())
    listed = set(first)
    return Order(first + [tp for tp in plain if tp not in listed], is_chance)


def _dealt_back(claims: Claims, place: list[int]) -> tuple[list[int], bool]:
    """Take partitions one by one from the member with the most left, the largest id where several have as many.

    Those with a former owner go first, in the order of a Python set; else the last one.
    """
    former = [[tp for tp in owned if tp in claims.previous] for owned in claims.owned]
    others = [[tp for tp in owned if tp not in claims.previous] for owned in claims.owned]
    queue = [(-len(owned), -place[member], member) for member, owned in enumerate(claims.owned) if owned]
    heapify(queue)
    taken = []
    while queue:
        left, by_id, member = heappop(queue)
        taken.append(former[member].pop(0) if former[member] else others[member].pop())
        if left < -1:
            heappush(queue, (left + 1, by_id, member))
    is_chance = any(sum(tp in claims.previous for tp in owned) > 1 for owned in claims.owned)
    return taken, is_chance
