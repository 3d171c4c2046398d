"""From a group document to an observed group, and from an observed group to a document."""

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from evenkeel.assignors.group import NO_GENERATION, NO_RACK, UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.snapshot import named_as_sent, topics_as_sent
from evenkeel.data.group.columns.group import (
    TopicColumns,
    mentioned_topics,
    observed_group,
    unknown_offsets,
)
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import (
    ByName,
    assignment_by_name,
    runs,
    topic_rows,
    uuid_halves,
    uuid_text,
)
from evenkeel.data.group.document import FORMAT, GROUP_FACTS, Document, Member, Partition, Topic

_NO_NUMBERS = np.empty(0, dtype=np.int64)


def observed_from_document(document: Document) -> ObservedGroup:
    """Return the document's group as arrays, with row numbers in place of names.

    Claims have the document's order. A topic that only members mention gets no partitions.
    """
    members = document.members or []
    topics = _topic_columns(document.topics or [], mentioned_topics(members))
    return observed_group(document, topics, members, document.assumed or ())


def _topic_columns(listed: Sequence[Topic], mentioned: Iterable[str]) -> TopicColumns:
    rows = topic_rows([topic.name for topic in listed], mentioned)
    partition_count = np.zeros(len(rows.name), dtype=np.int64)
    partition_count[rows.known_row] = [topic.size for topic in listed]
    topic_id = np.zeros((len(rows.name), 2), dtype=np.int64)
    topic_id_known = np.zeros(len(rows.name), dtype=bool)
    for row, topic in zip(rows.known_row, listed, strict=True):
        if topic.topic_id is not None:
            topic_id[row], topic_id_known[row] = uuid_halves(topic.topic_id), True
    replicas: tuple[np.ndarray, Sequence[str | None]]
    if all(isinstance(topic.partitions, int) for topic in listed):
        count = int(partition_count.sum())
        offsets, replicas = [unknown_offsets(count)] * 4, (np.zeros(count + 1, dtype=np.int32), [])
    else:
        in_order = [listed[place] for place in rows.place[rows.is_known]]
        offsets = [
            _offsets(in_order, key)
            for key in ("begin_offset", "end_offset", "committed_offset", "lag")
        ]
        replicas = _replicas(in_order)
    begin, end, committed, lag = offsets
    return TopicColumns(
        rows, partition_count, topic_id, topic_id_known, begin, end, committed, lag, *replicas
    )


def _offsets(topics: Iterable[Topic], key: str) -> np.ndarray:
    """Return the value of `key` for each partition, int64 (P,); `UNKNOWN` if missing."""
    columns = [_NO_NUMBERS]
    for topic in topics:
        if isinstance(topic.partitions, int):
            columns.append(np.full(topic.partitions, UNKNOWN))
        else:
            values = [getattr(partition, key) for partition in topic.partitions]
            columns.append(
                np.array([UNKNOWN if value is None else value for value in values], dtype=np.int64)
            )
    return np.concatenate(columns)


def _replicas(topics: Iterable[Topic]) -> tuple[np.ndarray, list[str | None]]:
    """Return the start of each partition's replicas, int32 (P + 1,), and each replica's rack.

    The start is the index of the partition's first replica.
    """
    counts = [_NO_NUMBERS]
    racks: list[str | None] = []
    for topic in topics:
        if isinstance(topic.partitions, int):
            counts.append(np.zeros(topic.partitions, dtype=np.int64))
            continue
        counts.append(
            np.array([len(partition.racks or ()) for partition in topic.partitions], dtype=np.int64)
        )
        for partition in topic.partitions:
            racks.extend(partition.racks or ())
    return np.concatenate(([0], np.cumsum(np.concatenate(counts)))).astype(np.int32), racks


# An observed group becomes a group document again.


def document_of(observed: ObservedGroup) -> dict:
    """Return the group document as a JSON object.

    Unknown values are left out; `group_id` and `assumed` are always present.
    """
    group = observed.snapshot
    document = Document(
        format=FORMAT,
        taken_at=observed.taken_at,
        auto_offset_reset=group.auto_offset_reset,
        type=observed.group_type,
        state=observed.group_state,
        leader=observed.leader,
        topics=_topics(observed),
        members=_members(observed),
        **{key: getattr(observed, key) for key in GROUP_FACTS},
    )
    head = {"format": FORMAT, "group_id": observed.group_id, "assumed": list(observed.assumed)}
    return head | msgspec.to_builtins(document)


