"""Sharing: partitions that several members read, as in a share group."""

from typing import NamedTuple

import numpy as np

from assignors.assignment import Assignment
from assignors.group import GroupSnapshot


class Sharing(NamedTuple):
    """How many members read a partition that another one reads too, and how many such partitions there are."""

    member_count: int
    partition_count: int


def sharing(group: GroupSnapshot, answer: Assignment) -> Sharing | None:
    """Return who shares in an answer; None where every partition has one reader at most."""
    member, topic, partition = answer.extra.T
    inside = partition < group.partition_count[topic]
    tps = group.first_tp[topic[inside]] + partition[inside]
    if not tps.size:
        return None
    readers = np.unique(np.append(member[inside], answer.owner[tps]))
    return Sharing(readers.size, np.unique(tps).size)
