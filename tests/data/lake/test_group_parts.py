"""Rows of all groups, some groups at a time."""

from datetime import timedelta

import pyarrow as pa
import pytest

from evenkeel.data.group.tables.series import MEMBER_COLUMNS, OFFSET_COLUMNS
from evenkeel.data.lake.history.history import group_rows
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import rows_by_groups
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.lake.slots.retention import Retention
from evenkeel.data.lake.slots.tidy import tidy
from tests.generated.written_slots import DAY, kept_up, members_of, write_slot

ALWAYS = timedelta(days=36_500)
SLOTS = 6
"""Of these the first three are stored by the hour."""


@pytest.fixture(scope="module")
def lake(tmp_path_factory) -> Place:
    """Slots list their groups in another order each; one group has more partitions, one comes late,
    one has no partitions.
    """
    place = place_of(tmp_path_factory.mktemp("parts") / "lake")
    for number in range(SLOTS):
        groups = [*"badc"][:: 1 if number % 2 else -1] + ["late"] * (number >= 4)
        rows = [row for group in groups for row in kept_up(group, number, ("A", "B", None))]
        rows += [row | {"partition": row["partition"] + 4} for row in kept_up("d", number)]
        write_slot(
            place, number, rows, [row for group in [*groups, "idle"] for row in members_of(group)]
        )
        if number == 2:
            tidy(place, Retention(ALWAYS, ALWAYS, ALWAYS), settle_seconds=0)
    return place


def sorted_rows(table: pa.Table) -> list[tuple]:
    return sorted((tuple(row.values()) for row in table.to_pylist()), key=repr)


@pytest.mark.parametrize("most", [1, 8, 10_000])
@pytest.mark.parametrize("groups", [(), ("a", "idle", "late")])
@pytest.mark.parametrize("part", [slice(0, SLOTS), slice(1, 3), slice(2, 5), slice(4, 6)])
def test_all_parts_have_the_rows_that_are_there_and_each_group_stands_in_one(
    lake, most, groups, part
):
    found = instants(
        lake, "c", *(DAY + timedelta(seconds=30 * number) for number in (part.start, part.stop - 1))
    )
    parts = list(rows_by_groups(lake, found, groups, most))

    for name, columns, tables in (
        ("OFFSETS", OFFSET_COLUMNS, [one.offsets for one in parts]),
        ("MEMBERS", MEMBER_COLUMNS, [one.members for one in parts]),
    ):
        whole = group_rows(lake, name, found.batches, groups, columns).to_pylist()
        expected = sorted(
            (tuple(row.values()) for row in whole if row["batch"] in found.axis.batch), key=repr
        )
        assert sorted_rows(pa.concat_tables(tables)) == expected
        assert expected
        of_part = [set(table["group_id"].to_pylist()) for table in tables]
        assert len(set.union(*of_part)) == sum(map(len, of_part))
    assert len(parts) == {1: len(set.union(*of_part)), 10_000: 1}.get(most, len(parts))
