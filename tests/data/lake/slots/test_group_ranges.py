"""A day with many rows has a file for each range of groups; a reader of one group opens one of
them.
"""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.lake import store
from evenkeel.data.lake.history.history import group_rows
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.slots import slot_batches
from evenkeel.data.lake.slots.retention import Retention
from evenkeel.data.lake.slots.slot_batches import Range, files_of, first_groups, ranges
from evenkeel.data.lake.slots.tidy import tidy
from tests.data.lake.slots.collected import DAY, gap, seen, snapshot

_NEVER = timedelta(days=36500)


@pytest.fixture
def eight_rows_a_file(monkeypatch):
    monkeypatch.setattr(slot_batches, "FILE_ROWS", 8)


def test_files_have_about_the_same_number_of_rows(eight_rows_a_file):
    assert first_groups({"c": 2, "a": 2, "b": 2, "d": 2}) == ("",)
    assert first_groups({"c": 2, "a": 2, "b": 2, "d": 2}, times=2) == ("", "c")
    assert first_groups({"a": 1, "b": 30, "c": 1}) == ("", "c")
    assert first_groups({}) == ("",)
    # 40 rows are five files; the large group has the shares of four.
    assert first_groups({"a": 33, "b": 1, "c": 1, "d": 1, "e": 1, "f": 3}) == ("", "b")


def test_a_group_is_in_the_file_of_its_range_and_a_row_without_group_in_the_last():
    one = Manifest(
        batch="c-20261110",
        ingested_at=datetime(2026, 11, 11),
        tables={"OFFSETS": ("1", "2", "3"), "TOPICS": ("4",), "LAG": ()},
        first_groups={"OFFSETS": ("", "b", "d"), "LAG": ("", "c"), "MEMBERS": ("", "c")},
    )
    asked = [("a",), ("b",), ("c", "aa"), ("d",), ("z",), (None,), ()]
    assert [files_of(one, "OFFSETS", groups) for groups in asked] == [
        ("1",),
        ("2",),
        ("1", "2"),
        ("3",),
        ("3",),
        ("3",),
        ("1", "2", "3"),
    ]
    assert files_of(one, "TOPICS", ("a",)) == ("4",)
    # Slots of the day that have no rows of a table.
    assert [files_of(one, name, ("a",)) for name in ("LAG", "MEMBERS", "TASKS")] == [(), (), ()]


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 9)), st.text(max_size=3) | st.none())
def test_every_group_is_in_one_range_also_one_that_was_not_counted(row_count, group):
    first = first_groups(row_count, times=3_000_000)
    found = [number for number, one in enumerate(ranges(first)) if one.has(group)]
    one = Manifest(
        batch="c",
        ingested_at=DAY,
        tables={"OFFSETS": tuple(map(str, range(len(first))))},
        first_groups={"OFFSETS": first},
    )
    assert files_of(one, "OFFSETS", (group,)) == tuple(map(str, found))
    assert len(found) == 1


def test_one_range_has_all():
    assert list(ranges(("",))) == [Range("", None)]


def test_a_day_of_many_rows_reads_as_before_from_slots_and_from_hours(
    tmp_path, eight_rows_a_file, monkeypatch
):
    lake = place_of(tmp_path / "lake")
    groups = ["a", "b", "c", "d"]
    for minute in (0, 1, 60, 61):
        snapshot(lake, DAY + minute * timedelta(minutes=1), groups)
    gap(lake, DAY + timedelta(minutes=2), DAY + timedelta(minutes=5))
    before = seen(lake)
    late, missing = "c-20261110T010100Z", "c-20261110T000500Z"

    def read(group):
        rows = group_rows(
            lake, "OFFSETS", instants(lake, "c").batches, [group], ["group_id", "partition"]
        )
        return sorted(
            zip(
                *(rows[name].to_pylist() for name in ("batch", "group_id", "partition")),
                strict=True,
            )
        )

    of_groups = {group: read(group) for group in groups}
    assert [len(of_groups[group]) for group in groups] == [12, 12, 12, 12]
    # At 02:10 the two hours are over.
    for now in (DAY + timedelta(hours=2, minutes=10), DAY + timedelta(days=2)):
        monkeypatch.setattr("evenkeel.data.lake.slots.tidy.lease.now", lambda lake, now=now: now)
        tidy(lake, Retention(timedelta(days=1), _NEVER, _NEVER), settle_seconds=0)
        assert seen(lake) == before
        assert {group: read(group) for group in groups} == of_groups
        assert store.table(lake, late, "OFFSETS", "c")["group_id"].to_pylist() == ["c", "c", "c"]
        assert store.table(lake, missing, "OFFSETS", "c").num_rows == 0
    (day,) = [one.key for one in lake.found("manifests")]
    assert day == "manifests/c-20261110.json"
    assert len([one.key for one in lake.found("OFFSETS/c-20261110/")]) == 4
