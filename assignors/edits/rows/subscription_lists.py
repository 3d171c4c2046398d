"""The topic lists of a group when some members subscribe to other topics."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evenkeel.assignors.group import GroupSnapshot


def with_subscription(
    group: GroupSnapshot, members: np.ndarray, topics: Sequence[int], named: Sequence[int] = (), expression: str | None = None
) -> GroupSnapshot:
    """Return the group where these members subscribe to these topics.

    `topics`: rows of all topics that they subscribe to. With an `expression`, `named` are those that they subscribe to by name.
    """
    group = replace(group, order_sent=_order_sent(group, members, topics if expression is None else named))
    lists, row = _listed(group.topic_lists, topics)
    subscription = group.subscription.copy()
    subscription[members] = row
    if expression is None and group.named is None:
        return replace(group, topic_lists=lists, subscription=subscription)
    lists, named_row = _listed(lists, topics if expression is None else named)
    by_name = (group.subscription if group.named is None else group.named).copy()
    by_name[members] = named_row
    chosen = set(members.tolist())
    before = group.expression or (None,) * group.member_count
    expressions = tuple(expression if place in chosen else each for place, each in enumerate(before))
    if not any(expressions):
        return replace(group, topic_lists=lists, subscription=subscription, named=None, expression=())
    return replace(group, topic_lists=lists, subscription=subscription, named=by_name, expression=expressions)


def _order_sent(group: GroupSnapshot, members: np.ndarray, topics: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """Return `order_sent` where these members name these topics in this order."""
    ids = {group.member_id[member] for member in members.tolist()}
    others = {member_id: names for member_id, names in group.order_sent.items() if member_id not in ids}
    is_ascending = list(topics) == sorted(topics)
    return others if is_ascending else others | dict.fromkeys(ids, tuple(group.topic_name[topic] for topic in topics))


def _listed(lists: tuple[np.ndarray, ...], topics: Sequence[int]) -> tuple[tuple[np.ndarray, ...], int]:
    """Return the lists with one of these topics, and its row; the lists stay distinct."""
    wanted = np.sort(np.array(topics, dtype=np.int32))
    row = next((row for row, each in enumerate(lists) if np.array_equal(each, wanted)), None)
    return (lists, row) if row is not None else ((*lists, wanted), len(lists))
