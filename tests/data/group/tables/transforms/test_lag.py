"""Both lags in tables: DESIGN's rule for the page, KAFKA-5337's for the assignor."""

import pyarrow as pa
import pytest

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.load import with_lag


def lags(**offsets):
    (row,) = (
        with_lag(table({"topic": "t0", "partition": 0, **offsets}))
        .select(["lag", "assignor_lag", "lag_flag"])
        .to_pylist()
    )
    return tuple(row.values())


def table(*rows):
    return pa.Table.from_pylist(list(rows), schemas.OFFSETS)


def test_lag_is_null_where_neither_commit_nor_policy_is_known_and_never_negative():
    offsets = table(
        {"group_id": "g", "topic": "t0", "partition": 0, "committed_offset": 90, "end_offset": 100},
        {
            "group_id": "g",
            "topic": "t0",
            "partition": 1,
            "committed_offset": 105,
            "end_offset": 100,
        },
        {"group_id": "g", "topic": "t0", "partition": 2, "end_offset": 100},
    )

    lag = with_lag(offsets)

    assert lag.select(["partition", "lag"]).to_pylist() == [
        {"partition": 0, "lag": 10},
        {"partition": 1, "lag": 0},
        {"partition": 2, "lag": None},
    ]


def test_the_page_does_not_count_deleted_records_and_the_assignor_does():
    assert lags(begin_offset=7, end_offset=10, committed_offset=4) == (3, 6, "before begin")


def test_a_commit_beyond_the_end_counts_0_and_is_flagged():
    assert lags(end_offset=100, committed_offset=105) == (0, 0, "past end")


@pytest.mark.parametrize(
    ("reset", "expected"),
    [
        (None, (None, 0, None)),
        ("latest", (0, 0, None)),
        ("LATEST", (0, 0, None)),
        ("earliest", (60_000, 60_000, None)),
        ("by_duration:PT1H", (60_000, 60_000, None)),
        ("", (60_000, 60_000, None)),
    ],
)
def test_where_nothing_is_committed_the_reset_policy_decides(reset, expected):
    assert lags(begin_offset=40_000, end_offset=100_000, auto_offset_reset=reset) == expected


def test_an_unknown_begin_offset_counts_0_for_the_assignor_only():
    assert lags(end_offset=100_000, auto_offset_reset="earliest") == (None, 100_000, None)


def test_a_listed_lag_is_both_lags_where_no_offsets_are_known():
    assert lags(listed_lag=548) == (548, 548, None)
    assert lags(listed_lag=548, committed_offset=7) == (548, 548, None)
    assert lags(listed_lag=548, end_offset=1000) == (548, 548, None)


def test_a_negative_listed_lag_counts_0_and_is_flagged():
    assert lags(listed_lag=-5) == (0, 0, "past end")


def test_offsets_win_over_the_lag_that_a_tool_printed_beside_them():
    assert lags(committed_offset=90, end_offset=100, listed_lag=548) == (10, 10, None)


def test_nothing_known_is_null_in_both():
    assert lags() == (None, None, None)
    assert lags(committed_offset=7) == (None, None, None)


def test_a_lag_has_the_columns_of_the_stored_table_and_the_file_names_an_unnamed_group():
    lag = with_lag(
        table(
            {"group_id": "g", "topic": "t0", "partition": 0, "source_file": "a.txt"},
            {"topic": "t0", "partition": 0, "source_file": "a.txt"},
        )
    )

    assert lag.schema.names == schemas.LAG.names
    assert lag["unnamed_in"].to_pylist() == [None, "a.txt"]
