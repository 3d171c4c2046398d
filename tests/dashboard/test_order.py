"""The order of members."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.dashboard.names import natural, worst_first


def test_members_come_by_lag_and_ties_by_name_as_people_count():
    order = worst_first(np.array([5, 0, 9, 5]), ["pay-10", "pay-1", "pay-3", "pay-2"])

    assert order.tolist() == [2, 3, 0, 1]


def test_names_that_mix_digits_and_letters_can_be_compared():
    assert sorted(["a-10", "a-b", "a-2", "7", ""], key=natural) == ["", "7", "a-2", "a-10", "a-b"]


def test_numbers_of_any_length_are_numbers_and_other_digits_are_letters():
    long = "9" * 5_000

    assert sorted([f"a{long}", "a²", "a1", "a01b", f"a1{long}"], key=natural) == [
        "a1",
        "a01b",
        f"a{long}",
        f"a1{long}",
        "a²",
    ]


@given(st.lists(st.text()))
def test_any_names_have_an_order(names):
    in_order = sorted(names, key=natural)

    assert sorted(in_order, key=natural) == in_order
