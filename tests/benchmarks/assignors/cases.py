"""The 48 cases of the side-by-side tables: four shapes, three kinds of subscriptions, four steps of
a group's life.
"""

import base64
from dataclasses import replace

import numpy as np

from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from tests.benchmarks.assignors.shapes import columns

SHAPES = {"S": (10, 100, 10), "M": (100, 100, 100), "D": (21, 100, 2100), "L": (500, 2000, 2000)}
"""Topics, partitions of each, members. D with equal subscriptions has one topic of 2,100
partitions.
"""
SUBSCRIPTIONS = ("eq", "odd", "win")
"""All the same; all topics but for the last member, who has the first one only; half of the topics
each, from the member's own number on.
"""
STEPS = ("fresh", "same", "leave", "join")
"""Nothing owned; everything owned and even; then the middle member gone; or one member more."""


def case(shape: str, subscriptions: str, step: str) -> GroupSnapshot:
    """Build a snapshot; topic ids are known and random, but always the same."""
    topic_count, partition_count, member_count = (
        (1, 2100, 2100) if (shape, subscriptions) == ("D", "eq") else SHAPES[shape]
    )
    lists = [
        _topics(subscriptions, member, topic_count, member_count) for member in range(member_count)
    ]
    owner = _owners(subscriptions, topic_count, partition_count, member_count)
    if step == "join":
        lists.append(
            _topics(
                "win" if subscriptions == "win" else "eq", member_count, topic_count, member_count
            )
        )
    gone = member_count // 2 if step == "leave" else None
    group = columns(topic_count, partition_count, len(lists))
    distinct = sorted({topics.tobytes(): topics for topics in lists}.items())
    place = {key: row for row, (key, _) in enumerate(distinct)}
    ids = np.random.default_rng(1).integers(-(2**63), 2**63 - 1, (topic_count, 2))
    group = replace(
        group,
        topic_id=ids,
        topic_id_known=np.ones(topic_count, dtype=bool),
        topic_lists=tuple(topics for _, topics in distinct),
        subscription=np.array([place[topics.tobytes()] for topics in lists], dtype=np.int32),
    )
    return _without(_with_claims(group, owner) if step != "fresh" else group, gone)


def document(group: GroupSnapshot) -> dict:
    """Return the group document of a snapshot made here."""
    ids = [
        base64.urlsafe_b64encode(b"".join((half % 2**64).to_bytes(8) for half in halves))
        .decode()
        .rstrip("=")
        for halves in group.topic_id.tolist()
    ]
    topics = [
        {"name": name, "partitions": _partitions(group, row), "topic_id": id}
        for row, (name, id) in enumerate(zip(group.topic_name, ids, strict=False))
    ]
    owned: list[dict] = [{} for _ in group.member_id]
    for member, topic, partition in zip(
        group.claim_member.tolist(),
        group.claim_topic.tolist(),
        group.claim_partition.tolist(),
        strict=False,
    ):
        owned[member].setdefault(group.topic_name[topic], []).append(partition)
    lists = [[group.topic_name[topic] for topic in topics.tolist()] for topics in group.topic_lists]
    members = [
        {"member_id": id, "subscribed": lists[row], "owned": held}
        for id, row, held in zip(group.member_id, group.subscription.tolist(), owned, strict=False)
    ]
    return {"format": "evenkeel.group/1", "topics": topics, "members": members}


def _partitions(group: GroupSnapshot, topic: int) -> int | list[dict]:
    """Return the partitions with their lags, or how many there are where no lag is known."""
    lags = group.given_lag[group.tps_of(topic)].tolist()
    return len(lags) if UNKNOWN in lags else [{"lag": lag} for lag in lags]


def _topics(subscriptions: str, member: int, topic_count: int, member_count: int) -> np.ndarray:
    if subscriptions == "win":
        return np.sort((member + np.arange(max(topic_count // 2, 1))) % topic_count).astype(
            np.int32
        )
    return np.arange(
        1 if subscriptions == "odd" and member == member_count - 1 else topic_count, dtype=np.int32
    )


def _owners(
    subscriptions: str, topic_count: int, partition_count: int, member_count: int
) -> np.ndarray:
    """Return who owns what, int64 (P,), in a group as even as it can be."""
    tp_count = topic_count * partition_count
    if subscriptions == "eq":
        return np.arange(tp_count) % member_count
    if subscriptions == "odd":
        share = tp_count // member_count
        return np.append(
            np.full(share, member_count - 1), np.arange(tp_count - share) % (member_count - 1)
        )
    return np.concatenate(
        [
            np.resize(_nearest_first(topic, topic_count, member_count), partition_count)
            for topic in range(topic_count)
        ]
    )


def _nearest_first(topic: int, topic_count: int, member_count: int) -> np.ndarray:
    """Return the subscribers of a topic, those whose window starts with it first: dealt in this
    order, every member has as many as the others.
    """
    distance = (topic - np.arange(member_count)) % topic_count
    subscribers = np.flatnonzero(distance < topic_count // 2)
    return subscribers[np.argsort(distance[subscribers], kind="stable")]


def _with_claims(group: GroupSnapshot, owner: np.ndarray) -> GroupSnapshot:
    tps = np.argsort(owner, kind="stable")
    claims = owner[tps], group.tp_topic[tps], group.tp_partition[tps]
    return replace(
        group,
        **{
            name: column.astype(np.int32)
            for name, column in zip(
                ("claim_member", "claim_topic", "claim_partition"), claims, strict=False
            )
        },
    )


def _without(group: GroupSnapshot, gone: int | None) -> GroupSnapshot:
    """Take a member out, and what it claims."""
    if gone is None:
        return group
    stays = group.claim_member != gone
    return replace(
        group,
        member_id=group.member_id[:gone] + group.member_id[gone + 1 :],
        instance_id=group.instance_id[1:],
        member_rack=group.member_rack[1:],
        generation=group.generation[1:],
        subscription=np.delete(group.subscription, gone),
        claim_member=group.claim_member[stays] - (group.claim_member[stays] > gone),
        claim_topic=group.claim_topic[stays],
        claim_partition=group.claim_partition[stays],
    )
