"""Digests of answers that Kafka's own classes gave (JDK 17), at sizes too big to spell."""

import hashlib

import pytest

from evenkeel.assignors import ASSIGNORS
from tests.assignors.groups import Member, group


def digest(snapshot, answer) -> str:
    """First 16 hex digits of SHA-256: a line for each member by id, its topic-partitions sorted as text."""
    names = [
        f"{snapshot.topic_name[topic]}-{partition}" for topic, partition in zip(snapshot.tp_topic.tolist(), snapshot.tp_partition.tolist())
    ]
    owned = {name: [] for name in snapshot.member_id}
    for tp, member in zip(names, answer.owner.tolist()):
        owned[snapshot.member_id[member]].append(tp)
    lines = (f"{member}:{','.join(sorted(owned[member]))}\n" for member in sorted(owned))
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


def rack_group(topics_of):
    topics = {f"r{number}": 12 for number in range(10)}
    racks = {name: ["abc"[(partition + number) % 3] for partition in range(12)] for number, name in enumerate(topics)}
    return group(topics, {f"m{row}": Member(" ".join(topics_of(row, topics)), rack="abc"[row % 3]) for row in range(7)}, racks=racks)


def equal(_row, topics):
    return topics


def nonequal(row, topics):
    return [name for number, name in enumerate(topics) if number % 3 != row % 3]


@pytest.mark.parametrize(
    ("name", "topics_of", "expected"),
    [
        ("range", equal, "0dd2d8d2a643d190"),
        ("range", nonequal, "32f5f2bb1f5c73ec"),
        ("roundrobin", equal, "809df1ec8001c577"),
        ("roundrobin", nonequal, "f1f42acf24b1e465"),
    ],
)
def test_ten_racked_topics_are_assigned_as_kafka_does(name, topics_of, expected):
    snapshot = rack_group(topics_of)

    assert digest(snapshot, ASSIGNORS[name]().assign(snapshot)) == expected


def test_range_gives_kafkas_answer_for_a_million_partitions_and_two_thousand_members():
    topics = {f"t{number:03d}": 2000 for number in range(500)}
    subscribed = " ".join(topics)
    snapshot = group(topics, {f"c{row:04d}": subscribed for row in range(2000)})

    assert digest(snapshot, ASSIGNORS["range"]().assign(snapshot)) == "f50cd7dc2e67b40c"
