"""The orders in which Kafka walks members."""

import random

import numpy as np
import pytest

from evenkeel.assignors.group.edits.members import replace_members
from evenkeel.assignors.group.orders import order_with_inserted
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

    assert ordered({name: name if name in static else None for name in ids}) == sorted(
        static
    ) + sorted(set(ids) - static)


@pytest.mark.parametrize("listed", [["m1", "m2"], ["m2", "m1"]])
def test_two_static_members_with_one_instance_id_come_in_the_order_of_the_hash_map(listed):
    assert ordered(dict.fromkeys(listed, "same")) == ["m1", "m2"]


@pytest.mark.parametrize("listed", [["Aa", "BB"], ["BB", "Aa"]])
def test_two_static_members_with_one_instance_id_and_one_hash_code_keep_the_reported_order(listed):
    assert ordered(dict.fromkeys(listed, "same")) == listed


def test_an_order_that_a_tree_bin_decides_is_reported():
    # Two spellings of one hash code in each of four places give 16 equal hash codes.
    colliding = [
        a + b + c + d
        for a in ("Aa", "BB")
        for b in ("Aa", "BB")
        for c in ("Aa", "BB")
        for d in ("Aa", "BB")
    ]

    snapshot = group({}, {name: Member(instance="same") for name in colliding})

    assert [assumed.column for assumed in snapshot.member_order.assumed] == ["hash collisions"]
    assert not group({}, {name: Member(instance=name) for name in colliding}).member_order.assumed


# Where the coordinator reports members that are new to it. Orders of KIP-848 groups are those that
# a broker of Kafka 4.3.1 reported.


def _in_order(former, new, is_classic):
    members = [*former, *new]
    snapshot = group({"t0": 1}, dict.fromkeys(members, "t0"))
    is_new = np.array([member in new for member in members])
    return [
        members[row]
        for row in order_with_inserted(snapshot.member_id, is_new, is_classic=is_classic)
    ]


_FREE = (
    "t0CICZiWTU6A22M-xJLTKg FU4qBpOFTi2Zrqb-_PAfEg AL0r_LpwRuq3Dc0KNmBNDw HI98UdZtTc-NQoM58DkWjA",
    "2uhWiRcETbaa_2hmED-dtw",
    (
        "t0CICZiWTU6A22M-xJLTKg FU4qBpOFTi2Zrqb-_PAfEg 2uhWiRcETbaa_2hmED-dtw"
        " AL0r_LpwRuq3Dc0KNmBNDw HI98UdZtTc-NQoM58DkWjA"
    ),
)
_FIRST_OF_ITS_SLOT = (
    "XSNKYj4FQE6uUSgxt1myfw bJR2pH-TRqWKG6nDmeu8mA",
    "ZMclZ8SAQb2CeAQWIPiC4w",
    "ZMclZ8SAQb2CeAQWIPiC4w XSNKYj4FQE6uUSgxt1myfw bJR2pH-TRqWKG6nDmeu8mA",
)
_TABLE_DOUBLED = (
    "mjTDuYXpSU2zCnupJaOuGA GewcmFJRR5OsDbCwEVmk2g w114Jwo0TGy/X5J5/JhyKg xrWlzlPVQBu3wOQWMO4pWQ",
    "8WeI4KXBTEWtUXbx1xDB5A",
    (
        "GewcmFJRR5OsDbCwEVmk2g w114Jwo0TGy/X5J5/JhyKg mjTDuYXpSU2zCnupJaOuGA"
        " 8WeI4KXBTEWtUXbx1xDB5A xrWlzlPVQBu3wOQWMO4pWQ"
    ),
)


@pytest.mark.parametrize(
    ("former", "new", "reported"),
    [_FREE, _FIRST_OF_ITS_SLOT, _TABLE_DOUBLED],
    ids=["free", "first of its slot", "table doubled"],
)
def test_a_broker_s_group_reports_a_new_member_in_the_slot_of_its_id(former, new, reported):
    assert _in_order(former.split(), [new], is_classic=False) == reported.split()


# The hash code of one letter is its number: a HashMap of 16 buckets has p in bucket 0, a and q in
# 1, b in 2.
def test_a_classic_group_reports_new_members_behind_those_of_their_bucket():
    assert _in_order("ab", "qp", is_classic=True) == ["p", "a", "q", "b"]


def test_the_thirteenth_member_of_a_classic_group_doubles_its_table():
    # P has number 80: bucket 0 of 16, bucket 16 of 32; z has number 122: bucket 26 of 32.
    assert _in_order("Pabcdefghijk", "z", is_classic=True) == [*"abcdefghijkPz"]


def test_members_in_the_order_of_no_table_stay_and_new_ones_come_last():
    assert _in_order("ba", "p", is_classic=True) == ["b", "a", "p"]


def test_a_static_member_that_comes_back_stands_where_its_new_id_does():
    snapshot = group({"t0": 1}, dict.fromkeys("abc", "t0"))

    edited = replace_members(snapshot, {"c": "p"})

    assert edited.group.member_id == ("p", "a", "b")
    assert edited.member_row.tolist() == [1, 2, 0]
