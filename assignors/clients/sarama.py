"""sarama: range and roundrobin in member id order; partition numbers are sorted as text. The
results of its sticky assignors are random.

Reproduces `NewBalanceStrategyRange` and `NewBalanceStrategyRoundRobin` of sarama 1.61.1.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.clients.client import (
    COOPERATIVE_STICKY,
    NUMBER,
    STICKY,
    Client,
    ClientAssignor,
    SentSubscription,
    WrittenAssignment,
    by_name,
)
from evenkeel.assignors.clients.strategies import OrderedRangeAssignor, by_member_id
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing.rings import dealt_in_ring
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.group.subscriptions import Subscribers

_GO_MAPS = "it iterates over Go maps, whose order is random"


@dataclass(frozen=True)
class SaramaRangeAssignor(OrderedRangeAssignor):
    """The `range` strategy, sarama's default."""

    client: ClassVar[str] = "sarama"
    quirk_owner: ClassVar[str] = "sarama's range"
    members_in_order = staticmethod(by_member_id)


@dataclass(frozen=True)
class SaramaRoundRobinAssignor(ClientAssignor):
    """The `roundrobin` strategy. Partitions are sorted as the text `topic-number`, so partition 10
    comes before partition 2.
    """

    client: ClassVar[str] = "sarama"
    name: ClassVar[str] = "roundrobin"
    quirks: ClassVar[tuple[str, ...]] = ("Q-3", "Q-10")
    quirk_owner: ClassVar[str] = "sarama's roundrobin"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners."""
        order = by_member_id(group)
        subscribers = group.subscribers_in(order.rows)
        tps = _by_text(group)
        owner = group.unowned()
        owner[tps] = dealt_in_ring(
            _runs(subscribers, group.tp_topic[tps]), order.places, tps.size, tps
        )
        return Assignment(owner)


def _by_text(group: GroupSnapshot) -> np.ndarray:
    """Return the row numbers (int64) of the partitions, sorted as the text `topic-number`."""
    texts = [
        partition_name(group.topic_name[topic], number)
        for topic, number in zip(group.tp_topic.tolist(), group.tp_partition.tolist(), strict=True)
    ]
    return np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.int64)


def _runs(subscribers: Subscribers, topic: np.ndarray) -> Iterator[tuple[np.ndarray, slice]]:
    """Yield (subscribers, slice) for each run of successive partitions with the same subscribers.
    `topic`: the topic of each partition, int32.
    """
    sets = subscribers.set_of_topic[topic]
    starts = np.flatnonzero(np.diff(sets, prepend=-1)).tolist()
    for start, stop in pairwise([*starts, sets.size]):
        yield subscribers.members[sets[start]], slice(start, stop)


def _sends(sent: SentSubscription, protocol: str) -> bool:
    if sent.version == 1 and sent.owned is not None:
        is_generation = protocol == COOPERATIVE_STICKY and len(sent.user_data or b"") == NUMBER
        return (
            sent.user_data is None or is_generation or (protocol == STICKY and bool(sent.user_data))
        )
    return sent.version == 2 or (sent.version == 0 and sent.user_data is None)


def _writes(assignment: WrittenAssignment, protocol: str) -> bool:
    return assignment.version == 0 and (
        bool(assignment.user_data) if protocol == STICKY else assignment.user_data is None
    )


def _is_sure(sent: Sequence[SentSubscription], written: Sequence[WrittenAssignment]) -> bool:
    """Return whether the members are certainly not Java clients before 3.3, which sent only
    versions 0 and 1.
    """
    return any(message.user_data for message in written) or any(
        message.version == 2 for message in sent
    )


CLIENT = Client(
    name="sarama",
    assignors=by_name(SaramaRangeAssignor, SaramaRoundRobinAssignor),
    no_function={STICKY: _GO_MAPS, COOPERATIVE_STICKY: _GO_MAPS},
    releases="1.61",
    default_client_id=re.compile("sarama"),
    sends=_sends,
    writes=_writes,
    is_sure=_is_sure,
    # sarama writes the assignment in the random order of a Go map.
    yields_sorted_to=("franz-go",),
)
