"""What an assignor would have answered at each snapshot, and regret."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.group import UNKNOWN
from evenkeel.assignors.group.owned import with_owned
from evenkeel.assignors.timeline.replay import (
    Offsets,
    Regret,
    answers,
    moved,
    replayed_rows,
    stalled_at_peak,
    stretches,
    worst_lag,
)
from evenkeel.assignors.timeline.verdicts import verdicts
from tests.assignors.groups import group
from tests.generated.groups import groups
from tests.generated.histories import series_of

SLOTS = 3


@st.composite
def histories(draw):
    """A group, and offsets of it at three moments, some of them unknown."""
    snapshot = draw(groups(max_partitions=5))
    chance = np.random.default_rng(draw(st.integers(0, 1000)))
    shape = SLOTS, snapshot.tp_count
    begin, committed, end = (
        np.where(chance.random(shape) < 0.2, UNKNOWN, chance.integers(0, 50, shape))
        for _ in range(3)
    )
    return snapshot, Offsets(begin, committed, end, np.full(shape, UNKNOWN))


@pytest.mark.parametrize("name", ASSIGNORS)
@settings(max_examples=25, deadline=None)
@given(histories())
def test_each_answer_is_what_the_assignor_says_of_that_moment_alone_with_its_answer_before_as_owned(
    name, history
):
    snapshot, offsets = history
    assignor, before, expected = ASSIGNORS[name](), None, []
    snapshot = replace(snapshot, given_lag=np.full(snapshot.tp_count, UNKNOWN))
    try:
        for begin, committed, end, _ in zip(*offsets, strict=True):
            joined = snapshot if before is None else with_owned(snapshot, Assignment(before), 1)
            before = (
                assignor.assign(
                    replace(joined, begin_offset=begin, committed_offset=committed, end_offset=end)
                )
                .handed_out()
                .owner
            )
            expected.append(before.tolist())
    except AssignorError:
        expected = None
    found = answers(snapshot, offsets, assignor, None)

    assert (found if found is None else found.tolist()) == expected


def test_a_lag_that_was_listed_without_an_offset_counts_at_its_own_moment():
    snapshot = group({"t": 2}, A="t", B="t")
    nothing = np.full((2, 2), UNKNOWN)

    found = answers(
        snapshot,
        Offsets(nothing, nothing, nothing, np.array([[1, 9], [9, 1]])),
        ASSIGNORS["lag"](),
        None,
    )

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
    assert moved(owner, np.array([-2, 1])).tolist() == [1, 0, 1], (
        "the first was a member's that left"
    )


# Regret


def regret(**worst) -> Regret:
    lags = np.array(list(worst.values())).T
    return Regret(
        np.arange(len(lags)) * 30.0, np.zeros(len(lags), dtype=np.int64), tuple(worst), lags
    )


def test_the_best_assignor_has_the_lowest_peak_and_of_those_the_lowest_mean():
    found = regret(
        current=[10, 100, 50], range=[10, 100, 50], sticky=[60, 60, 60], lag=[10, 60, 30]
    )

    assert (found.peaks.tolist(), found.best, found.candidate) == ([100, 100, 60, 60], 3, 3)


def test_nothing_is_clearly_better_within_5_percent_of_the_peak():
    assert regret(current=[100, 100], lag=[95, 95]).candidate is None
    assert regret(current=[100, 100], lag=[94, 94]).candidate == 1
    assert regret(current=[0, 0], lag=[0, 0]).candidate is None


def test_an_assignor_without_an_answer_at_some_slot_is_not_the_best():
    found = regret(current=[9, 9], range=[-1, 1], lag=[8, 8])

    assert (found.best, found.candidate) == (2, 2)
    assert regret(current=[9, 9], range=[-1, 1]).best is None


def history(slots: int, missed: range = range(0)):
    """One partition, one member; the lag is 5, and 99 at slot 70."""
    slot = np.array([number for number in range(slots) if number not in missed])
    return series_of(
        [[100]] * slot.size,
        [[1 if number == 70 else 95] for number in slot.tolist()],
        slot=slot,
        member_count=1,
    )


def test_peaks_the_first_the_last_and_both_ends_of_gaps_are_replayed():
    series = history(1000, missed=range(500, 600))
    rows = replayed_rows(series, 40)

    assert set(series.slot[rows].tolist()) >= {0, 70, 499, 600, 999}
    assert rows.size <= 4 * 10 + 4
    assert stretches(series)[rows].tolist() == [int(slot >= 600) for slot in series.slot[rows]]


def test_few_slots_are_all_replayed():
    assert replayed_rows(history(100), 10**6).size == 100


def test_a_peak_after_a_stall_is_told_from_one_of_slow_reading():
    end = [[100 + 10 * slot] for slot in range(30)]
    stuck = [[min(slot, 5) * 10 + 90] if slot < 20 else [end[slot][0]] for slot in range(30)]
    slow = [[90 + 5 * slot] for slot in range(30)]

    for committed, is_stalled in ((stuck, True), (slow, False)):
        series = series_of(end, committed, member_count=1)

        assert stalled_at_peak(series, verdicts(series)) == is_stalled
