"""A group as one moment of a file has it."""

from evenkeel.data.lake.place import place_of
from evenkeel.data.scenarios.stored_groups import group_at
from tests.data.lake.test_history_of_files import store
from tests.generated.stored import read_history


def test_a_moment_of_a_file_has_the_offsets_of_its_time(tmp_path):
    lake = place_of(tmp_path)
    store(
        lake,
        "one",
        "2026-11-23T12:00:00Z,payments,orders,0,100,400,a",
        "2026-11-23T12:02:00Z,payments,orders,0,160,430,b",
    )

    found = [group_at(lake, moment, "payments") for moment in read_history(lake, "payments").batch]

    assert [one.snapshot.committed_offset.tolist() for one in found] == [[100], [160]]
    assert [one.snapshot.member_id for one in found] == [("a",), ("b",)]
