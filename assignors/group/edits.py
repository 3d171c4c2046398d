"""Parts of a group's edits: members and topics in other rows, subscriptions, lags, racks, and
retained owners.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import NO_GENERATION, NO_RACK, UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.orders import order_with_inserted
from evenkeel.assignors.group.owned import owners_of
from evenkeel.assignors.java.hashing import sort_key

GONE = -1


class EditResult(NamedTuple):
    """A group after an edit.

    `member_row` int32 (M,): the row that each former member has now, or `GONE`. `topic_row` int32
    (T,): the row that each former topic has now; no topic loses its row.
    """

    group: GroupSnapshot
    member_row: np.ndarray
    topic_row: np.ndarray


def same_rows(before: GroupSnapshot, after: GroupSnapshot) -> EditResult:
    """Return an edit in which every former member and topic keeps its row."""
    return EditResult(
        after,
        np.arange(before.member_count, dtype=np.int32),
        np.arange(before.topic_count, dtype=np.int32),
    )


def carry_over(assignment: Assignment, before: GroupSnapshot, edited: EditResult) -> Assignment:
    """Return the owners of an assignment after an edit; partitions of departed members have no
    owner.
    """
    tps = np.flatnonzero(assignment.owner != UNASSIGNED)
    owned = np.column_stack((assignment.owner[tps], before.tp_topic[tps], before.tp_partition[tps]))
    # Owners stand before further claims: the first claimant of a partition owns it.
    member, topic, partition = np.concatenate((owned, assignment.extra)).T
    rows = np.column_stack((edited.member_row[member], edited.topic_row[topic], partition)).astype(
        np.int32
    )
    return owners_of(rows[rows[:, 0] != GONE], edited.group.partition_count)


def rows_of(group: GroupSnapshot, member_ids: Sequence[str]) -> np.ndarray:
    """Return int32: the row of each member.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
    """
    row = {member_id: number for number, member_id in enumerate(group.member_id)}
    return np.array([row[member_id] for member_id in member_ids], dtype=np.int32)


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
    """Return the group with these members.

    In a classic group they get the places in which its coordinator would report them, else they
    come last.

    Parameters
    ----------
    topics : sequence of str
        Topics of each of them; with an `expression`, `named` are the topics that they subscribe to
        by name.
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
    # A broker's assignor sees new members last: its group has them only after it has answered them.
    order = (
        order_with_inserted(wider.member_id, every >= listed, is_classic=True)
        if is_classic
        else every
    )
    after, member_row = with_member_rows(wider, order)
    return EditResult(after, member_row[:listed], named_topics.topic_row)


def remove_members(group: GroupSnapshot, member_ids: Sequence[str]) -> EditResult:
    """Return the group without these members; the others keep their order.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
    """
    stays = np.ones(group.member_count, dtype=bool)
    stays[rows_of(group, member_ids)] = False
    after, member_row = with_member_rows(group, np.flatnonzero(stays).astype(np.int32))
    return EditResult(after, member_row, np.arange(group.topic_count, dtype=np.int32))


def replace_members(
    group: GroupSnapshot, new_id: Mapping[str, str], *, is_classic: bool = True
) -> EditResult:
    """Return the group where each of these members has its new id, as its coordinator reports it
    then.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
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
    """Return the group with these members in this order, and the row that each former member has
    now, int32 (M,), or `GONE`.

    `rows` int32: of `group`, each at most once.
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
    """Return the places of remaining members' partitions, by the members' new rows, in the old
    order within a member.
    """
    places = np.flatnonzero(member != GONE)
    return places[np.argsort(member[places], kind="stable")]


def set_subscription(
    group: GroupSnapshot,
    member_ids: Sequence[str],
    topics: Sequence[str],
    named: Sequence[str] = (),
    expression: str | None = None,
) -> EditResult:
    """Return the group where these members subscribe to `topics`; with an `expression`, `named` are
    the topics that they name.

    Raises
    ------
    KeyError
        With the id, when the group has no such member.
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
    """Return the group where these members subscribe to these topics.

    `topics`: rows of all topics that they subscribe to. With an `expression`, `named` are the
    topics that they subscribe to by name.
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
    """Return `order_sent` where these members name these topics in this order."""
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
    """Return the lists with one of these topics, and its row; the lists stay distinct."""
    wanted = np.sort(np.array(topics, dtype=np.int32))
    row = next((row for row, each in enumerate(lists) if np.array_equal(each, wanted)), None)
    return (lists, row) if row is not None else ((*lists, wanted), len(lists))


def with_topic_names(group: GroupSnapshot, names: Iterable[str]) -> EditResult:
    """Return the group with a row for each of these names; a new name is an unknown topic without
    partitions.
    """
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


Racks = Sequence[Sequence[str | None]]
"""For each partition the racks of its replicas, None for a replica without rack."""


def with_partition_counts(
    group: GroupSnapshot, partition_count: np.ndarray, racks: Mapping[int, Racks]
) -> GroupSnapshot:
    """Return the group with topics of these sizes, int64 (T,); a partition that was there keeps its
    offsets and racks.

    New partitions are empty, and nothing is committed in them. `racks`: of new partitions, by
    topic; a missing topic has none.
    """
    group = with_rack_names(
        group, {name for each in racks.values() for replicas in each for name in replicas}
    )
    first = np.concatenate(([0], np.cumsum(partition_count)))
    stays = np.flatnonzero(group.tp_partition < partition_count[group.tp_topic])
    place = first[group.tp_topic[stays]] + group.tp_partition[stays]
    begin, end, committed, lag = _new_values(group)
    return replace(
        group,
        partition_count=partition_count.astype(np.int64),
        begin_offset=_spread(group.begin_offset, stays, place, first[-1], begin),
        end_offset=_spread(group.end_offset, stays, place, first[-1], end),
        committed_offset=_spread(group.committed_offset, stays, place, first[-1], committed),
        given_lag=_spread(group.given_lag, stays, place, first[-1], lag),
        **_replicas(group, stays, place, first, racks),
    )


