"""Where the coordinator reports members that are new to it. Orders of KIP-848 groups are those that a broker of Kafka 4.3.1 reported."""

import numpy as np
import pytest

from evenkeel.assignors.edits import replace_members
from evenkeel.assignors.group.coordinator_order import order_with_inserted
from tests.assignors.groups import group


def _in_order(former, new, is_classic):
    members = [*former, *new]
    snapshot = group({"t0": 1}, dict.fromkeys(members, "t0"))
    is_new = np.array([member in new for member in members])
    return [members[row] for row in order_with_inserted(snapshot, is_new, is_classic=is_classic)]


_FREE = (
    "t0CICZiWTU6A22M-xJLTKg FU4qBpOFTi2Zrqb-_PAfEg AL0r_LpwRuq3Dc0KNmBNDw HI98UdZtTc-NQoM58DkWjA",
    "2uhWiRcETbaa_2hmED-dtw",
    "t0CICZiWTU6A22M-xJLTKg FU4qBpOFTi2Zrqb-_PAfEg 2uhWiRcETbaa_2hmED-dtw AL0r_LpwRuq3Dc0KNmBNDw HI98UdZtTc-NQoM58DkWjA",
)
_FIRST_OF_ITS_SLOT = (
    "XSNKYj4FQE6uUSgxt1myfw bJR2pH-TRqWKG6nDmeu8mA",
    "ZMclZ8SAQb2CeAQWIPiC4w",
    "ZMclZ8SAQb2CeAQWIPiC4w XSNKYj4FQE6uUSgxt1myfw bJR2pH-TRqWKG6nDmeu8mA",
)
_TABLE_DOUBLED = (
    "mjTDuYXpSU2zCnupJaOuGA GewcmFJRR5OsDbCwEVmk2g w114Jwo0TGy/X5J5/JhyKg xrWlzlPVQBu3wOQWMO4pWQ",
    "8WeI4KXBTEWtUXbx1xDB5A",
    "GewcmFJRR5OsDbCwEVmk2g w114Jwo0TGy/X5J5/JhyKg mjTDuYXpSU2zCnupJaOuGA 8WeI4KXBTEWtUXbx1xDB5A xrWlzlPVQBu3wOQWMO4pWQ",
)


@pytest.mark.parametrize(
    ("former", "new", "reported"), [_FREE, _FIRST_OF_ITS_SLOT, _TABLE_DOUBLED], ids=["free", "first of its slot", "table doubled"]
)
def test_a_broker_s_group_reports_a_new_member_in_the_slot_of_its_id(former, new, reported):
    assert _in_order(former.split(), [new], is_classic=False) == reported.split()


# The hash code of one letter is its number: a HashMap of 16 buckets has p in bucket 0, a and q in 1, b in 2.
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
