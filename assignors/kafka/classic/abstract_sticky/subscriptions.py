"""What the sticky assignors ask about subscriptions."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import Assumed
from evenkeel.assignors.group import GroupSnapshot


class Equality(NamedTuple):
    """`is_equal`: the leader takes all subscriptions as equal. `assumed` as in Assignment."""

    is_equal: bool
    assumed: tuple[Assumed, ...] = ()


def equality(group: GroupSnapshot) -> Equality:
    """Compare subscriptions as the leader does: each with the first one that is not empty, by length and by content.

    Empty ones before that count as equal. A topic listed twice makes a list longer than the set that it is compared with.
    """
    said = group.subscriptions
    if said.is_regular or group.member_count < 2:
        return Equality(said.in_use < 2)
    order = group.member_map_order
    walked = group.subscription[order.rows]
    first = np.flatnonzero(said.list_size[walked])[:1]
    if not first.size:
        return Equality(True)
    expected = set(group.topic_lists[walked[first[0]]].tolist())
    same = np.array([topics.size == len(expected) and expected.issuperset(topics.tolist()) for topics in group.topic_lists])
    return Equality(bool(same[walked[first[0] + 1 :]].all()), order.assumed)


def potential_count(group: GroupSnapshot) -> np.ndarray:
    """Return the length of Kafka's list of each topic's potential consumers, int64 (T,); a member that lists a topic twice counts twice."""
    said = group.subscriptions
    return np.bincount(said.topic, weights=said.member_count[said.list_row], minlength=group.topic_count).astype(np.int64)
