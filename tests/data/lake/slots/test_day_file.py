"""A day's file has its rows by hour, group and slot, in parts of whole groups."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenkeel.data.lake.slots import day_rows
from evenkeel.data.lake.slots.day_rows import DayFile
from evenkeel.data.lake.slots.slot_batches import SCHEMAS


def _slot(name, groups):
    """Return the rows of a slot: group -> how many partitions."""
    rows = [
        {"batch": name, "group_id": group, "topic": "orders", "partition": p}
        for group, count in groups
        for p in range(count)
    ]
    return pa.Table.from_pylist(rows, schema=SCHEMAS["OFFSETS"])


def _parts(tables):
    """Return (group, slot, partition) of each row of each part, as the file has them."""
    file = io.BytesIO()
    with DayFile(file, SCHEMAS["OFFSETS"]) as day:
        for table in tables:
            day.add(table)
    read = pq.ParquetFile(file)
    assert read.schema_arrow.equals(SCHEMAS["OFFSETS"])
    parts = [read.read_row_group(number).to_pylist() for number in range(read.num_row_groups)]
    return [[(row["group_id"], row["batch"], row["partition"]) for row in part] for part in parts]


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(day_rows, "_PART_ROWS", 4)
    monkeypatch.setattr(day_rows, "_MOST_ROWS", 5)
    monkeypatch.setattr(day_rows, "_RUN_SLOTS", 2)


def test_two_slots_a_run_have_their_groups_together_and_a_long_group_has_parts_of_its_own():
    groups = [("b", 1), ("a", 3), ("c", 1), ("d", 1), ("e", 1)]
    parts = _parts([_slot("s1", groups), _slot("s2", groups), _slot("s3", groups)])
    of_a = [("a", slot, p) for slot in ("s1", "s2") for p in range(3)]
    assert parts[:4] == [
        of_a[:5],
        of_a[5:],
        [("b", "s1", 0), ("b", "s2", 0), ("c", "s1", 0), ("c", "s2", 0)],
        [("d", "s1", 0), ("d", "s2", 0), ("e", "s1", 0), ("e", "s2", 0)],
    ]
    assert parts[4:] == [
        [("a", "s3", 0), ("a", "s3", 1), ("a", "s3", 2), ("b", "s3", 0)],
        [("c", "s3", 0), ("d", "s3", 0), ("e", "s3", 0)],
    ]


def test_a_run_ends_early_where_it_would_take_too_much_memory(monkeypatch):
    monkeypatch.setattr(day_rows, "_RUN_BYTES", 1)
    assert _parts([_slot("s1", [("b", 1), ("a", 1)]), _slot("s2", [("a", 1)])]) == [
        [("a", "s1", 0), ("b", "s1", 0)],
        [("a", "s2", 0)],
    ]


def test_a_group_without_a_name_stands_last_and_text_may_be_encoded():
    coded = _slot("s1", [(None, 1), ("a", 1)])
    coded = coded.set_column(
        coded.schema.get_field_index("group_id"), "group_id", coded["group_id"].dictionary_encode()
    )
    assert _parts([coded]) == [[("a", "s1", 0), (None, "s1", 0)]]


def test_a_file_of_no_rows_has_no_parts():
    assert _parts([]) == []
