"""Edits of members: added, removed, replaced or reordered."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evenkeel.assignors.group import NO_GENERATION, NO_RACK, GroupSnapshot
from evenkeel.assignors.group.edits.partitions import with_member_rack
from evenkeel.assignors.group.edits.result import GONE, EditResult, rows_of
from evenkeel.assignors.group.edits.subscriptions import with_subscription, with_topic_names
from evenkeel.assignors.group.orders import order_with_inserted


def add_members(
    group: GroupSnapshot,
    member_ids: Sequence[str],
    instance_ids: Sequence[str | None],
    rack: str | None,
    topics: Sequence[str],
    named: Sequence[str] = (),
    expression: str | None = None,
    *,
    is_classic: bool = True,
) -> EditResult:
    """Add members to the group.

    In a classic group, the new members get the places at which the coordinator would list them. In
    other groups the new members are last.

    Parameters
    ----------
    topics : sequence of str
        All topics that each new member subscribes to.
    named : sequence of str
        If there is an `expression`: the topics that each new member subscribes to by name.
    """
    listed, count = group.member_count, len(member_ids)
    named_topics = with_topic_names(group, {*topics, *named})
    wider = named_topics.group
    wider = replace(
        wider,
        member_id=(*wider.member_id, *member_ids),
        instance_id=(*wider.instance_id, *instance_ids),
        member_rack=np.append(wider.member_rack, np.full(count, NO_RACK, dtype=np.int32)),
        has_empty_rack=None
        if wider.has_empty_rack is None
        else np.append(wider.has_empty_rack, np.zeros(count, dtype=bool)),
        generation=np.append(wider.generation, np.full(count, NO_GENERATION, dtype=np.int32)),
        subscription=np.append(wider.subscription, np.zeros(count, dtype=np.int32)),
        named=None
        if wider.named is None
        else np.append(wider.named, np.zeros(count, dtype=np.int32)),
        expression=(*wider.expression, *(None,) * count) if wider.expression else (),
    )
    row = {name: number for number, name in enumerate(wider.topic_name)}
    new = np.arange(listed, listed + count, dtype=np.int32)
    wider = with_member_rack(wider, new, rack)
    wider = with_subscription(
        wider, new, [row[name] for name in topics], [row[name] for name in named], expression
    )
    every = np.arange(wider.member_count, dtype=np.int32)
    # On the broker, new members are last, because the group's table has new members only after the
    # assignment.
    order = (
        order_with_inserted(wider.member_id, every >= listed, is_classic=True)
        if is_classic
        else every
    )
    after, member_row = with_member_rows(wider, order)
    return EditResult(after, member_row[:listed], named_topics.topic_row)


def remove_members(group: GroupSnapshot, member_ids: Sequence[str]) -> EditResult:
    """Remove members from the group. The other members keep their order.

    Raises
    ------
    KeyError
        If a member id is not in the group. The error contains this id.
    """
    stays = np.ones(group.member_count, dtype=bool)
    stays[rows_of(group, member_ids)] = False
    after, member_row = with_member_rows(group, np.flatnonzero(stays).astype(np.int32))
    return EditResult(after, member_row, np.arange(group.topic_count, dtype=np.int32))


def replace_members(
    group: GroupSnapshot, new_id: Mapping[str, str], *, is_classic: bool = True
) -> EditResult:
    """Give members new member ids.

    The members are then in the order in which the coordinator would list the new ids.

    Raises
    ------
    KeyError
        If a member id is not in the group. The error contains this id.
    """
    is_new = np.zeros(group.member_count, dtype=bool)
    is_new[rows_of(group, list(new_id))] = True
    named = replace(
        group,
        member_id=tuple(new_id.get(member_id, member_id) for member_id in group.member_id),
        order_sent={
            new_id.get(member_id, member_id): topics
            for member_id, topics in group.order_sent.items()
        },
    )
    after, member_row = with_member_rows(
        named, order_with_inserted(named.member_id, is_new, is_classic=is_classic)
    )
    return EditResult(after, member_row, np.arange(group.topic_count, dtype=np.int32))


def with_member_rows(group: GroupSnapshot, rows: np.ndarray) -> tuple[GroupSnapshot, np.ndarray]:
    """Keep only the members `rows`, in this order. Return the group and the new member numbers.

    `rows`: member numbers in `group`, int32, each at most once. The new number of each old member
    is int32 (M,), or `GONE` if the member was removed.
    """
    row = np.full(group.member_count, GONE, dtype=np.int32)
    row[rows] = np.arange(rows.size, dtype=np.int32)
    claim = _in_new_order(row[group.claim_member])
    empty = _in_new_order(row[group.owned_empty[:, 0]])
    places = rows.tolist()
    after = replace(
        group,
        member_id=tuple(group.member_id[place] for place in places),
        instance_id=tuple(group.instance_id[place] for place in places),
        member_rack=group.member_rack[rows],
        has_empty_rack=None if group.has_empty_rack is None else group.has_empty_rack[rows],
        generation=group.generation[rows],
        subscription=group.subscription[rows],
        named=None if group.named is None else group.named[rows],
        expression=tuple(group.expression[place] for place in places) if group.expression else (),
        claim_member=row[group.claim_member[claim]],
        claim_topic=group.claim_topic[claim],
        claim_partition=group.claim_partition[claim],
        owned_empty=np.column_stack(
            (row[group.owned_empty[empty, 0]], group.owned_empty[empty, 1:])
        ).astype(np.int32),
    )
    return after, row


def _in_new_order(member: np.ndarray) -> np.ndarray:
    """Sort claims by `member`, the new member number of each claim. Return the claim numbers.

    Claims of removed members are left out. The claims of each member stay in their order.
    """
    places = np.flatnonzero(member != GONE)
    return places[np.argsort(member[places], kind="stable")]
