"""Levelling of @platformatic/kafka: from members above the mean to members below it, one partition at a time."""

from heapq import heapify, heappop, heappush

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.other_clients.platformatic.locale_order import locale_key


def bring_to_the_mean(group: GroupSnapshot, owner: np.ndarray, count: np.ndarray) -> None:
    """Change `owner` int32 (P,) and `count` int64 (M,) until nobody is below the mean, or nobody above it can give."""
    total = int(count.sum())
    if not total:
        return
    floor, ceiling = total // group.member_count, -(-total // group.member_count)
    order = sorted(range(group.topic_count), key=lambda topic: locale_key(group.topic_name[topic]))
    held = _held(group, owner)
    by_id = group.members_by_id.tolist()
    while pair := _next(group, held, count, by_id, order, floor, ceiling):
        giver, taker, topic = pair
        partition = heappop(held[giver][topic])
        heappush(held[taker].setdefault(topic, []), partition)
        owner[group.first_tp[topic] + partition] = taker
        count[giver] -= 1
        count[taker] += 1


def _held(group: GroupSnapshot, owner: np.ndarray) -> list[dict[int, list[int]]]:
    """Return the partition numbers of each member by topic, as heaps."""
    held: list[dict[int, list[int]]] = [{} for _ in group.member_id]
    tps = np.flatnonzero(owner != UNASSIGNED)
    for member, topic, partition in zip(owner[tps].tolist(), group.tp_topic[tps].tolist(), group.tp_partition[tps].tolist(), strict=True):
        held[member].setdefault(topic, []).append(partition)
    for topics in held:
        for numbers in topics.values():
            heapify(numbers)
    return held


def _next(
    group: GroupSnapshot, held: list[dict[int, list[int]]], count: np.ndarray, by_id: list[int], order: list[int], floor: int, ceiling: int
) -> tuple[int, int, int] | None:
    """Return who gives a partition of which topic to whom: takers by id, givers with the most first, topics by locale."""
    takers = [member for member in by_id if count[member] < floor]
    givers = sorted((member for member in by_id if count[member] > ceiling), key=lambda member: -count[member])
    for taker in takers:
        listed = group.is_listed[group.subscription[taker]]
        for giver in givers:
            topic = next((topic for topic in order if listed[topic] and held[giver].get(topic)), None)
            if topic is not None:
                return giver, taker, topic
    return None
