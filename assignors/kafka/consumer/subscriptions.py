"""Subscriptions as a broker passes them to an assignor: topic ids in Java's order, and whether all members subscribe to the same."""

import numpy as np

from evenkeel.assignors.assignment import Assumed
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.java.collections import IterationOrder, put_order
from evenkeel.assignors.java.hashing import set_capacity


def is_homogeneous(group: GroupSnapshot) -> bool:
    """Return the subscription type of a consumer group, True for HOMOGENEOUS.

    An expression counts by its text, not by its matches: a group with expressions is homogeneous only if all members have the same one and
    subscribe to no names.
    """
    if not group.expression:
        return are_equal(group)
    return len(set(group.expression)) == 1 and not any(group.topic_lists[row].size for row in np.unique(group.named))


def are_equal(group: GroupSnapshot) -> bool:
    """Tell whether all members subscribe to the same names, unknown names included."""
    if len(group.topic_lists) == 1:
        return True
    lists = (np.unique(group.topic_lists[row]) for row in np.unique(group.subscription))
    first = next(lists, None)
    return all(np.array_equal(topics, first) for topics in lists)


def view(group: GroupSnapshot, member: int, jdk: int) -> IterationOrder:
    """Return the known topics that a member subscribes to, as rows, in the iteration order of the broker's view of them.

    The names are a HashSet made from the sorted list; the view returns their ids and skips names without a topic.
    """
    listed = group.topic_lists[group.subscription[member]]
    topics = np.unique(listed)
    # Sized for the list, repeats included: new HashSet(list) asks for its size.
    walked = put_order(group.topic_name_hash[topics], set_capacity(listed.size, jdk))
    topics = topics[walked.rows]
    return IterationOrder(topics[group.topic_known[topics]], walked.tree_bin)


def unknown_ids(group: GroupSnapshot, topics: np.ndarray) -> tuple[Assumed, ...]:
    """Name the topics with unknown id."""
    rows = np.sort(topics[~group.topic_id_known[topics]]).astype(np.int64)
    return (Assumed("topic_id", rows),) if rows.size else ()
