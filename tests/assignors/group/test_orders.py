"""The orders in which Kafka walks members."""

import random

import pytest

from tests.assignors.groups import Member, group


def ordered(members: dict[str, str | None]) -> list[str]:
    snapshot = group({}, {name: Member(instance=instance) for name, instance in members.items()})
    return [snapshot.member_id[row] for row in snapshot.member_order.rows]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"a": None, "b": None, "c": None}, ["a", "b", "c"]),
        ({"a": "y", "b": "z", "c": "x"}, ["c", "a", "b"]),
        ({"a": None, "b": "y", "c": "x"}, ["c", "b", "a"]),
        ({}, []),
    ],
)
def test_static_members_come_first_by_instance_id_then_dynamic_ones_by_member_id(members, expected):
    assert ordered(members) == expected


def test_members_of_mixed_kinds_are_ordered_however_they_are_listed():
    rng = random.Random(0)
    ids = [str(number) for number in range(100, 200)]
    static = set(rng.sample(ids, 50))
    rng.shuffle(ids)

    assert ordered({name: name if name in static else None for name in ids}) == sorted(static) + sorted(set(ids) - static)


@pytest.mark.parametrize("listed", [["m1", "m2"], ["m2", "m1"]])
def test_two_static_members_with_one_instance_id_come_in_the_order_of_the_hash_map(listed):
    assert ordered(dict.fromkeys(listed, "same")) == ["m1", "m2"]


@pytest.mark.parametrize("listed", [["Aa", "BB"], ["BB", "Aa"]])
def test_two_static_members_with_one_instance_id_and_one_hash_code_keep_the_reported_order(listed):
    assert ordered(dict.fromkeys(listed, "same")) == listed


def test_an_order_that_a_tree_bin_decides_is_reported():
    # Two spellings of one hash code in each of four places give 16 equal hash codes.
    colliding = [a + b + c + d for a in ("Aa", "BB") for b in ("Aa", "BB") for c in ("Aa", "BB") for d in ("Aa", "BB")]

    snapshot = group({}, {name: Member(instance="same") for name in colliding})

    assert [assumed.column for assumed in snapshot.member_order.assumed] == ["hash collisions"]
    assert not group({}, {name: Member(instance=name) for name in colliding}).member_order.assumed
