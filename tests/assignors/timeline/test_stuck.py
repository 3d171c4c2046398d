"""Partitions without progress: when they never drain, and when a rebalance has just taken them."""

import numpy as np
import pytest

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.timeline.draws import draws_of
from evenkeel.assignors.timeline.forecast import current_drain
from evenkeel.assignors.timeline.now import now
from evenkeel.assignors.timeline.stuck import OTHER, blocked, stuck
from tests.generated.histories import series_of

SLOTS = np.arange(80)
"""Of 30 seconds: 40 minutes."""


def stalled(slots=80, owner=(0, 0)):
    """A reads 20 records of t0-0 in each slot, which is all that comes, and nothing of t0-1, into
    which 3 come.
    """
    rows = np.arange(slots)[:, None]
    end = np.hstack([100 + 20 * rows, 100 + 3 * rows])
    committed = np.hstack([80 + 20 * rows, np.full((slots, 1), 50)])
    return series_of(end, committed, np.tile(owner, (slots, 1)))


def found(series):
    return draws_of(series, np.random.default_rng(1))


def test_a_partition_that_stalled_for_40_minutes_never_drains_and_its_member_neither():
    series = stalled()

    times = current_drain(now(series), found(series))

    assert times.by_partition.tolist() == [0, np.inf]
    assert times.by_member[0] == np.inf


def test_the_owner_decides_another_one_may_get_on_with_it():
    held = found(stalled()).stuck

    assert blocked(held, np.array([0, 0])).never.tolist() == [False, True]
    assert [one.tolist() for one in blocked(held, np.array([0, 1]))] == [
        [False, False],
        [False, True],
    ]


def handed_over(*owners):
    """Return what A did not read for 40 minutes, with these owners in the last slots."""
    series = stalled()
    owner = series.owner.copy()
    owner[-len(owners) :, 1] = owners
    return series_of(series.end_offset, series.committed_offset, owner)


def test_an_owner_of_some_slots_may_get_on_with_what_the_one_before_did_not_read():
    series = handed_over(1)
    held = found(series).stuck

    assert (held.is_stuck.tolist(), held.owner.tolist()) == ([False, True], [0, 0])
    assert np.isnan(current_drain(now(series), found(series)).by_partition[1])
    assert blocked(held, np.array([0, 0])).never.tolist() == [False, True]


@pytest.mark.parametrize(
    ("owners", "owner"),
    [
        ([1] * 9, 0),
        ([1] * 10, 1),
        ([-1, 0], 0),
        ([-1, 1, 1], 0),
        # Nobody had it before; neither had it for long enough; and whoever has it makes no
        # progress.
        ([-1] * 70 + [1], UNASSIGNED),
        ([-1] * 60 + [0] * 5 + [1] * 8, OTHER),
        ([1, 1, 0, 0, 1, 1, 0, 0, 1, 1], 1),
    ],
    ids=[
        "new",
        "a window",
        "a rebalance",
        "a rebalance to another",
        "nobody before",
        "none for a window",
        "restless",
    ],
)
def test_who_made_no_progress_is_who_had_it_for_a_window(owners, owner):
    held = found(handed_over(*owners)).stuck

    assert held.is_stuck[1]
    assert held.owner[1] == owner


@pytest.mark.parametrize(("slots", "is_stuck"), [(2, False), (9, False), (10, True), (11, True)])
def test_a_window_of_ten_observations_is_enough(slots, is_stuck):
    series = stalled(slots)

    assert stuck(series, np.zeros(2, dtype=np.int64)).is_stuck.tolist() == [False, is_stuck]


def test_two_readings_are_enough_after_five_minutes():
    for seconds, is_stuck in ((299, False), (300, True)):
        series = series_of([[100, 100], [120, 103]], [[80, 50], [100, 50]], time=[0, seconds])

        assert stuck(series, np.zeros(2, dtype=np.int64)).is_stuck.tolist() == [False, is_stuck]


def test_what_is_on_its_way_is_not_stuck():
    series = series_of(np.full((12, 1), 60), np.full((12, 1), 50))

    assert stuck(series, np.array([10])).is_stuck.tolist() == [False]
    assert stuck(series, np.array([9])).is_stuck.tolist() == [True]


def test_a_rebalance_in_the_last_reading_is_no_stop():
    series = stalled(12)
    owner = series.owner.copy()
    owner[-1] = UNASSIGNED
    between = series_of(series.end_offset, series.committed_offset, owner)

    held = stuck(between, np.zeros(2, dtype=np.int64))

    assert held.is_paused.tolist() == [True, False]
    times = current_drain(now(between), found(between)).by_partition
    assert np.isnan(times[0])
    assert times[1] == np.inf


def test_without_slots_nothing_is_stuck():
    empty = stalled().at(slice(0, 0))

    assert not stuck(empty, np.zeros(2, dtype=np.int64)).is_stuck.any()


def test_a_group_without_members_has_stopped():
    series = stalled(12)
    owner = series.owner.copy()
    owner[-1] = UNASSIGNED
    is_member = np.ones((12, 2), dtype=bool)
    is_member[-1] = False

    held = stuck(
        series_of(series.end_offset, series.committed_offset, owner, is_member=is_member),
        np.zeros(2, dtype=np.int64),
    )

    assert held.is_paused.tolist() == [False, False]
