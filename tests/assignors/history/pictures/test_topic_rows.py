"""Who had how many of the partitions without a row of their own."""

import numpy as np

from evenkeel.assignors.history.pictures.topic_rows import OTHER_TOPICS, topic_rows
from tests.generated.histories import random_series, series_of


def flat(owner, sizes=None, **more):
    shape = np.array(owner).shape
    return series_of(
        end=np.full(shape, 10) * (1 + np.arange(shape[1])), committed=np.zeros(shape), owner=owner, partitions_of=sizes, **more
    )


def rows(found) -> list[tuple]:
    return list(zip(found.row.tolist(), found.owned.tolist(), found.begin.tolist(), found.end.tolist(), strict=True))


def test_partitions_without_a_row_of_their_own_are_counted_by_topic_and_owner():
    found = topic_rows(flat([[0, 1, 2, 0], [0, 1, 2, -1]], sizes=[1, 3], member_count=3), np.array([1]), np.array([2]), most=5)

    assert (found.topic.tolist(), found.tp_count.tolist(), found.lag.tolist()) == ([1, 0], [2, 1], [70, 10])
    assert rows(found) == [(0, [1, 1, 0], 0.0, 30.0), (0, [1, 0, 1], 30.0, 30.0), (1, [0, 1, 0], 0.0, 30.0)]
    assert found.change_count.tolist() == [0, 0] and not found.is_joined


def test_a_gap_is_cut_out():
    found = topic_rows(flat([[0], [0], [0], [0]], slot=[0, 1, 5, 6]), np.array([], dtype=int), np.array([0]), most=5)

    assert [(begin, end) for _, _, begin, end in rows(found)] == [(0.0, 30.0), (150.0, 180.0)]


def test_topics_that_are_too_many_share_the_last_row():
    found = topic_rows(flat([[0, 0, 0, 1]], sizes=[1, 1, 1, 1]), np.array([], dtype=int), np.array([0]), most=2)

    assert (found.topic.tolist(), found.topic_count.tolist(), found.tp_count.tolist()) == ([3, OTHER_TOPICS], [1, 3], [1, 3])
    assert found.lag.tolist() == [40, 60]


def test_without_a_rest_there_is_no_row():
    found = topic_rows(flat([[0, 1]]), np.array([0, 1]), np.array([0]), most=5)

    assert (found.topic.size, found.row.size) == (0, 0)


def test_of_too_many_runs_short_ones_count_to_the_run_before_and_no_partition_is_lost():
    chance = np.random.default_rng(3)
    series = flat(chance.integers(-1, 2, (2000, 6)), sizes=[2, 4])

    found = topic_rows(series, np.array([5]), np.array([0]), most=5, most_runs=100)

    assert found.is_joined and found.row.size <= 2 * 101
    assert [set(found.owned[found.row == row].sum(axis=1).tolist()) for row in range(2)] == [{3}, {2}]
    assert [(found.end - found.begin)[found.row == row].sum() for row in range(2)] == [np.ptp(series.time)] * 2


def test_gaps_and_partitions_that_are_not_listed_take_no_time():
    series = random_series(np.random.default_rng(5), 8, 60)

    found = topic_rows(series, np.array([0, 1]), np.array([1]), most=3)

    assert (found.end >= found.begin).all() and (found.begin[1:] >= found.end[:-1])[np.diff(found.row) == 0].all()
