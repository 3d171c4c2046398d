"""Assembles an observed group: topics as arrays, members by name, the topics that regular expressions match."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import le

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import NO_GENERATION, UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.owned import owners_of
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.columns.rows import TopicRows, claims, owned_empty, rack_rows, topic_lists
from evenkeel.data.document import Document, JoinedWith, Member
from evenkeel.data.errors import SnapshotError


@dataclass(frozen=True, eq=False)
class TopicColumns:
    """The topics and partitions of one group, columns as in GroupSnapshot; `replica_rack` names the rack of each replica."""

    rows: TopicRows
    partition_count: np.ndarray
    topic_id: np.ndarray
    topic_id_known: np.ndarray
    begin_offset: np.ndarray
    end_offset: np.ndarray
    committed_offset: np.ndarray
    given_lag: np.ndarray
    replica_start: np.ndarray
    replica_rack: Sequence[str | None]


def mentioned_topics(members: Iterable[Member]) -> set[str]:
    """Return the topics that members subscribe to, hold partitions of or own, even without a partition."""
    names: set[str] = set()
    for member in members:
        names.update(member.subscribed)
        if member.current:
            names.update(filter(member.current.get, member.current))
        if member.owned:
            names.update(
                member.owned
                if None not in member.owned.values()
                else (topic for topic, partitions in member.owned.items() if partitions is not None)
            )
    return names


def observed_group(
    head: Document, topics: TopicColumns, members: Sequence[Member], assumed: Iterable[str], cluster: str | None = None
) -> ObservedGroup:
    """Assemble a group; `head` has the facts about the group as a whole."""
    owned = claims((member.owned for member in members), topics.rows.row)
    current = _current(members, topics, owned)
    assumed = {*assumed, *(unknown_paths("owned", [member.owned is None for member in members]) if current is None else ())}
    return ObservedGroup(
        group_id=head.group_id,
        snapshot=_snapshot(topics, members, owned, head.auto_offset_reset),
        current=current,
        client_id=tuple(member.client_id for member in members),
        host=tuple(member.host for member in members),
        assumed=tuple(sorted(assumed)),
        level=_level(topics, members, assumed, current),
        topic_order=topics.rows.place,
        epoch=_numbers([member.epoch for member in members], UNKNOWN, np.int64),
        taken_at=head.taken_at,
        cluster=cluster,
        group_type=head.type,
        group_state=head.state,
        assignor=head.assignor,
        group_epoch=head.group_epoch,
        assignment_epoch=head.assignment_epoch,
        leader=head.leader,
        subscribed_regex=tuple(member.subscribed_regex for member in members),
        joined_with=tuple(_said(member.joined_with) for member in members),
        protocol_type=head.protocol_type,
        protocol=tuple(member.protocol for member in members) if any(member.protocol for member in members) else (),
        assignment_user_data=_user_data(members),
    )


def unknown_paths(key: str, is_unknown: Sequence[bool]) -> list[str]:
    """Return the paths of a key for the members whose value is unknown; one path where that is all of them."""
    if is_unknown and all(is_unknown):
        return [f"members[*].{key}"]
    return [f"members[{place}].{key}" for place in np.flatnonzero(is_unknown)]


def _current(members: Sequence[Member], topics: TopicColumns, owned: np.ndarray) -> Assignment | None:
    """Return the owners now: what members have, else what they own; None if no claim is there and some member's are unknown."""
    held = [member.owned if member.current is None else member.current for member in members]
    is_owned = all(member.current is None for member in members)
    claimed = owned if is_owned else claims(held, topics.rows.row)
    return None if None in held and not len(claimed) else owners_of(claimed, topics.partition_count)


def _said(joined: JoinedWith | None) -> JoinedWith | None:
    """Drop null, which equals a missing key."""
    if joined is None or (joined.owned is None and joined.generation is None):
        return None
    owned = joined.owned and {topic: partitions for topic, partitions in joined.owned.items() if partitions is not None}
    return JoinedWith(owned, joined.generation)


def _user_data(members: Sequence[Member]) -> np.ndarray | None:
    known = [member.assignment_user_data for member in members]
    return None if known.count(None) == len(known) else _numbers(known, UNKNOWN, np.int64)


