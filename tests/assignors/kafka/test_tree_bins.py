"""Member ids, topic ids and partition numbers made to meet in one bucket of a Java map: the answer
says so where their order counts, and only there.
"""

from itertools import product

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import HASH_COLLISIONS
from tests.assignors.groups import Member, group

ALIKE = ["".join(pairs) for pairs in product(("Aa", "BB"), repeat=5)]
"""32 ids of one hash code."""


def is_marked(name, topics, members, **options):
    return HASH_COLLISIONS in ASSIGNORS[name]().assign(group(topics, members, **options)).assumed


@pytest.mark.parametrize("name", ["range", "roundrobin", "broker-range"])
@pytest.mark.parametrize(
    ("instances", "expected"),
    [(["same"] * 32, True), ([f"i{row}" for row in range(32)], False), ([None] * 32, False)],
    ids=["one", "own", "none"],
)
def test_the_map_of_members_counts_for_one_instance_id_alone(name, instances, expected):
    members = {
        member: Member("t", instance=instance)
        for member, instance in zip(ALIKE, instances, strict=False)
    }

    assert is_marked(name, {"t": 40}, members) == expected


def test_the_map_of_members_never_counts_for_lag():
    assert not is_marked("lag", {"t": 40}, dict.fromkeys(ALIKE, "t"), lag=[1] * 40)


@pytest.mark.parametrize("name", ["uniform", "simple"])
def test_the_map_of_members_counts_where_the_broker_deals(name):
    members = dict.fromkeys(ALIKE, "t")

    assert is_marked(name, {"t": 40}, members, ids={"t": (1, 1)})
    assert is_marked(
        name, {"t": 40, "u": 1}, members | {"other": "t u"}, ids={"t": (1, 1), "u": (1, 2)}
    )


TOPICS = {f"t{number:02}": 3 for number in range(20)}
SAME_BUCKET = {name: (0, 1 + 4096 * number) for number, name in enumerate(TOPICS)}
"""Ids whose hash codes are equal in their lowest bits: their upper half is 0 and the bits are
within sixteen.
"""
APART = {name: (0, 1 + number) for number, name in enumerate(TOPICS)}


@pytest.mark.parametrize(
    ("ids", "expected"), [(SAME_BUCKET, True), (APART, False)], ids=["one bucket", "apart"]
)
def test_the_set_of_topic_ids_counts_for_uniform_where_topics_are_dealt(ids, expected):
    assert is_marked("uniform", TOPICS, dict.fromkeys("ABC", " ".join(TOPICS)), ids=ids) == expected


def test_the_stored_map_of_topic_ids_counts_for_uniform_where_a_member_gives_up():
    owned = " ".join(f"{name}-{number}" for name in TOPICS for number in range(3))
    members = {"A": Member(" ".join(TOPICS), owned=owned), "B": Member(" ".join(TOPICS))}

    assert is_marked("uniform", TOPICS, members, ids=SAME_BUCKET)
    assert not is_marked("uniform", TOPICS, members, ids=APART)


@pytest.mark.parametrize("name", ["uniform", "simple"])
@pytest.mark.parametrize(("stride", "expected"), [(64, True), (1, False)])
def test_a_set_of_partition_numbers_counts_where_a_member_gives_some_up(name, stride, expected):
    numbers = range(0, 15 * stride, stride)
    others = [number for number in range(960) if number not in numbers]
    members = {"A": Member("t", owned=" ".join(f"t-{number}" for number in numbers))}
    members |= {
        f"m{row}": Member("t", owned=" ".join(f"t-{number}" for number in others[row::78]))
        for row in range(78)
    }
    members |= {"new": Member("t")}

    assert is_marked(name, {"t": 960}, members, ids={"t": (1, 1)}) == expected


def test_a_crowd_whose_order_nobody_asks_for_is_not_marked():
    owned = {member: Member("t", owned=f"t-{row}") for row, member in enumerate(ALIKE)}

    assert not is_marked("uniform", {"t": 32}, owned, ids={"t": (1, 1)})
