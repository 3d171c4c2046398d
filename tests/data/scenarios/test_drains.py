"""When the answer of an assignor is drained, and who is the cause where it never is."""

from dataclasses import replace

import numpy as np
import pytest

from assignors.assignment import Assignment
from assignors.history.speed.draws import Draws
from data.scenarios.drains import Drains
from tests.assignors.groups import group
from tests.generated.histories import series_of


def never(owner, capacity):
    """Return the drain of two partitions of 100 records behind: 8 records/s come into the first, 50 into the second."""
    snapshot = replace(group({"t": 2}, A="t"), begin_offset=np.zeros(2, int), committed_offset=np.zeros(2, int), end_offset=np.full(2, 100))
    series = replace(series_of(np.zeros((2, 2)), np.zeros((2, 2)), member_count=1), topic_name=("t",))
    drawn = Draws(np.tile([8.0, 50.0], (200, 1)), np.full((200, 1), capacity))
    return Drains(snapshot, series, drawn).of(Assignment(np.array(owner, dtype=np.int32)))


def test_what_comes_into_a_partition_without_owner_is_no_fault_of_a_member_that_reads_too_little():
    found = never([0, -1], 7.0)

    assert found.endless == (("A",), ("t-1",))
    assert found.excess == pytest.approx(1.0)


def test_where_no_consumer_reads_a_partition_and_every_member_is_fast_enough_the_partition_alone_is_named():
    assert never([0, -1], 20.0).endless == ((), ("t-1",))


def test_a_member_that_reads_less_than_both_of_its_partitions_get_is_named_with_all_of_it():
    found = never([0, 0], 7.0)

    assert found.endless == (("A",), ())
    assert found.excess == pytest.approx(51.0)
