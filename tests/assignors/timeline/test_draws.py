"""How uncertain rates are, of many readings and of few."""

import numpy as np
import pytest

from evenkeel.assignors.group.drain import band, drain
from evenkeel.assignors.group.speed import behind, busy_rates, capacity
from evenkeel.assignors.timeline.draws import RECENT, draws, draws_of, mean_draws
from tests.generated.histories import series_of

SLOTS = np.arange(40)[:, None]


def drained(series):
    drawn = draws(series, np.random.default_rng(1))
    found = drain(
        behind(series.lag[-1], drawn.on_the_way),
        drawn.in_rate,
        series.owner[-1],
        drawn.busy_rate,
        drawn.spread,
        drawn.proven,
    )
    return band(found.group)


def test_draws_of_constant_rates_are_these_rates():
    end, committed = np.hstack([10_000 + SLOTS * 20, SLOTS * 3]), np.hstack([SLOTS * 10, SLOTS * 3])
    found = draws(
        series_of(end, committed, np.tile([0, 1], (40, 1))), np.random.default_rng(1), number=20
    )

    assert found.in_rate == pytest.approx(np.tile([20 / 30, 3 / 30], (20, 1)))
    assert found.busy_rate == pytest.approx(np.full((20, 2), 10 / 30), rel=0.2)


def test_draws_differ_where_rates_do():
    chance = np.random.default_rng(1)
    end = np.cumsum(chance.integers(0, 50, (40, 1)), axis=0) + 10_000
    found = draws(series_of(end, np.cumsum(chance.integers(0, 50, (40, 1)), axis=0)), chance)

    assert found.in_rate.shape == (200, 1)
    assert found.in_rate.std() > 0
    assert found.busy_rate.std() > 0
    assert 0 <= found.in_rate.min() <= (end[-1, 0] - end[-10, 0]) / 270 <= found.in_rate.max()


def test_a_series_of_one_slot_tells_nothing():
    series = series_of([[5]], [[3]])

    assert np.isnan(capacity(busy_rates(series)).rate).all()
    assert np.isnan(draws(series, np.random.default_rng(1)).in_rate).all()


def test_a_group_that_keeps_up_is_drained_and_not_told_that_it_never_will_be():
    chance = np.random.default_rng(1)
    end = 100 + np.cumsum(chance.poisson(200, (40, 4)), axis=0)

    assert drained(
        series_of(end, end - chance.integers(0, 30, end.shape), np.tile([0, 0, 1, 1], (40, 1)))
    ) == (0, 0, 0)


def test_it_is_unknown_whether_one_member_of_a_group_that_keeps_up_could_read_all():
    end = 100 + SLOTS * np.array([[20, 20]])
    drawn = draws(series_of(end, end - 3, np.tile([0, 1], (40, 1))), np.random.default_rng(1))
    found = drain(
        np.zeros(2), drawn.in_rate, np.array([0, 0]), drawn.busy_rate, drawn.spread, drawn.proven
    )

    assert np.isnan(found.group).all()
    assert drawn.proven == pytest.approx(np.full((200, 2), 20 / 30))


def test_a_group_that_is_behind_and_falls_back_never_drains():
    assert drained(series_of(1_000 + SLOTS * 20, SLOTS * 15)).middle == np.inf


def test_a_member_is_behind_for_as_long_as_its_rates_say():
    assert drained(series_of(3_000 + SLOTS * 10, SLOTS * 40)).middle == pytest.approx(
        (3_000 - 39 * 30) / (30 / 30), rel=0.02
    )


def test_a_member_of_two_busy_windows_is_unknown():
    assert np.isnan(
        mean_draws(np.array([[1.0, 1], [1, np.nan], [1, 1]]), 300, np.random.default_rng(1), 5).mean
    ).all(axis=0).tolist() == [
        False,
        True,
    ]


def test_windows_long_ago_do_not_count():
    rate = np.concatenate([np.full((10, 1), 1.0), np.full((RECENT, 1), 3.0)])

    assert mean_draws(rate, 300, np.random.default_rng(1), 5).mean == pytest.approx(
        np.full((5, 1), 3), rel=0.2
    )


@pytest.mark.parametrize(
    ("rates", "mean"),
    [([300] * 6 + [2, 3], 2.5), ([300] * 6 + [0, 0, 0], 0), ([2] * 6 + [300, 300], 300)],
)
def test_after_a_break_only_what_came_since_counts(rates, mean):
    found = mean_draws(
        np.array(rates, dtype=float)[:, None], 300, np.random.default_rng(1), 500
    ).mean

    assert np.median(found) == pytest.approx(mean, rel=0.02)
    assert found.std() < 0.3 * mean + 1e-9


@pytest.mark.parametrize("rates", [[300] * 8 + [0, 300], [300] * 9 + [0]])
def test_a_stall_that_is_over_or_short_is_no_break(rates):
    found = mean_draws(np.array(rates, dtype=float)[:, None], 300, np.random.default_rng(1), 500)

    assert np.median(found.mean) == pytest.approx(270, rel=0.1)


