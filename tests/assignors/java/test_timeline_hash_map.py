"""The order in which the broker's own maps hand out their entries; expected values from Kafka 4.3.1."""

import numpy as np
import pytest

from assignors.java.strings import hashes
from assignors.java.timeline_hash_map import put_order


@pytest.mark.parametrize(
    ("count", "iterates"), [(0, []), (1, [0]), (2, [1, 0]), (3, [1, 0, 2]), (5, [4, 1, 3, 0, 2]), (14, [7, 12, 4, 9, 1, 6, 11, 3, 8, 0, 13, 5, 10, 2])]
)
def test_members_come_by_slot_of_a_table_that_doubles_at_three_quarters(count, iterates):
    member_ids = [f"member{number}" for number in range(count)]

    assert put_order(hashes(member_ids)).tolist() == iterates


def test_the_latest_entry_of_a_slot_comes_first():
    assert put_order(hashes(["Aa", "BB", "C#", "x"])).tolist() == [3, 2, 1, 0]


def test_hash_codes_are_signed():
    assert put_order(np.array([-1156638823, 164, 485, 41356089, 380, 254, -441191359], dtype=np.int64).astype(np.uint32)).tolist() == [1, 6, 3, 2, 0, 4, 5]
