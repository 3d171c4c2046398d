"""Quirk: a behaviour of Kafka's that surprises, and which members and topics it strikes."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import GroupSnapshot

REMAINDER = "remainder"
"""Not a fault: in every topic, range gives the partitions that do not divide evenly to the first members."""


class Quirk(NamedTuple):
    """`name` as in `docs/assignors.md`, such as `Q-5`. `member` int32, `topic` int32: the pairs that it strikes, ascending, each once."""

    name: str
    member: np.ndarray
    topic: np.ndarray


def quirk_of(name: str, member: np.ndarray, topic: np.ndarray) -> tuple[Quirk, ...]:
    """Return the quirk that strikes these pairs, or nothing where there are no pairs; a pair may repeat."""
    pairs = np.unique(np.column_stack((member, topic)), axis=0).astype(np.int32)
    return (Quirk(name, pairs[:, 0], pairs[:, 1]),) if len(pairs) else ()


def could_give(group: GroupSnapshot, owner: np.ndarray) -> np.ndarray:
    """Return the topic-partitions whose topic has a subscriber with at least two partitions fewer than their owner.

    `owner` int32 (P,); the result is int64, ascending.
    """
    tps = np.flatnonzero(owner != UNASSIGNED)
    counts = np.bincount(owner[tps], minlength=group.member_count)
    subscribers = group.subscribers
    fewest = np.array([counts[members].min() if members.size else np.iinfo(np.int64).max for members in subscribers.members])
    # Not fewest + 1: the largest int64, which stands for no subscribers, would wrap around.
    return tps[counts[owner[tps]] - 1 > fewest[subscribers.set_of_topic[group.tp_topic[tps]]]]