def _topics(observed: ObservedGroup) -> list[Topic]:
    group = observed.snapshot
    source_order = np.argsort(observed.topic_order)
    return [
        Topic(
            group.topic_name[row],
            _partitions(group, row),
            uuid_text(group.topic_id[row]) if group.topic_id_known[row] else None,
        )
        for row in source_order[group.topic_known[source_order]].tolist()
    ]


def _partitions(group: GroupSnapshot, topic: int) -> int | list[Partition]:
    tps = group.tps_of(topic)
    columns = [
        column[tps]
        for column in (
            group.begin_offset,
            group.end_offset,
            group.committed_offset,
            group.given_lag,
        )
    ]
    if (
        not any((column != UNKNOWN).any() for column in columns)
        and group.replica_start[tps.start] == group.replica_start[tps.stop]
    ):
        return tps.stop - tps.start
    return [
        Partition(*values)
        for values in zip(*map(_or_none, columns), _racks(group, tps), strict=True)
    ]


def _racks(group: GroupSnapshot, tps: slice) -> list[list[str | None] | None]:
    starts = group.replica_start[tps.start : tps.stop + 1].tolist()
    racks = [
        None if rack == NO_RACK else group.rack_name[rack]
        for rack in group.replica_rack[starts[0] : starts[-1]].tolist()
    ]
    return [
        racks[start - starts[0] : stop - starts[0]] or None
        for start, stop in zip(starts, starts[1:], strict=False)
    ]


def _or_none(column: np.ndarray) -> list[int | None]:
    return [None if value == UNKNOWN else value for value in column.tolist()]


def _members(observed: ObservedGroup) -> list[Member]:
    group = observed.snapshot
    nothing = (None,) * group.member_count
    owned = _owned(observed)
    current = (
        dict.fromkeys(group.member_id, {})
        if observed.current is None
        else assignment_by_name(observed, observed.current)
    )
    columns = zip(
        group.member_id,
        _subscribed(observed),
        observed.client_id,
        observed.host,
        group.instance_id,
        [group.rack_of(row) for row in range(group.member_count)],
        [owned[member] for member in group.member_id],
        [
            None if generation == NO_GENERATION else generation
            for generation in group.generation.tolist()
        ],
        [
            None if _same(current[member], owned[member]) else current[member]
            for member in group.member_id
        ],
        observed.joined_with or nothing,
        observed.subscribed_regex or nothing,
        _or_none(observed.epoch),
        observed.protocol or nothing,
        nothing
        if observed.assignment_user_data is None
        else _or_none(observed.assignment_user_data),
        strict=True,
    )
    return [Member(*values) for values in columns]


def _subscribed(observed: ObservedGroup) -> list[list[str]]:
    """Return each member's topics, in the member's order.

    Topics are left out if only the member's expression matches them.
    """
    group = observed.snapshot
    as_sent = named_as_sent if observed.subscribed_regex else topics_as_sent
    topics = (as_sent(group, member) for member in range(group.member_count))
    return [
        [group.topic_name[topic] for topic in topics_of_member.tolist()]
        for topics_of_member in topics
    ]


def _owned(observed: ObservedGroup) -> dict[str, dict[str, list[int]] | None]:
    """Return the claims of each member, in the member's order; None if they are unknown."""
    group, assumed = observed.snapshot, frozenset(observed.assumed)
    owned: ByName = {}
    for member, topic, partitions in runs(
        np.column_stack([group.claim_member, group.claim_topic, group.claim_partition])
    ):
        owned.setdefault(group.member_id[member], {}).setdefault(
            group.topic_name[topic], []
        ).extend(partitions)
    for member, topic, place in group.owned_empty.tolist():
        topics = list(owned.get(group.member_id[member], {}).items())
        owned[group.member_id[member]] = dict(
            [*topics[:place], (group.topic_name[topic], []), *topics[place:]]
        )
    unknown = (
        bool({"members[*].owned", f"members[{place}].owned"} & assumed)
        for place in range(group.member_count)
    )
    return {
        member_id: owned.get(member_id, None if is_unknown else {})
        for member_id, is_unknown in zip(group.member_id, unknown, strict=True)
    }


def _same(current: dict[str, list[int]], owned: dict[str, list[int]] | None) -> bool:
    return (
        not current
        if owned is None
        else current
        == {topic: sorted(set(partitions)) for topic, partitions in owned.items() if partitions}
    )
