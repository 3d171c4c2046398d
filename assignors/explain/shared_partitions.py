"""Sharing: partitions that several members read, as in a share group."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot


class Sharing(NamedTuple):
    """`member_count`: members that read a partition together with another member. `partition_count`: partitions with several readers."""

    member_count: int
    partition_count: int


def sharing(group: GroupSnapshot, answer: Assignment) -> Sharing | None:
    """Return how many members and partitions share; None where every partition has at most one reader."""
    member, topic, partition = answer.extra.T
    inside = partition < group.partition_count[topic]
    tps = group.first_tp[topic[inside]] + partition[inside]
    if not tps.size:
        return None
    readers = np.unique(np.append(member[inside], answer.owner[tps]))
    return Sharing(readers.size, np.unique(tps).size)