def _snapshot(topics: TopicColumns, members: Sequence[Member], owned: np.ndarray, auto_offset_reset: str | None) -> GroupSnapshot:
    # Java reads a member's empty rack as none. A broker's empty rack is a rack: RangeAssignor compares it with the others.
    member_rack = [member.rack or None for member in members]
    rack_name = tuple(sorted({*topics.replica_rack, *member_rack} - {None}))
    expression = tuple(member.subscribed_regex or None for member in members)
    is_by_name = not any(expression)
    named = [member.subscribed for member in members]
    lists, rows = topic_lists(named if is_by_name else [*named, *with_matches(named, expression, topics.rows.known)], topics.rows.row)
    claim_member, claim_topic, claim_partition = owned.T
    return GroupSnapshot(
        topic_name=topics.rows.name,
        topic_known=topics.rows.is_known,
        partition_count=topics.partition_count,
        topic_id=topics.topic_id,
        topic_id_known=topics.topic_id_known,
        begin_offset=_absent_or(topics.begin_offset),
        end_offset=_absent_or(topics.end_offset),
        committed_offset=_absent_or(topics.committed_offset),
        given_lag=_absent_or(topics.given_lag),
        rack_name=rack_name,
        replica_start=topics.replica_start,
        replica_rack=rack_rows(topics.replica_rack, rack_name),
        member_id=tuple(member.member_id for member in members),
        instance_id=tuple(member.instance_id for member in members),
        member_rack=rack_rows(member_rack, rack_name),
        generation=_numbers([member.generation for member in members], NO_GENERATION, np.int32),
        topic_lists=lists,
        subscription=rows[-len(members) :] if members else rows,
        claim_member=claim_member,
        claim_topic=claim_topic,
        claim_partition=claim_partition,
        auto_offset_reset=auto_offset_reset,
        named=None if is_by_name else rows[: len(members)],
        expression=() if is_by_name else expression,
        owned_empty=owned_empty((member.owned for member in members), topics.rows.row),
        order_sent={member.member_id: tuple(member.subscribed) for member in members if not _ascends(member.subscribed)},
        has_empty_rack=np.array([member.rack == "" for member in members]) if any(member.rack == "" for member in members) else None,
    )


def _ascends(names: Sequence[str]) -> bool:
    # Java and Python sort ASCII alike. Other names are recorded in any order, which does no harm.
    return all(map(le, names, names[1:])) and "".join(names).isascii()


def _absent_or(column: np.ndarray) -> np.ndarray:
    """Return the column, or a constant, broadcast, where nothing is known."""
    return column if (column != UNKNOWN).any() else np.broadcast_to(np.int64(UNKNOWN), column.size)


def _numbers(values: Sequence[int | None], unknown: int, dtype: type) -> np.ndarray:
    return np.array([unknown if value is None else value for value in values], dtype=dtype)


def _level(topics: TopicColumns, members: Sequence[Member], assumed: set[str], current: Assignment | None) -> int:
    """Return the completeness: 1 with end offsets or lag, 2 with known owners, 3 with all members, 4 with all subscriptions.

    A committed offset alone tells no lag.
    """
    if members and current is not None:
        return 2 if "members" in assumed else 3 if any(path.endswith("].subscribed") for path in assumed) else 4
    return int(any((column != UNKNOWN).any() for column in (topics.end_offset, topics.given_lag)))


# Subscriptions by regular expression: the topics that match, as a KIP-848 broker finds them.


def with_matches(named: Sequence[Sequence[str]], expressions: Sequence[str | None], topics: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield what each member subscribes to: the named topics, and those whose whole name matches its RE2 expression, each once.

    Raises
    ------
    SnapshotError
        For what is no RE2 expression, by its path in the group document.
    """
    found: dict[str, list[str]] = {}
    for place, (names, expression) in enumerate(zip(named, expressions, strict=True)):
        if expression is None:
            yield names
            continue
        if expression not in found:
            found[expression] = _matching(expression, topics, f"members[{place}].subscribed_regex")
        yield list(dict.fromkeys([*names, *found[expression]]))


def _matching(expression: str, topics: Sequence[str], path: str) -> list[str]:
    import re2  # late: few groups have an expression, and the others should not wait for it

    options = re2.Options()
    # RE2 itself would write the fault to standard error.
    options.log_errors = False
    try:
        pattern = re2.compile(expression, options)
    except (re2.error, UnicodeError) as error:
        reason = error.args[0].decode(errors="replace") if error.args and isinstance(error.args[0], bytes) else str(error)
        raise SnapshotError(f"{path}: found {expression!r}, expected an RE2 expression: {reason}") from None
    return [name for name in topics if pattern.fullmatch(name)]