def test_the_spread_of_means_falls_with_the_number_of_windows_that_are_not_alike():
    chance = np.random.default_rng(1)
    few, many = (
        mean_draws(chance.normal(100, 10, (count, 1)), 300, chance, 2_000).mean.std()
        for count in (6, RECENT)
    )

    assert 10 / np.sqrt(RECENT) < many < few


def test_members_that_are_slow_together_are_drawn_together():
    rate = np.random.default_rng(1).normal(200, 50, (20, 1)) + np.array([[0, 50]])
    found = mean_draws(rate, 300, np.random.default_rng(1), 500)

    assert np.corrcoef(found.mean.T)[0, 1] > 0.8


END = 1_000 + SLOTS * 20


def up_to(slot):
    """Return the committed offsets of a member that comes to the end of its log until a slot, and
    reads nothing after it.
    """
    return np.minimum(END, END[slot])


@pytest.mark.parametrize(
    ("still", "middle"), [(30, np.inf), (25, np.inf), (20, np.inf), (19, np.nan), (10, np.nan)]
)
def test_a_member_that_kept_up_and_then_stands_still_for_two_windows_never_drains(still, middle):
    assert drained(series_of(END, up_to(39 - still))).middle == pytest.approx(middle, nan_ok=True)


def test_a_member_that_reads_one_record_in_twenty_slots_does_not_stand_still():
    assert np.isnan(drained(series_of(END, up_to(19) + (SLOTS >= 35))).middle)


def test_a_member_that_commits_to_the_end_every_twelve_slots_does_not_stand_still():
    assert drained(series_of(END, END - SLOTS % 12 * 20)).middle != np.inf


def test_a_lag_into_which_nothing_comes_and_of_which_nothing_is_read_never_drains():
    end = np.minimum(END, END[19])

    assert drained(series_of(end, np.minimum(end, end[19] - 1))).middle == np.inf


def test_a_member_that_stands_still_does_not_take_the_median_of_the_others():
    series = series_of(
        np.hstack([END, END + 10_000]), np.hstack([up_to(19), SLOTS * 40]), np.tile([0, 1], (40, 1))
    )
    drawn = draws(series, np.random.default_rng(1))

    assert (drawn.busy_rate[:, 0] == 0).all()
    assert np.median(drawn.busy_rate[:, 1]) == pytest.approx(40 / 30, rel=0.02)


def test_two_windows_of_few_readings_may_lie_between_two_commits():
    # Six readings are three windows of two: the first came to the end.
    series = series_of(END[:6], up_to(1)[:6])

    assert np.isnan(draws_of(series, np.random.default_rng(1)).busy_rate).all()


# Few readings


def drawn(end, committed, owner=None):
    end, committed = np.array(end)[:, None], np.array(committed)[:, None]
    return draws_of(series_of(end, committed, owner, member_count=1), np.random.default_rng(1))


def test_two_readings_are_one_draw_of_what_came_and_what_was_read():
    found = drawn([10_000, 10_300], [1_000, 1_900])

    assert found.in_rate.tolist() == [[10.0]]
    assert found.busy_rate.tolist() == [[30.0]]
    assert found.spread.tolist() == [[0.0]]


def test_of_a_member_that_came_to_the_end_between_two_readings_it_is_unknown_what_it_can_read():
    assert np.isnan(drawn([1_000, 1_300], [900, 1_100]).busy_rate).all()


def test_a_member_that_was_not_seen_busy_takes_the_median_of_the_others():
    series = series_of(
        np.array([[10_000, 50], [10_300, 60]]),
        np.array([[1_000, 50], [1_900, 60]]),
        np.tile([0, 1], (2, 1)),
    )

    found = draws_of(series, np.random.default_rng(1))
    assert (found.busy_rate.tolist(), found.assumed.tolist()) == ([[30.0, 30.0]], [False, True])


@pytest.mark.parametrize("count", [1, 0])
def test_one_reading_tells_no_rates(count):
    found = draws_of(
        series_of(np.full((count, 2), 9), np.zeros((count, 2), dtype=int)), np.random.default_rng(1)
    )

    assert np.isnan(found.busy_rate).all()
    assert np.isnan(found.in_rate).all()


def test_six_readings_have_three_windows_of_two_and_a_band():
    # 200 records in 30 s in each of them; what was read between two windows counts for none.
    busy_rate = drawn(10_000 + np.arange(6) * 100, [0, 200, 500, 700, 1_100, 1_300]).busy_rate

    assert busy_rate.shape == (200, 1)
    assert np.median(busy_rate) == pytest.approx(200 / 30, rel=0.01)
    assert busy_rate.std() > 0


def test_a_long_history_has_windows_of_ten():
    slots = np.arange(40)
    found = drawn(100_000 + slots * 20, slots * 10 + slots // 10 * 1_000)

    assert np.median(found.busy_rate) == pytest.approx(10 / 30, rel=0.01)
    assert found.in_rate == pytest.approx(np.full((200, 1), 20 / 30))
