"""The tables of a difference."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.group.lag import page_lag
from evenkeel.dashboard.parts import move_tables
from tests.assignors.groups import assignment, group
from tests.dashboard.moves.changes import shown
from tests.generated.owners import groups_with_owners


@pytest.mark.parametrize(
    ("kind", "partitions"),
    [
        ("Moved", ["t0-1"]),
        ("Kept", ["t0-0"]),
        ("Previously unowned", ["t1-0"]),
        ("Left unowned", ["t1-1"]),
        ("All", ["t0-0", "t1-1", "t0-1", "t1-0"]),
    ],
)
def test_each_kind_lists_its_partitions_most_lag_first_and_unknown_last(switched, kind, partitions):
    view, change = switched

    table = move_tables.by_partition(view, change, move_tables.rows_of(change, kind))

    assert table["Partition"].tolist() == partitions


def test_a_partition_shows_owners_lag_and_its_share_of_all_known_lag(switched):
    view, change = switched

    table = move_tables.by_partition(view, change, move_tables.rows_of(change, "All")).set_index(
        "Partition"
    )

    assert table.loc["t0-1"].tolist() == ["A", "B", 40, 20.0]
    assert table.loc["t1-0", ["From", "To"]].tolist() == ["no owner", "B"]
    assert table.loc["t1-0", ["Lag, records", "Share of known lag"]].isna().all()
    assert table.loc["t1-1", "To"] == "no owner"


def test_pairs_add_up_what_goes_from_one_to_the_other(switched):
    view, change = switched

    pairs = move_tables.by_pair(view, change)

    assert pairs.fillna(-1).values.tolist() == [
        ["A", "no owner", 1, 60, 0],
        ["A", "B", 1, 40, 0],
        ["no owner", "B", 1, -1, 1],
    ]


def test_a_member_whose_partitions_are_all_of_unknown_lag_has_none_to_show():
    snapshot = group({"t0": 2}, A="t0", B="t0", lag=[None, 8])
    view, change = shown(
        snapshot, assignment(snapshot, A="t0-0"), assignment(snapshot, A="t0-0", B="t0-1")
    )

    members = move_tables.by_member(view, change).set_index("Member").fillna(-1)

    assert members.loc["A", ["Lag before", "Lag added", "Lag revoked", "Lag after"]].tolist() == [
        -1,
        0,
        0,
        -1,
    ]
    assert members.loc["B", ["Lag before", "Lag added", "Lag revoked", "Lag after"]].tolist() == [
        0,
        8,
        0,
        8,
    ]


def test_lag_that_is_a_lower_bound_stands_beside_the_number_of_partitions_whose_lag_is_unknown(
    switched,
):
    members = move_tables.by_member(*switched).set_index("Member")

    assert members.loc["B", ["Lag after", "Lag unknown after"]].tolist() == [40, 1]
    assert members.loc["A", ["Lag unknown before", "Lag unknown after"]].tolist() == [0, 0]


def test_where_every_lag_is_known_no_column_counts_the_unknown():
    snapshot = group({"t0": 2}, A="t0", B="t0", lag=[3, 8])
    view, change = shown(
        snapshot, assignment(snapshot, A="t0-0"), assignment(snapshot, A="t0-0", B="t0-1")
    )

    assert not [
        name
        for table in (move_tables.by_member(view, change), move_tables.by_pair(view, change))
        for name in table
        if "unknown" in name
    ]


@settings(max_examples=60)
@given(groups_with_owners(2))
def test_before_plus_added_minus_revoked_is_after_and_both_are_the_bars_of_the_comparison(case):
    snapshot, (before, after) = case
    view, change = shown(snapshot, before, after)

    table = move_tables.by_member(view, change)

    for column, side in (("before", before), ("after", after)):
        load = balance(snapshot, side, page_lag(snapshot))
        assert table[f"Partitions {column}"].tolist() == load.partition_count.tolist()
        known = (load.partition_count == 0) | (load.unknown_lag_count < load.partition_count)
        assert table[f"Lag {column}"].fillna(-1).tolist() == np.where(known, load.lag, -1).tolist()
    assert (
        table["Partitions before"] + table["Partitions added"] - table["Partitions revoked"]
        == table["Partitions after"]
    ).all()
    assert (
        (table["Lag before"] + table["Lag added"] - table["Lag revoked"] == table["Lag after"])
        .dropna()
        .all()
    )


@settings(max_examples=60)
@given(groups_with_owners(2))
def test_kinds_divide_all_partitions(case):
    snapshot, (before, after) = case
    _, change = shown(snapshot, before, after)

    parts = [
        move_tables.rows_of(change, kind).tolist()
        for kind in ("Moved", "Kept", "Previously unowned", "Left unowned")
    ]

    assert sorted(sum(parts, [])) == sorted(move_tables.rows_of(change, "All").tolist())


@pytest.mark.parametrize(
    ("lag", "share"),
    [([10**17, 10**17], [50.0, 50.0]), ([2**62, 2**62], [None, None])],
    ids=["hundredfold beyond int64", "total beyond int64"],
)
def test_shares_of_lags_far_behind_are_right_or_unknown(lag, share):
    snapshot = group({"t0": 2}, A="t0", B="t0", lag=lag)

    shares = move_tables.by_partition(
        *shown(snapshot, *(assignment(snapshot, **{name: "t0-0 t0-1"}) for name in "AB")),
        np.arange(2),
    )["Share of known lag"]

    assert [None if pd.isna(value) else value for value in shares] == share