def _new_values(group: GroupSnapshot) -> tuple[int, int, int, int]:
    """Return begin, end, committed offset and given lag of an empty partition.

    It has a lag if only lags are known, and if the reset policy is unknown: an empty partition has
    lag 0 under any policy.
    """
    has_offsets = bool((group.end_offset != UNKNOWN).any())
    if has_offsets and group.auto_offset_reset is not None:
        return 0, 0, UNKNOWN, UNKNOWN
    return UNKNOWN, UNKNOWN, UNKNOWN, 0


def _spread(
    column: np.ndarray, stays: np.ndarray, place: np.ndarray, count: int, value: int
) -> np.ndarray:
    after = np.full(count, value, dtype=np.int64)
    after[place] = column[stays]
    return after


def _replicas(
    group: GroupSnapshot,
    stays: np.ndarray,
    place: np.ndarray,
    first: np.ndarray,
    racks: Mapping[int, Racks],
) -> dict:
    length = np.zeros(first[-1], dtype=np.int64)
    length[place] = np.diff(group.replica_start)[stays]
    new = {}
    for topic, each in racks.items():
        end = int(first[topic + 1])
        for tp, replicas in zip(range(end - len(each), end), each, strict=True):
            length[tp], new[tp] = len(replicas), [rack_row(group, name) for name in replicas]
    start = np.concatenate(([0], np.cumsum(length))).astype(np.int32)
    rack = np.empty(start[-1], dtype=np.int32)
    old = np.repeat(stays, length[place])
    within = np.arange(old.size) - np.repeat(
        np.cumsum(length[place]) - length[place], length[place]
    )
    rack[np.repeat(start[place], length[place]) + within] = group.replica_rack[
        group.replica_start[old] + within
    ]
    for tp, rows in new.items():
        rack[start[tp] : start[tp + 1]] = rows
    return {"replica_start": start, "replica_rack": rack}


def with_rack_names(group: GroupSnapshot, names: Iterable[str | None]) -> GroupSnapshot:
    """Return the group with these racks among its names."""
    rack_name = tuple(sorted({*group.rack_name, *(name for name in names if name is not None)}))
    if rack_name == group.rack_name:
        return group
    row = {name: number for number, name in enumerate(rack_name)}
    # NO_RACK is -1: the last place is for replicas and members without rack.
    moved = np.array([*(row[name] for name in group.rack_name), NO_RACK], dtype=np.int32)
    return replace(
        group,
        rack_name=rack_name,
        replica_rack=moved[group.replica_rack],
        member_rack=moved[group.member_rack],
    )


def rack_row(group: GroupSnapshot, name: str | None) -> int:
    """Return the row of a rack, `NO_RACK` for None."""
    return NO_RACK if name is None else group.rack_name.index(name)


def with_member_rack(group: GroupSnapshot, members: np.ndarray, rack: str | None) -> GroupSnapshot:
    """Return the group where these members, rows, say this rack; None for no rack, the empty string
    for librdkafka's way to say so.
    """
    group = with_rack_names(group, [rack or None])
    member_rack = group.member_rack.copy()
    member_rack[members] = rack_row(group, rack or None)
    is_empty = (
        np.zeros(group.member_count, dtype=bool)
        if group.has_empty_rack is None
        else group.has_empty_rack.copy()
    )
    is_empty[members] = rack == ""
    return replace(
        group, member_rack=member_rack, has_empty_rack=is_empty if is_empty.any() else None
    )


_MOST = 2**63 - 1


def set_lag(group: GroupSnapshot, tps: np.ndarray, lag: np.ndarray) -> EditResult:
    """Return the group where these topic-partitions have this lag, both int64.

    A partition that has no offset to count from is left with its lag alone.

    Raises
    ------
    OverflowError
        If an end offset would not fit into int64.
    """
    begin, end, committed, given = (
        column.copy()
        for column in (
            group.begin_offset,
            group.end_offset,
            group.committed_offset,
            group.given_lag,
        )
    )
    start = _next_offset(group)[tps]
    by_offsets = (given[tps] == UNKNOWN) & (end[tps] != UNKNOWN) & (start != UNKNOWN)
    if (lag[by_offsets] > _MOST - start[by_offsets]).any():
        raise OverflowError(f"an end offset would exceed {_MOST}")
    end[tps[by_offsets]] = start[by_offsets] + lag[by_offsets]
    alone = tps[~by_offsets]
    given[alone] = lag[~by_offsets]
    begin[alone] = end[alone] = committed[alone] = UNKNOWN
    return same_rows(
        group,
        replace(
            group, begin_offset=begin, end_offset=end, committed_offset=committed, given_lag=given
        ),
    )


def _next_offset(group: GroupSnapshot) -> np.ndarray:
    """Return int64 (P,): the next offset to read, the commit or the begin offset if it is later;
    `UNKNOWN` if nothing counts from it.

    Without a commit, the lag follows the end offset only if the group starts at the beginning.
    """
    policy = group.auto_offset_reset
    from_begin = policy is not None and policy.lower() != "latest"
    uncommitted = group.begin_offset if from_begin else UNKNOWN
    return np.where(
        group.committed_offset != UNKNOWN,
        np.maximum(group.committed_offset, group.begin_offset),
        uncommitted,
    )
