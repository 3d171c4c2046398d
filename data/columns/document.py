"""A group document becomes an observed group, and back."""

from collections.abc import Iterable

import numpy as np

from assignors.group import NO_GENERATION, UNKNOWN, GroupSnapshot
from data.columns.rows import TopicRows, assignment_of, claims, rack_rows, topic_lists, topic_rows, uuid_halves
from data.document import Document, Member, Topic
from data.observed import ObservedGroup

_OFFSETS = {"begin_offset": "begin_offset", "end_offset": "end_offset", "committed_offset": "committed_offset", "given_lag": "lag"}


def observed_from_document(document: Document) -> ObservedGroup:
    """Number the names of a document. Claims keep its order; names that only a member mentions become topics of no partitions."""
    members = document.members or []
    topics = topic_rows([topic.name for topic in document.topics or []], _mentioned(members))
    snapshot = _snapshot(document, topics, members)
    current = claims((member.owned if member.current is None else member.current for member in members), topics.row)
    return ObservedGroup(
        group_id=document.group_id,
        snapshot=snapshot,
        current=assignment_of(current, snapshot.partition_count),
        client_id=tuple(member.client_id for member in members),
        host=tuple(member.host for member in members),
        assumed=_assumed(document, members),
        level=_level(document, snapshot),
        topic_order=topics.place,
        epoch=np.array([UNKNOWN if member.epoch is None else member.epoch for member in members], dtype=np.int64),
        taken_at=document.taken_at,
        group_type=document.type,
        group_state=document.state,
        assignor=document.assignor,
        group_epoch=document.group_epoch,
        assignment_epoch=document.assignment_epoch,
        subscribed_regex=tuple(member.subscribed_regex for member in members),
        joined_with=tuple(member.joined_with for member in members),
    )


def _mentioned(members: Iterable[Member]) -> set[str]:
    names: set[str] = set()
    for member in members:
        names.update(member.subscribed)
        for held in (member.owned, member.current):
            names.update(topic for topic, partitions in (held or {}).items() if partitions)
    return names


def _snapshot(document: Document, topics: TopicRows, members: list[Member]) -> GroupSnapshot:
    listed = document.topics or []
    rows = topics.known_row
    partition_count = np.zeros(len(topics.name), dtype=np.int64)
    partition_count[rows] = [topic.size for topic in listed]
    topic_id = np.zeros((len(topics.name), 2), dtype=np.int64)
    topic_id_known = np.zeros(len(topics.name), dtype=bool)
    for row, topic in zip(rows, listed, strict=True):
        if topic.topic_id is not None:
            topic_id[row], topic_id_known[row] = uuid_halves(topic.topic_id), True
    in_order = [listed[place] for place in topics.place[topics.is_known]]
    rack_name, replica_start, replica_rack = _replicas(in_order, members)
    lists, subscription = topic_lists((member.subscribed for member in members), topics.row)
    claim_member, claim_topic, claim_partition = claims((member.owned for member in members), topics.row).T
    return GroupSnapshot(
        topic_name=topics.name,
        topic_known=topics.is_known,
        partition_count=partition_count,
        topic_id=topic_id,
        topic_id_known=topic_id_known,
        **{column: _offsets(in_order, key) for column, key in _OFFSETS.items()},
        rack_name=rack_name,
        replica_start=replica_start,
        replica_rack=replica_rack,
        member_id=tuple(member.member_id for member in members),
        instance_id=tuple(member.instance_id for member in members),
        member_rack=rack_rows([member.rack or None for member in members], rack_name),
        generation=np.array([NO_GENERATION if member.generation is None else member.generation for member in members], dtype=np.int32),
        topic_lists=lists,
        subscription=subscription,
        claim_member=claim_member,
        claim_topic=claim_topic,
        claim_partition=claim_partition,
        auto_offset_reset=document.auto_offset_reset,
    )


def _offsets(topics: list[Topic], key: str) -> np.ndarray:
    """int64 (P,): one key of every partition, `UNKNOWN` where it is not there."""
    columns = [np.empty(0, dtype=np.int64)]
    for topic in topics:
        if isinstance(topic.partitions, int):
            columns.append(np.full(topic.partitions, UNKNOWN))
        else:
            values = [getattr(partition, key) for partition in topic.partitions]
            columns.append(np.array([UNKNOWN if value is None else value for value in values], dtype=np.int64))
    return np.concatenate(columns)


def _replicas(topics: list[Topic], members: list[Member]) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Return rack names, the start of each partition's replicas and each replica's rack."""
    counts = [np.empty(0, dtype=np.int64)]
    racks: list[str | None] = []
    for topic in topics:
        if isinstance(topic.partitions, int):
            counts.append(np.zeros(topic.partitions, dtype=np.int64))
            continue
        counts.append(np.array([len(partition.racks or ()) for partition in topic.partitions], dtype=np.int64))
        for partition in topic.partitions:
            racks.extend(partition.racks or ())
    rack_name = tuple(sorted({rack for rack in racks if rack is not None}.union(member.rack for member in members if member.rack)))
    replica_start = np.concatenate(([0], np.cumsum(np.concatenate(counts)))).astype(np.int64)
    return rack_name, replica_start, rack_rows(racks, rack_name)


def _assumed(document: Document, members: list[Member]) -> tuple[str, ...]:
    """Return the document's own assumptions, and the regular expressions that nobody has resolved."""
    unresolved = [f"members[{place}].subscribed_regex" for place, member in enumerate(members) if member.subscribed_regex is not None]
    return tuple(sorted({*(document.assumed or ()), *unresolved}))


def _level(document: Document, snapshot: GroupSnapshot) -> int:
    """Return the completeness that a document shows: members and their subscriptions are always there unless assumed."""
    assumed = set(document.assumed or ())
    if snapshot.member_count:
        return 2 if "members" in assumed else 3 if "members[*].subscribed" in assumed else 4
    known = (snapshot.end_offset != UNKNOWN) | (snapshot.given_lag != UNKNOWN) | (snapshot.committed_offset != UNKNOWN)
    return int(known.any())
