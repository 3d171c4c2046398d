"""What an assignor would have answered at each snapshot, each time from its answer before."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.owned import with_owned
from evenkeel.assignors.history.replay import Offsets, answers, moved, worst_lag
from tests.assignors.groups import group
from tests.generated.groups import groups

SLOTS = 3


@st.composite
def histories(draw):
    """A group, and offsets of it at three moments, some of them unknown."""
    snapshot = draw(groups(max_partitions=5))
    chance = np.random.default_rng(draw(st.integers(0, 1000)))
    shape = SLOTS, snapshot.tp_count
    begin, committed, end = (np.where(chance.random(shape) < 0.2, UNKNOWN, chance.integers(0, 50, shape)) for _ in range(3))
    return snapshot, Offsets(begin, committed, end, np.full(shape, UNKNOWN))


@pytest.mark.parametrize("name", ASSIGNORS)
@settings(max_examples=25, deadline=None)
@given(histories())
def test_each_answer_is_what_the_assignor_says_of_that_moment_alone_with_its_answer_before_as_owned(name, history):
    snapshot, offsets = history
    assignor, before, expected = ASSIGNORS[name](), None, []
    snapshot = replace(snapshot, given_lag=np.full(snapshot.tp_count, UNKNOWN))
    try:
        for begin, committed, end, _ in zip(*offsets, strict=True):
            joined = snapshot if before is None else with_owned(snapshot, Assignment(before), 1)
            before = assignor.assign(replace(joined, begin_offset=begin, committed_offset=committed, end_offset=end)).handed_out().owner
            expected.append(before.tolist())
    except AssignorError:
        expected = None
    found = answers(snapshot, offsets, assignor, None)

    assert (found if found is None else found.tolist()) == expected


def test_a_lag_that_was_listed_without_an_offset_counts_at_its_own_moment():
    snapshot = group({"t": 2}, A="t", B="t")
    nothing = np.full((2, 2), UNKNOWN)

    found = answers(snapshot, Offsets(nothing, nothing, nothing, np.array([[1, 9], [9, 1]])), ASSIGNORS["lag"](), None)

    assert found.tolist() == [[1, 0], [0, 1]]


def test_the_worst_member_is_that_with_the_largest_sum_of_known_lags():
    owner, lag = np.array([[0, 0, 1, -1], [1, 0, 1, 0]]), np.array([[3, 4, 6, 100], [5, -1, 6, 2]])

    assert worst_lag(owner, lag, 2).tolist() == [7, 11]


def test_a_partition_that_had_no_owner_has_not_moved():
    owner = np.array([[0, 0, 1], [1, -1, 1], [1, 0, 0]])

    assert moved(owner, None).tolist() == [-1, 1, 1]
    assert moved(owner, np.array([1, 0, -1])).tolist() == [1, 1, 1]


def test_a_partition_between_two_owners_has_moved_once_and_one_that_comes_back_has_not():
    owner = np.array([[0, 1], [-1, -1], [1, 1]])

    assert moved(owner, None).tolist() == [-1, 0, 1]
    assert moved(owner, np.array([-2, 1])).tolist() == [1, 0, 1], "the first was a member's that left"
