import numpy as np
import pytest
from hypothesis import given

from evenkeel.assignors.group.lag import (
    UNKNOWN_LAG,
    assignor_lag,
    committed_before_begin,
    committed_past_end,
    lag_taken_as_zero,
    page_lag,
    total_lag,
)
from tests.assignors.groups import group
from tests.generated.groups import groups

UNKNOWN = None
# given, begin, end, committed, auto.offset.reset; the page's lag, the assignor's, unknown and taken
# as 0
TRUTH = [
    (5, None, None, None, None, 5, 5, False),
    (0, None, None, None, "earliest", 0, 0, False),
    (None, None, None, None, None, UNKNOWN, 0, True),
    (None, 3, None, None, "earliest", UNKNOWN, 0, True),
    (None, None, None, 7, "latest", UNKNOWN, 0, True),
    (None, 7, 10, 4, None, 3, 6, False),
    (None, None, 10, 4, None, 6, 6, False),
    (None, 0, 10, 4, "earliest", 6, 6, False),
    (None, 0, 10, 12, None, 0, 0, False),
    (None, 12, 10, 4, None, 0, 6, False),
    (None, 1111, 9999, 5555, "latest", 4444, 4444, False),
    (None, 0, 0, 5555, "latest", 0, 0, False),
    (None, 1111, 9999, None, "latest", 0, 0, False),
    (None, 1111, 9999, None, "LATEST", 0, 0, False),
    (None, 1111, 9999, None, "earliest", 8888, 8888, False),
    (None, 1111, 9999, None, "none", 8888, 8888, False),
    (None, 1111, 9999, None, "", 8888, 8888, False),
    (None, 1111, 9999, None, None, UNKNOWN, 0, False),
    (None, None, 9999, None, None, UNKNOWN, 0, False),
    (None, None, 9999, None, "latest", 0, 0, False),
    (None, None, 9999, None, "earliest", UNKNOWN, 9999, False),
    (None, 12, 10, None, "earliest", 0, 0, False),
]


@pytest.mark.parametrize(
    ("known", "begin", "end", "committed", "reset", "page", "assignor", "taken_as_zero"), TRUTH
)
def test_each_lag_is_what_its_rule_says(
    known, begin, end, committed, reset, page, assignor, taken_as_zero
):
    snapshot = group(
        {"t": 1}, lag=[known], begin=[begin], end=[end], committed=[committed], reset=reset
    )

    assert page_lag(snapshot).tolist() == [UNKNOWN_LAG if page is UNKNOWN else page]
    assert assignor_lag(snapshot).tolist() == [assignor]
    assert lag_taken_as_zero(snapshot).tolist() == [taken_as_zero]


def literal_page_lag(given, begin, end, committed, reset) -> int:
    if given >= 0:
        return given
    if end < 0:
        return UNKNOWN_LAG
    if committed >= 0:
        return max(end - max(committed, begin), 0)
    if reset is None:
        return UNKNOWN_LAG
    if reset.lower() == "latest":
        return 0
    return max(end - begin, 0) if begin >= 0 else UNKNOWN_LAG


@given(groups())
def test_the_lag_of_many_partitions_is_that_of_each_alone(snapshot):
    rows = zip(
        snapshot.given_lag.tolist(),
        snapshot.begin_offset.tolist(),
        snapshot.end_offset.tolist(),
        snapshot.committed_offset.tolist(),
        strict=False,
    )

    assert page_lag(snapshot).tolist() == [
        literal_page_lag(*row, snapshot.auto_offset_reset) for row in rows
    ]


@given(groups())
def test_the_assignor_never_sees_less_lag_than_the_page_shows(snapshot):
    page, assignor = page_lag(snapshot), assignor_lag(snapshot)

    assert page.dtype == assignor.dtype == np.int64
    assert (assignor >= np.maximum(page, 0)).all()


@pytest.mark.parametrize(
    ("lags", "total"), [([5, UNKNOWN_LAG, 70], 75), ([UNKNOWN_LAG], None), ([], 0)]
)
def test_a_total_leaves_the_unknown_out_and_is_unknown_where_all_are(lags, total):
    assert total_lag(np.array(lags, dtype=np.int64)) == total


def test_a_commit_outside_the_log_is_told_from_one_inside_and_from_none():
    snapshot = group({"t": 4}, begin=[7, 7, 7, 7], end=[10, 10, 10, 10], committed=[4, 12, 8, None])

    assert committed_before_begin(snapshot).tolist() == [True, False, False, False]
    assert committed_past_end(snapshot).tolist() == [False, True, False, False]
