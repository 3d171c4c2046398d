"""Edits of subscriptions and topics."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.edits.result import EditResult, rows_of
from evenkeel.assignors.java.hashing import sort_key


def set_subscription(
    group: GroupSnapshot,
    member_ids: Sequence[str],
    topics: Sequence[str],
    named: Sequence[str] = (),
    expression: str | None = None,
) -> EditResult:
    """Subscribe members to `topics`. If there is an `expression`, `named` has the topics that the
    members subscribe to by name.

    Raises
    ------
    KeyError
        If a member id is not in the group. The error contains this id.
    """
    edited = with_topic_names(group, {*topics, *named})
    row = {name: number for number, name in enumerate(edited.group.topic_name)}
    members = rows_of(group, member_ids)
    return edited._replace(
        group=with_subscription(
            edited.group,
            members,
            [row[name] for name in topics],
            [row[name] for name in named],
            expression,
        )
    )


def with_subscription(
    group: GroupSnapshot,
    members: np.ndarray,
    topics: Sequence[int],
    named: Sequence[int] = (),
    expression: str | None = None,
) -> GroupSnapshot:
    """Subscribe members to topics.

    `topics`: numbers of all topics. `named`: if there is an `expression`, numbers of the topics
    that the members subscribe to by name.
    """
    group = replace(
        group, order_sent=_order_sent(group, members, topics if expression is None else named)
    )
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
    expressions = tuple(
        expression if place in chosen else each for place, each in enumerate(before)
    )
    if not any(expressions):
        return replace(
            group, topic_lists=lists, subscription=subscription, named=None, expression=()
        )
    return replace(
        group, topic_lists=lists, subscription=subscription, named=by_name, expression=expressions
    )


def _order_sent(
    group: GroupSnapshot, members: np.ndarray, topics: Sequence[int]
) -> dict[str, tuple[str, ...]]:
    """Return `order_sent` after these members sent `topics` in this order."""
    ids = {group.member_id[member] for member in members.tolist()}
    others = {
        member_id: names for member_id, names in group.order_sent.items() if member_id not in ids
    }
    is_ascending = list(topics) == sorted(topics)
    return (
        others
        if is_ascending
        else others | dict.fromkeys(ids, tuple(group.topic_name[topic] for topic in topics))
    )


def _listed(
    lists: tuple[np.ndarray, ...], topics: Sequence[int]
) -> tuple[tuple[np.ndarray, ...], int]:
    """Add a list of these topics to `lists` if it is missing. Return the lists, and the number of
    this list.
    """
    wanted = np.sort(np.array(topics, dtype=np.int32))
    row = next((row for row, each in enumerate(lists) if np.array_equal(each, wanted)), None)
    return (lists, row) if row is not None else ((*lists, wanted), len(lists))


def with_topic_names(group: GroupSnapshot, names: Iterable[str]) -> EditResult:
    """Add topics to the group. A name that is new becomes an unknown topic without partitions."""
    topic_name = tuple(sorted({*group.topic_name, *names}, key=sort_key))
    row = {name: number for number, name in enumerate(topic_name)}
    topic_row = np.array([row[name] for name in group.topic_name], dtype=np.int32)
    members = np.arange(group.member_count, dtype=np.int32)
    if len(topic_name) == group.topic_count:
        return EditResult(group, members, topic_row)
    after = replace(
        group,
        topic_name=topic_name,
        topic_known=_spread_rows(group.topic_known, topic_row, len(topic_name)),
        partition_count=_spread_rows(group.partition_count, topic_row, len(topic_name)),
        topic_id=_spread_rows(group.topic_id, topic_row, len(topic_name)),
        topic_id_known=_spread_rows(group.topic_id_known, topic_row, len(topic_name)),
        topic_lists=tuple(topic_row[topics] for topics in group.topic_lists),
        claim_topic=topic_row[group.claim_topic],
        owned_empty=np.column_stack(
            (group.owned_empty[:, 0], topic_row[group.owned_empty[:, 1]], group.owned_empty[:, 2])
        ).astype(np.int32),
    )
    return EditResult(after, members, topic_row)


def _spread_rows(column: np.ndarray, topic_row: np.ndarray, count: int) -> np.ndarray:
    after = np.zeros((count, *column.shape[1:]), dtype=column.dtype)
    after[topic_row] = column
    return after
