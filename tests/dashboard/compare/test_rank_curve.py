"""Lag by rank."""

import numpy as np

from evenkeel.dashboard.compare.many_members import rank_curve, thinned_ranks


def test_ranks_are_few_and_dense_where_the_worst_are():
    ranks = thinned_ranks(2000)

    assert len(ranks) <= 300
    assert ranks[:12].tolist() == list(range(1, 13))
    assert ranks[-1] == 2000
    assert thinned_ranks(3).tolist() == [1, 2, 3]


def test_each_curve_is_sorted_for_itself(balance):
    lags, after = np.arange(100), np.full(100, 50)

    figure = rank_curve(balance([1] * 100, lags), balance([1] * 100, after), "lag")

    current, candidate = figure.data
    assert (current.x[0], current.y[0], current.x[-1], current.y[-1]) == (1, 99, 100, 0)
    assert set(candidate.y.tolist()) == {50}
    assert figure.layout.xaxis.ticktext == ("worst", "10th", "100th")


def test_a_member_of_unknown_lag_is_not_on_the_curve_and_a_partly_known_sum_says_at_least(balance):
    figure = rank_curve(
        balance([2] * 4, [0, 9, 5, 0], [2, 0, 1, 0]), balance([2] * 4, [0] * 4, [2] * 4), "lag"
    )

    (current,) = figure.data
    assert (current.x.tolist(), current.y.tolist()) == ([1, 2, 3], [9, 5, 0])
    assert list(current.text) == ["9", "≥ 5", "0"]
