"""Digests of answers that Kafka's own classes gave (JDK 17): big ones as sets, middle-sized ones
also in Kafka's order, which only the literal reading has.
"""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.group.owned import with_owned
from tests.assignors.kafka.sticky.test_literal import snapshot_of
from tests.assignors.kafka.test_client_assignors import digest
from tests.benchmarks.assignors.shapes import columns
from tests.literal.sticky import literal_sticky
from tests.recorded import vectors

both = pytest.mark.parametrize("name", ["sticky", "cooperative-sticky"])

RACKED = {
    "sticky": ["212bfe58819f5f58", "2ddd86855b59c05b", "6590610e7faa8e4f"],
    "cooperative-sticky": ["212bfe58819f5f58", "94df0508a0daddf2", "9f285437d005636a"],
}

LEAVES = [["85f6ccc571e37e4d", "c4e0422dc6331861"], ["8dbebf0c412a712a", "dd481d0dd481e064"]]

SMALL = {
    "scale test, equal": "d96ac85382b9151a",
    "scale test, quarter split": "9a6ab02083bfee9c",
    "scale test, one member on one topic": "c8d64d0879db4c4e",
}


def big(topic_count, partition_count, member_count, lists, list_of_member):
    """Build a group with names as Kafka's scale tests pad them."""
    snapshot = columns(topic_count, partition_count, member_count)
    return replace(
        snapshot,
        topic_name=tuple(f"t{row:0{len(str(topic_count))}}" for row in range(topic_count)),
        member_id=tuple(f"c{row:0{len(str(member_count))}}" for row in range(member_count)),
        topic_lists=tuple(np.array(topics, dtype=np.int32) for topics in lists),
        subscription=np.array([list_of_member(row) for row in range(member_count)], dtype=np.int32),
    )


def equal():
    return big(500, 2000, 2000, [range(500)], lambda row: 0)


def one_member_on_one_topic():
    return big(500, 2000, 2000, [range(500), range(1)], lambda row: row // 1999)


def quarter_split():
    return big(100, 200, 500, [range(50), range(50, 100)], lambda row: row % 4 > 0)


BIG = [
    (equal, "f50cd7dc2e67b40c"),
    (one_member_on_one_topic, "ab810356f2aee977"),
    (quarter_split, "72e3d3bc2bab05ef"),
]


@both
@pytest.mark.parametrize(("build", "expected"), BIG, ids=[build.__name__ for build, _ in BIG])
def test_kafkas_scale_tests_end_otherwise(name, build, expected):
    snapshot = build()

    assert digest(snapshot, ASSIGNORS[name]().assign(snapshot)) == expected


@both
def test_a_million_partitions_stay_where_they_are(name):
    snapshot = equal()
    first = ASSIGNORS[name]().assign(snapshot)

    second = ASSIGNORS[name]().assign(with_owned(snapshot, first, generation=1))

    assert (second.owner == first.owner).all()


def ordered(held):
    lines = (
        f"{member}:{','.join(f'{topic}-{partition}' for topic, partition in held[member])}\n"
        for member in sorted(held)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


def in_order(document, name="sticky"):
    return ordered(
        literal_sticky(snapshot_of(document), cooperative=name == "cooperative-sticky")[0]
    )


def by_topic(held):
    answer = {member: {} for member in held}
    for member, tps in held.items():
        for topic, partition in tps:
            answer[member].setdefault(topic, []).append(partition)
    return {"assignment": answer}


@pytest.mark.parametrize("name", RACKED)
def test_racked_groups_are_read_literally_in_kafkas_order(name):
    document = vectors.racked(is_equal=True)
    first = by_topic(literal_sticky(snapshot_of(document))[0])
    joined = vectors.rebalanced(document, first)
    joined["members"].append(document["members"][0] | {"member_id": "new", "rack": "a"})

    digests = [
        in_order(each, name)
        for each in (document, vectors.rebalanced(document, first, nothing=("m0",)), joined)
    ]

    assert digests == RACKED[name]


def test_a_racked_group_of_differing_subscriptions_is_read_literally_in_kafkas_order():
    assert in_order(vectors.racked(is_equal=False)) == "37bf8b771e849970"


@pytest.mark.parametrize(("number", "expected"), list(enumerate(LEAVES)))
def test_a_member_leaves_and_the_literal_answer_is_in_kafkas_order(number, expected):
    _, document, leaver, _, _ = vectors.LEAVES[number]
    after = vectors.rebalanced(document, by_topic(literal_sticky(snapshot_of(document))[0]))
    after["members"] = [member for member in after["members"] if member["member_id"] != leaver]

    assert [in_order(document), in_order(after)] == expected


@pytest.mark.parametrize("name", SMALL)
def test_small_scale_tests_are_read_literally_in_kafkas_order(name):
    subscribed = next(subscribed for each, subscribed, _ in vectors.SMALL if each == name)
    document = vectors.group_of(
        {f"t{i:02}": 50 for i in range(20)},
        {f"c{i:02}": [f"t{k:02}" for k in subscribed(i)] for i in range(40)},
    )

    assert in_order(document) == SMALL[name]


def test_the_second_small_scale_test_is_read_literally_in_kafkas_order():
    document = vectors.group_of(
        {f"t{i:02}": 50 for i in range(20)},
        {f"c{i:02}": [f"t{k:02}" for k in range(20)] for i in range(40)},
    )
    first = by_topic(literal_sticky(snapshot_of(document))[0])

    assert in_order(vectors.rebalanced(document, first, nothing=("c00",))) == "36d5b4c5bcc4cdf8"
