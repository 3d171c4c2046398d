"""Figures of many seeds as a strip."""

import numpy as np

from evenkeel.dashboard.charts.numbers.seed_bins import BINS, seed_bins


def test_the_text_is_the_median_and_what_nine_of_ten_seeds_lie_between():
    bins = seed_bins(np.arange(1, 202), is_count=True)

    assert (bins.median, bins.range) == ("101", "(11–191)")
    assert (sum(bins.counts), len(bins.counts)) == (201, BINS)


def test_the_bin_of_the_median_is_where_most_equal_seeds_lie():
    bins = seed_bins(np.array([10, 50, 50, 50, 90]), is_count=True, wanted=5)

    assert [(place, count) for place, count in enumerate(bins.counts) if count] == [(0, 1), (12, 3), (23, 1)]
    assert bins.middle == 12


def test_seeds_that_agree_say_so():
    bins = seed_bins(np.full(200, 157_000), is_count=False)

    assert (bins.median, bins.range, bins.counts[bins.middle]) == ("157\u202fk", "in all 200", 200)
    assert bins.sentence("worst") == "worst: 157\u202fk in all 200, 200 of 200 seeds"


def test_seeds_that_are_still_computed_are_not_counted_as_agreeing():
    assert seed_bins(np.full(30, 7), is_count=True).range == "in 30 of 200"


def test_no_seed_has_no_strip():
    assert seed_bins(np.empty(0, dtype=np.int64), is_count=True) is None


def test_lags_beyond_2_to_the_62_have_bins_too():
    assert seed_bins(np.array([0, 2**63 - 1]), is_count=False, wanted=2).counts[::23] == (1, 1)
