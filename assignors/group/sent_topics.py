"""Topics as a member sent them when it joined: the leaders of some clients follow that order."""

import numpy as np

from evenkeel.assignors.group.snapshot import GroupSnapshot
from evenkeel.assignors.java.hashing import sort_key


def topics_as_sent(group: GroupSnapshot, member: int) -> np.ndarray:
    """Return the rows of a member's topics, int32, in the order in which it sent them."""
    return _as_sent(group, member, group.subscription)


def named_as_sent(group: GroupSnapshot, member: int) -> np.ndarray:
    """Return the rows of the topics that a member names, in the order sent; without what its expression adds."""
    return _as_sent(group, member, group.subscription if group.named is None else group.named)


def _as_sent(group: GroupSnapshot, member: int, lists: np.ndarray) -> np.ndarray:
    topics = group.topic_lists[lists[member]]
    names = group.order_sent.get(group.member_id[member], ())
    if sorted(names, key=sort_key) != [group.topic_name[topic] for topic in topics.tolist()]:
        return topics
    row = {group.topic_name[topic]: topic for topic in topics.tolist()}
    return np.array([row[name] for name in names], dtype=np.int32)
