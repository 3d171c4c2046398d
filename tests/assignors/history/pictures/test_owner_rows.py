"""Who had the worst partitions when."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.history.lineage import Identity, by_lineage
from evenkeel.assignors.history.pictures.owner_rows import owner_rows
from tests.generated.histories import series_of


def flat(owner, **more):
    shape = np.array(owner).shape
    return series_of(end=np.full(shape, 10) * (1 + np.arange(shape[1])), committed=np.zeros(shape), owner=owner, **more)


def test_the_largest_lag_now_comes_first_and_a_run_ends_where_the_next_begins():
    found = owner_rows(flat([[0, 0], [0, 1], [0, 0]]), most=2)

    assert (found.tp.tolist(), found.lag.tolist(), found.change_count.tolist()) == ([1, 0], [20, 10], [2, 0])
    assert list(zip(found.row.tolist(), found.owner.tolist(), found.begin.tolist(), found.end.tolist(), strict=True)) == [
        (0, 0, 0.0, 30.0),
        (0, 1, 30.0, 60.0),
        (0, 0, 60.0, 60.0),
        (1, 0, 0.0, 60.0),
    ]


def test_a_gap_is_cut_out():
    found = owner_rows(flat([[0], [0], [0], [0]], slot=[0, 1, 5, 6]), most=1)

    assert list(zip(found.begin.tolist(), found.end.tolist(), strict=True)) == [(0.0, 30.0), (150.0, 180.0)]


def test_each_run_has_the_last_member_that_its_owner_was_in_it_and_how_many_it_was():
    is_member = [[True, True, False, False], [True, False, True, False], [True, False, False, True], [True, False, False, True]]
    series = flat([[1], [2], [3], [0]], is_member=is_member, member_count=4)

    found = owner_rows(by_lineage(series, (Identity("a"), Identity("b"), Identity("b"), Identity("b"))), most=1)

    assert list(zip(found.owner.tolist(), found.member_id, found.id_count.tolist(), strict=True)) == [(1, "D", 3), (0, "A", 1)]


def test_of_too_many_runs_the_longest_in_each_part_of_the_range_stands_for_all_and_no_time_is_lost():
    chance = np.random.default_rng(3)
    series = flat(chance.integers(0, 2, (2000, 3)))

    found = owner_rows(series, most=3, most_runs=200)

    assert found.is_joined and found.row.size <= 200
    assert [(found.end - found.begin)[found.row == row].sum() for row in range(3)] == [np.ptp(series.time)] * 3
    assert not owner_rows(flat(chance.integers(0, 2, (400, 3))), most=3).is_joined


def test_a_partition_that_has_no_owner_for_half_of_each_minute_shows_it_in_each_minute():
    owner = np.zeros((80, 1), dtype=np.int32)
    owner[1::2] = UNASSIGNED

    found = owner_rows(flat(owner), most=1)

    assert (found.owner.tolist(), found.begin.tolist()) == ([0, -1] * 40, [30.0 * slot for slot in range(80)])


def test_of_runs_that_are_too_short_to_be_seen_the_longest_in_each_stripe_is_shown():
    # 8,001 slots of 30 s in 400 stripes: 600 s each, of which the last 100 slots are one long run.
    owner = np.tile([0, 0, 1, UNASSIGNED], 2001)[:8001, None].astype(np.int32)
    owner[4000:7000], owner[7000:] = np.tile([1, 1, 1, 0, 1], 600)[:, None], 1

    found = owner_rows(flat(owner), most=1)

    assert (found.owner.tolist(), found.begin.tolist()) == ([0, 1], [0.0, 120_000.0])
    assert found.end.tolist() == [120_000.0, 240_000.0] and found.is_joined


def test_gaps_are_never_joined_however_many_there_are():
    found = owner_rows(flat([[0]] * 40, slot=np.arange(40) * 5), most=1, most_runs=10)

    assert found.begin.tolist() == [150.0 * run for run in range(40)]
