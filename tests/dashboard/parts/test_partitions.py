"""The partitions of a group and of one member."""

import numpy as np

from evenkeel.dashboard.parts import move_tables
from tests.assignors.groups import assignment, group
from tests.dashboard.moves.changes import shown


def test_partitions_are_sorted_by_lag_and_a_commit_outside_the_log_is_explained():
    snapshot = group(
        {"t": 4}, begin=[7, 7, 7, None], end=[10, 10, 10, None], committed=[4, 12, 8, None]
    )
    view, _ = shown(snapshot, assignment(snapshot), assignment(snapshot))

    table = move_tables.of_group(view)

    assert table.astype(object).where(table.notna(), None).values.tolist() == [
        ["t-0", 3, 4, 10, move_tables.BEFORE_BEGIN],
        ["t-2", 2, 8, 10, None],
        ["t-1", 0, 12, 10, move_tables.PAST_END],
        ["t-3", None, None, None, None],
    ]


def test_the_partitions_of_a_member_name_the_other_owner(switched):
    view, change = switched

    table = move_tables.of_member(view, change, view.names.index("B"))

    assert table[["Partition", "Owner now", "Owner after"]].values.tolist() == [
        ["t0-1", "A", "B"],
        ["t1-0", "no owner", "B"],
    ]


def test_a_claimed_partition_that_the_topic_does_not_have_has_no_offsets_and_no_remark():
    snapshot = group({"t": 1}, begin=[7], end=[10], committed=[4])
    there = np.array([True, False])

    assert move_tables.lag_remarks(snapshot, np.array([0, 0]), there) == [
        move_tables.BEFORE_BEGIN,
        None,
    ]
