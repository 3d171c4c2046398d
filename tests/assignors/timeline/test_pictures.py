"""A long history as few slots and runs."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.series import Identity, by_lineage
from evenkeel.assignors.timeline.pictures.member_lags import member_lags, thinned
from evenkeel.assignors.timeline.pictures.owners import owner_rows
from evenkeel.assignors.timeline.pictures.topics import OTHER_TOPICS, topic_rows
from tests.generated.histories import random_series, series_of

# Fewer slots


@settings(max_examples=50, deadline=None)
@given(
    rows=st.integers(1, 400),
    columns=st.integers(1, 4),
    bins=st.integers(1, 20),
    seed=st.integers(0, 2**32 - 1),
)
def test_least_and_most_of_each_column_stay_and_so_do_the_ends_of_stretches(
    rows, columns, bins, seed
):
    chance = np.random.default_rng(seed)
    values, stretch = chance.integers(0, 50, (rows, columns)), np.cumsum(chance.random(rows) < 0.02)

    kept = thinned(values, stretch, bins)

    assert (np.diff(kept) > 0).all()
    assert values[kept].max(axis=0).tolist() == values.max(axis=0).tolist()
    assert values[kept].min(axis=0).tolist() == values.min(axis=0).tolist()
    ends = np.flatnonzero(np.diff(stretch))
    assert {0, rows - 1, *ends.tolist(), *(ends + 1).tolist()} <= set(kept.tolist())
    assert kept.size <= max(2 * bins, 2 * bins * columns + 2 * ends.size + 2)


def test_few_rows_all_stay():
    assert thinned(np.zeros((5, 1), dtype=np.int64), np.zeros(5, dtype=np.int64), 3).tolist() == [
        0,
        1,
        2,
        3,
        4,
    ]


# Lag of each member


def test_lags_are_summed_by_member_and_the_largest_of_the_range_comes_first():
    series = series_of(
        end=[[10, 10, 10], [20, 20, 90]],
        committed=[[9, 8, 10], [20, 15, 30]],
        owner=[[0, 0, 1], [0, 0, 1]],
    )

    found = member_lags(series, most_members=6, bins=60)

    assert found.member.tolist() == [1, 0]
    assert found.lag.tolist() == [[0, 3, 0], [60, 5, 0]]
    assert found.total.tolist() == [3, 65]


def test_members_beyond_the_first_and_partitions_without_owner_share_the_last_column():
    series = series_of(end=[[10, 20, 30]], committed=[[0, 0, 0]], owner=[[0, 1, -1]])

    found = member_lags(series, most_members=1, bins=60)

    assert (found.member.tolist(), found.lag.tolist()) == ([1], [[20, 40]])
    assert (found.other_count, found.has_unowned) == (1, True)


def test_an_unknown_lag_is_left_out_and_counted_and_a_slot_of_unknown_lags_alone_is_a_gap():
    series = series_of(end=[[10, 10], [10, 10], [10, 10]], committed=[[5, -1], [-1, -1], [5, 5]])

    found = member_lags(series, most_members=6, bins=60)

    assert found.total.tolist() == [5, 10]
    assert found.unknown_count.tolist() == [1, 0]
    assert found.stretch[0] != found.stretch[1]


def test_a_missing_slot_divides_stretches():
    series = series_of(end=[[1], [1], [1]], committed=[[0], [0], [0]], slot=[0, 1, 5])

    found = member_lags(series, most_members=6, bins=60)

    assert np.diff(found.stretch).tolist() == [0, 1]


# Who had the worst partitions


def flat(owner, **more):
    shape = np.array(owner).shape
    return series_of(
        end=np.full(shape, 10) * (1 + np.arange(shape[1])),
        committed=np.zeros(shape),
        owner=owner,
        **more,
    )


def test_the_largest_lag_now_comes_first_and_a_run_ends_where_the_next_begins():
    found = owner_rows(flat([[0, 0], [0, 1], [0, 0]]), most=2)

    assert (found.tp.tolist(), found.lag.tolist(), found.change_count.tolist()) == (
        [1, 0],
        [20, 10],
        [2, 0],
    )
    assert list(
        zip(
            found.row.tolist(),
            found.owner.tolist(),
            found.begin.tolist(),
            found.end.tolist(),
            strict=True,
        )
    ) == [
        (0, 0, 0.0, 30.0),
        (0, 1, 30.0, 60.0),
        (0, 0, 60.0, 60.0),
        (1, 0, 0.0, 60.0),
    ]


def test_a_gap_is_cut_out():
    found = owner_rows(flat([[0], [0], [0], [0]], slot=[0, 1, 5, 6]), most=1)

    assert list(zip(found.begin.tolist(), found.end.tolist(), strict=True)) == [
        (0.0, 30.0),
        (150.0, 180.0),
    ]


def test_each_run_has_the_last_member_that_its_owner_was_in_it_and_how_many_it_was():
    is_member = [
        [True, True, False, False],
        [True, False, True, False],
        [True, False, False, True],
        [True, False, False, True],
    ]
    series = flat([[1], [2], [3], [0]], is_member=is_member, member_count=4)

    found = owner_rows(
        by_lineage(series, (Identity("a"), Identity("b"), Identity("b"), Identity("b"))), most=1
    )

    assert list(
        zip(found.owner.tolist(), found.member_id, found.id_count.tolist(), strict=True)
    ) == [(1, "D", 3), (0, "A", 1)]


def test_of_too_many_runs_the_longest_of_each_part_of_the_range_is_shown_and_no_time_is_lost():
    chance = np.random.default_rng(3)
    series = flat(chance.integers(0, 2, (2000, 3)))

    found = owner_rows(series, most=3, most_runs=200)

    assert found.is_joined
    assert found.row.size <= 200
    assert [(found.end - found.begin)[found.row == row].sum() for row in range(3)] == [
        np.ptp(series.time)
    ] * 3
    assert not owner_rows(flat(chance.integers(0, 2, (400, 3))), most=3).is_joined


def test_a_partition_that_has_no_owner_for_half_of_each_minute_shows_it_in_each_minute():
    owner = np.zeros((80, 1), dtype=np.int32)
    owner[1::2] = UNASSIGNED

    found = owner_rows(flat(owner), most=1)

    assert (found.owner.tolist(), found.begin.tolist()) == (
        [0, -1] * 40,
        [30.0 * slot for slot in range(80)],
    )


def test_of_runs_that_are_too_short_to_be_seen_the_longest_in_each_stripe_is_shown():
    # 8,001 slots of 30 s in 400 stripes: 600 s each, of which the last 100 slots are one long run.
    owner = np.tile([0, 0, 1, UNASSIGNED], 2001)[:8001, None].astype(np.int32)
    owner[4000:7000], owner[7000:] = np.tile([1, 1, 1, 0, 1], 600)[:, None], 1

    found = owner_rows(flat(owner), most=1)

    assert (found.owner.tolist(), found.begin.tolist()) == ([0, 1], [0.0, 120_000.0])
    assert found.end.tolist() == [120_000.0, 240_000.0]
    assert found.is_joined


def test_gaps_are_never_joined_however_many_there_are():
    found = owner_rows(flat([[0]] * 40, slot=np.arange(40) * 5), most=1, most_runs=10)

    assert found.begin.tolist() == [150.0 * run for run in range(40)]


# Topics


def by_topic(owner, sizes=None, **more):
    shape = np.array(owner).shape
    return series_of(
        end=np.full(shape, 10) * (1 + np.arange(shape[1])),
        committed=np.zeros(shape),
        owner=owner,
        partitions_of=sizes,
        **more,
    )


def rows(found) -> list[tuple]:
    return list(
        zip(
            found.row.tolist(),
            found.owned.tolist(),
            found.begin.tolist(),
            found.end.tolist(),
            strict=True,
        )
    )


def test_partitions_without_a_row_of_their_own_are_counted_by_topic_and_owner():
    found = topic_rows(
        by_topic([[0, 1, 2, 0], [0, 1, 2, -1]], sizes=[1, 3], member_count=3),
        np.array([1]),
        np.array([2]),
        most=5,
    )

    assert (found.topic.tolist(), found.tp_count.tolist(), found.lag.tolist()) == (
        [1, 0],
        [2, 1],
        [70, 10],
    )
    assert rows(found) == [
        (0, [1, 1, 0], 0.0, 30.0),
        (0, [1, 0, 1], 30.0, 30.0),
        (1, [0, 1, 0], 0.0, 30.0),
    ]
    assert found.change_count.tolist() == [0, 0]
    assert not found.is_joined


def test_a_gap_is_cut_out_of_topics():
    found = topic_rows(
        by_topic([[0], [0], [0], [0]], slot=[0, 1, 5, 6]),
        np.array([], dtype=int),
        np.array([0]),
        most=5,
    )

    assert [(begin, end) for _, _, begin, end in rows(found)] == [(0.0, 30.0), (150.0, 180.0)]


def test_topics_that_are_too_many_share_the_last_row():
    found = topic_rows(
        by_topic([[0, 0, 0, 1]], sizes=[1, 1, 1, 1]), np.array([], dtype=int), np.array([0]), most=2
    )

    assert (found.topic.tolist(), found.topic_count.tolist(), found.tp_count.tolist()) == (
        [3, OTHER_TOPICS],
        [1, 3],
        [1, 3],
    )
    assert found.lag.tolist() == [40, 60]


def test_without_a_rest_there_is_no_row():
    found = topic_rows(by_topic([[0, 1]]), np.array([0, 1]), np.array([0]), most=5)

    assert (found.topic.size, found.row.size) == (0, 0)


def test_of_too_many_runs_short_ones_count_to_the_run_before_and_no_partition_is_lost():
    chance = np.random.default_rng(3)
    series = by_topic(chance.integers(-1, 2, (2000, 6)), sizes=[2, 4])

    found = topic_rows(series, np.array([5]), np.array([0]), most=5, most_runs=100)

    assert found.is_joined
    assert found.row.size <= 2 * 101
    assert [set(found.owned[found.row == row].sum(axis=1).tolist()) for row in range(2)] == [
        {3},
        {2},
    ]
    assert [(found.end - found.begin)[found.row == row].sum() for row in range(2)] == [
        np.ptp(series.time)
    ] * 2


def test_gaps_and_partitions_that_are_not_listed_take_no_time():
    series = random_series(np.random.default_rng(5), 8, 60)

    found = topic_rows(series, np.array([0, 1]), np.array([1]), most=3)

    assert (found.end >= found.begin).all()
    assert (found.begin[1:] >= found.end[:-1])[np.diff(found.row) == 0].all()
