"""Members by partitions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dashboard.charts.count_histogram import MOST_BINS, bins, count_histogram


def test_small_counts_have_a_bin_each():
    info = bins(np.array([0, 2, 2, 3]), np.array([1, 2, 2, 2]))

    assert info.first.tolist() == info.last.tolist() == [0, 1, 2, 3]
    assert info.current.tolist() == [1, 0, 2, 1]
    assert info.candidate.tolist() == [0, 1, 3, 0]
    assert info.idle == (1, 0)


@given(st.lists(st.integers(0, 5_000), min_size=1, max_size=50), st.lists(st.integers(0, 5_000), min_size=1, max_size=50))
def test_every_member_is_in_one_of_at_most_24_bins(current, candidate):
    info = bins(np.array(current), np.array(candidate))

    assert len(info.first) <= MOST_BINS
    assert info.current.sum() == len(current)
    assert info.candidate.sum() == len(candidate)


def test_idle_members_are_named(balance):
    figure = count_histogram(balance([0, 0, 3], [0, 0, 1]), balance([1, 1, 1], [0, 0, 1]), "lag")

    assert [note.text for note in figure.layout.annotations if "idle" in note.text] == ["2 idle"]
    assert figure.data[0].y.tolist() == [2, 0, 0, 1]
