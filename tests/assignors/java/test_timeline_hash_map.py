"""The broker's TimelineHashMap: how many slots it has. BaseHashTable doubles them for one more key than 4/3 of the slots."""

from evenkeel.assignors.java.timeline_hash_map import least_slots


def test_a_map_has_room_for_one_key_more_than_it_holds():
    assert [least_slots(count) for count in range(12)] == [2, 2, 4, 4, 4, 8, 8, 8, 8, 8, 16, 16]
