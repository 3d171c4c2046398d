"""sarama: range and roundrobin by member id; partition numbers sort as text.

Reproduces `NewBalanceStrategyRange` and `NewBalanceStrategyRoundRobin` of sarama 1.61.1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing import dealt_in_ring
from evenkeel.assignors.group.subscriptions import Subscribers
from evenkeel.assignors.other_clients.client import ClientAssignor
from evenkeel.assignors.other_clients.eager import OrderedRangeAssignor
from evenkeel.assignors.other_clients.member_orders import by_member_id


@dataclass(frozen=True)
class SaramaRangeAssignor(OrderedRangeAssignor):
    """The `range` strategy, sarama's default."""

    client: ClassVar[str] = "sarama"
    quirk_owner: ClassVar[str] = "sarama's range"
    members_in_order = staticmethod(by_member_id)


@dataclass(frozen=True)
class SaramaRoundRobinAssignor(ClientAssignor):
    """The `roundrobin` strategy: partitions stand in the order of the texts `topic-number`, so 10 comes before 2."""

    client: ClassVar[str] = "sarama"
    name: ClassVar[str] = "roundrobin"
    protocol: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("Q-3", "Q-10")
    quirk_owner: ClassVar[str] = "sarama's roundrobin"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what."""
        order = by_member_id(group)
        subscribers = group.subscribers_in(order.rows)
        tps = _by_text(group)
        owner = np.full(group.tp_count, UNASSIGNED, dtype=np.int32)
        owner[tps] = dealt_in_ring(_runs(subscribers, group.tp_topic[tps]), order.places, tps.size)
        return Assignment(owner)


def _by_text(group: GroupSnapshot) -> np.ndarray:
    """Return the topic-partitions, int64, by the text `topic-number`."""
    texts = [
        f"{group.topic_name[topic]}-{number}" for topic, number in zip(group.tp_topic.tolist(), group.tp_partition.tolist(), strict=True)
    ]
    return np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.int64)


def _runs(subscribers: Subscribers, topic: np.ndarray) -> Iterator[tuple[np.ndarray, slice]]:
    """Yield the subscribers of each run of partitions that the same members subscribe to; `topic` int32: of each partition."""
    sets = subscribers.set_of_topic[topic]
    starts = np.flatnonzero(np.diff(sets, prepend=-1)).tolist()
    for start, stop in pairwise([*starts, sets.size]):
        yield subscribers.members[sets[start]], slice(start, stop)
