"""The CSV files of a difference."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings

from evenkeel.dashboard.parts import move_tables
from tests.assignors.groups import assignment, group
from tests.dashboard.moves.changes import shown
from tests.generated.owners import groups_with_owners


def cells(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def test_partitions_have_full_names_and_an_empty_cell_for_unknown(switched):
    view, change = switched

    assert cells(move_tables.partitions_csv(view, change, move_tables.rows_of(change, "All"))) == [
        ["topic", "partition", "from_member", "to_member", "lag", "lag_share_percent"],
        ["t0", "0", "A", "A", "100", "50.0"],
        ["t1", "1", "A", "", "60", "30.0"],
        ["t0", "1", "A", "B", "40", "20.0"],
        ["t1", "0", "", "B", "", ""],
    ]


def test_pairs_are_a_file_of_their_own(switched):
    assert cells(move_tables.pairs_csv(*switched)) == [
        ["from_member", "to_member", "partitions", "lag", "lag_unknown_partitions"],
        ["A", "", "1", "60", "0"],
        ["A", "B", "1", "40", "0"],
        ["", "B", "1", "", "1"],
    ]


def test_members_are_a_file_of_their_own(switched):
    found = cells(move_tables.members_csv(*switched))

    assert found[0][:5] == [
        "member",
        "partitions_before",
        "partitions_added",
        "partitions_revoked",
        "partitions_after",
    ]
    assert found[0][5:9] == ["lag_before", "lag_added", "lag_revoked", "lag_after"]
    assert found[0][9:] == [
        f"lag_unknown_partitions_{side}" for side in ("before", "added", "revoked", "after")
    ]
    unknown = ["0", "1", "0", "1"]
    assert found[1:] == [
        ["A", "3", "0", "2", "1", "200", "0", "100", "100", *["0"] * 4],
        ["B", "0", "2", "0", "2", "0", "40", "0", "40", *unknown],
    ]


@settings(max_examples=40)
@given(groups_with_owners(2))
def test_pairs_and_members_add_up_to_the_partitions_that_do_not_stay(case):
    snapshot, (before, after) = case
    view, change = shown(snapshot, before, after)

    listed = cells(move_tables.partitions_csv(view, change, move_tables.rows_of(change, "All")))[1:]
    pairs, members = (
        cells(move_tables.pairs_csv(view, change))[1:],
        cells(move_tables.members_csv(view, change))[1:],
    )

    changing = [row for row in listed if row[2] != row[3]]
    assert sum(int(row[2]) for row in pairs) == len(changing)
    assert sum(int(row[2]) for row in members) == sum(row[3] != "" for row in changing)
    assert sum(int(row[3]) for row in members) == sum(row[2] != "" for row in changing)


@pytest.mark.parametrize(
    "name",
    ['=cmd|"/c calc"!A1', "+1", "-1+2", "@SUM(A1)", "\tx", "\rx", "\nx", "\uff1d1", "\ufeff=1"],
)
def test_no_cell_begins_like_a_formula(name):
    snapshot = group({name: 1}, {name: name, "B": name}, lag=[1])
    owned, assigned = (np.array([member], dtype=np.int32) for member in (0, 1))
    view, change = shown(
        snapshot, type(assignment(snapshot))(owned), type(assignment(snapshot))(assigned)
    )

    files = [
        move_tables.partitions_csv(view, change, np.array([0])),
        move_tables.pairs_csv(view, change),
        move_tables.members_csv(view, change),
    ]

    assert [cells(file)[1][:2] for file in files] == [
        [f"'{name}", "0"],
        [f"'{name}", "B"],
        [f"'{name}", "1"],
    ]
