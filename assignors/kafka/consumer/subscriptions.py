"""Subscriptions as a broker hands them to an assignor: topic ids in Java's order, and whether all members subscribe to the same."""

import numpy as np

from assignors.assignment import Assumed
from assignors.group import GroupSnapshot
from assignors.java import capacity, hash_map
from assignors.java.hash_map import IterationOrder


def is_homogeneous(group: GroupSnapshot) -> bool:
    """Return the subscription type of a consumer group, True for HOMOGENEOUS.

    Expressions count as such, not by what they match: a group that uses any is homogeneous only if all members have the same one and nobody a name.
    """
    if not group.expression:
        return are_equal(group)
    return len(set(group.expression)) == 1 and not any(group.topic_lists[row].size for row in np.unique(group.named))


def are_equal(group: GroupSnapshot) -> bool:
    """Tell whether every name, unknown ones too, is subscribed by all members."""
    if len(group.topic_lists) == 1:
        return True
    lists = (np.unique(group.topic_lists[row]) for row in np.unique(group.subscription))
    first = next(lists, None)
    return all(np.array_equal(topics, first) for topics in lists)


def view(group: GroupSnapshot, member: int, jdk: int) -> IterationOrder:
    """Return the known topics that a member subscribes to, as rows, in the order in which the broker's view of them iterates.

    The names are a HashSet made from the sorted list; the view hands out their ids and passes over names that no topic has.
    """
    listed = group.topic_lists[group.subscription[member]]
    topics = np.unique(listed)
    walked = hash_map.put_order(group.topic_name_hash[topics], capacity.of_set(listed.size, jdk))
    topics = topics[walked.rows]
    return IterationOrder(topics[group.topic_known[topics]], walked.tree_bin)


def unknown_ids(group: GroupSnapshot, topics: np.ndarray) -> tuple[Assumed, ...]:
    """Name the topics whose id is not known."""
    rows = np.sort(topics[~group.topic_id_known[topics]]).astype(np.int64)
    return (Assumed("topic_id", rows),) if rows.size else ()
