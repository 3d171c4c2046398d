"""Members that serve their partitions in turn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.drain.drain import NEVER, drain, drain_by_partition
from evenkeel.assignors.drain.sharing import empty_after, lags_after, shares

RATES = st.floats(0, 1000, allow_subnormal=False).map(lambda rate: round(rate, 3))
PARTITIONS = st.lists(st.tuples(st.integers(0, 10_000), RATES), min_size=1, max_size=8)


def array(*values) -> np.ndarray:
    return np.array(values, dtype=np.float64)


@pytest.mark.parametrize(
    ("needs", "capacity", "answer"),
    [
        ((np.inf, np.inf), 10, (5, 5)),
        ((2, np.inf, np.inf), 10, (2, 4, 4)),
        ((2, 3, 4), 10, (2, 3, 4)),
        ((4, 4, 4), 9, (3, 3, 3)),
        ((np.inf,), 0, (0,)),
    ],
)
def test_each_partition_gets_its_need_or_an_equal_part_of_the_rest(needs, capacity, answer):
    assert shares(array(*needs), capacity).tolist() == list(answer)


def test_a_partition_that_is_empty_leaves_its_part_to_the_others():
    # 5 records/s each; the first is empty after 20 s, the other has 300 left and gets 10.
    assert empty_after(array(100, 400), array(0, 0), 10).tolist() == [20, 50]
    assert lags_after(array(100, 400), array(0, 0), 10, 30).tolist() == [0, 200]


def test_a_partition_whose_records_come_faster_than_its_part_waits_for_the_others():
    # 10 each: the second grows by 5 until the first is empty after 10 s, then falls by 5.
    assert empty_after(array(100, 0), array(0, 15), 20).tolist() == [10, 20]


def test_a_partition_is_never_empty_where_more_comes_in_than_its_member_reads():
    assert empty_after(array(10, 10), array(0, 30), 20).tolist() == [1, NEVER]


@given(PARTITIONS, st.floats(1, 5000))
def test_a_member_is_done_when_its_last_partition_is_whatever_each_gets_of_it(partitions, capacity):
    lag, in_rate = np.array([one for one, _ in partitions]), array(*(rate for _, rate in partitions))
    owner = np.zeros(lag.size, dtype=np.int32)
    whole = float(drain(lag, in_rate, owner, array(capacity)).group)
    each = drain_by_partition(lag, in_rate, owner, array(capacity))

    if capacity - in_rate.sum() > 1e-3:
        assert whole == pytest.approx(each.max(), rel=1e-6, abs=1e-3)
    if np.isinf(whole):
        assert np.isinf(each.max()) or in_rate.sum() - capacity < 1e-3


@given(PARTITIONS, st.floats(1, 5000), st.floats(0, 100), st.floats(0, 100))
def test_time_passes_in_two_steps_as_in_one(partitions, capacity, first, second):
    behind, in_rate = array(*(one for one, _ in partitions)), array(*(rate for _, rate in partitions))
    once = lags_after(behind, in_rate, capacity, first + second)
    twice = lags_after(lags_after(behind, in_rate, capacity, first), in_rate, capacity, second)

    assert twice == pytest.approx(once, rel=1e-6, abs=1e-3)
    assert once.sum() == pytest.approx(max(behind.sum() + (in_rate.sum() - capacity) * (first + second), once.sum()), rel=1e-6, abs=1e-2)
