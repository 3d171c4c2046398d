"""Members by partitions."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.assignors.compare.balance import Balance
from evenkeel.dashboard.compare.many_members import (
    BINS,
    MOST_BINS,
    NARROW,
    bins,
    count_histogram,
    seed_bins,
)
from evenkeel.dashboard.parts.text_width import text_width


def test_few_counts_have_a_bin_each_and_none_is_empty():
    info = bins(np.array([0, 2, 2, 3]), np.array([100, 2, 2, 2]))

    assert info.first.tolist() == info.last.tolist() == [0, 2, 3, 100]
    assert info.current.tolist() == [1, 2, 1, 0]
    assert info.candidate.tolist() == [0, 3, 0, 1]


def test_many_counts_share_bins_and_idle_members_have_one_of_their_own():
    info = bins(np.arange(49), np.arange(49))

    assert list(zip(info.first.tolist(), info.last.tolist(), strict=False))[:3] == [
        (0, 0),
        (1, 2),
        (3, 4),
    ]
    assert info.current.tolist() == [1] + [2] * 24


@given(
    st.lists(st.integers(0, 5_000), min_size=1, max_size=50),
    st.lists(st.integers(0, 5_000), min_size=1, max_size=50),
)
def test_every_member_is_in_one_of_at_most_24_bins_and_the_idle_one(current, candidate):
    info = bins(np.array(current), np.array(candidate))

    assert len(info.first) <= MOST_BINS + 1
    assert info.current.sum() == len(current)
    assert info.candidate.sum() == len(candidate)


@given(st.lists(st.integers(0, 90_000), min_size=1, max_size=60))
@settings(max_examples=40, deadline=None)
def test_ticks_do_not_run_into_each_other_in_a_narrow_column_and_name_first_and_last(counts):
    no_lag = np.zeros(len(counts), dtype=np.int64)
    axis = count_histogram(None, Balance(np.array(counts), no_lag, no_lag), "lag").layout.xaxis
    unit = NARROW / (axis.range[1] - axis.range[0])

    sides = [
        (unit * place - text_width(text) / 2, unit * place + text_width(text) / 2)
        for place, text in zip(axis.tickvals, axis.ticktext, strict=True)
    ]

    assert all(end + 3 < start for (_, end), (start, _) in pairwise(sides))
    assert axis.tickvals[0] == 0
    assert axis.tickvals[-1] == len(bins(np.empty(0, dtype=np.int64), np.array(counts)).first) - 1


def test_few_counts_have_bars_no_broader_than_a_sixth_of_the_plot(balance):
    axis = count_histogram(balance([1] * 9, [0] * 9), balance([1] * 9, [0] * 9), "lag").layout.xaxis

    assert axis.range[1] - axis.range[0] >= 6


def test_idle_members_are_named(balance):
    figure = count_histogram(balance([0, 0, 3], [0, 0, 1]), balance([1, 1, 1], [0, 0, 1]), "lag")

    assert [note.text for note in figure.layout.annotations if "idle" in note.text] == [
        "<b>2 idle</b> now"
    ]
    assert figure.data[0].y.tolist() == [2, 0, 1]
    assert list(figure.layout.xaxis.ticktext) == ["0", "1", "3"]


# Figures of many seeds as a strip.


def test_the_text_is_the_median_and_what_nine_of_ten_seeds_lie_between():
    bins = seed_bins(np.arange(1, 202), is_count=True)

    assert (bins.median, bins.range) == ("101", "(11–191)")
    assert (sum(bins.counts), len(bins.counts)) == (201, BINS)


def test_the_bin_of_the_median_is_where_most_equal_seeds_lie():
    bins = seed_bins(np.array([10, 50, 50, 50, 90]), is_count=True, wanted=5)

    assert [(place, count) for place, count in enumerate(bins.counts) if count] == [
        (0, 1),
        (12, 3),
        (23, 1),
    ]
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
