"""Several things in one line."""

import pytest

from evenkeel.data.text.formats import first_of, listed


def test_a_long_list_ends_with_the_number_of_those_left_out():
    assert first_of(["a", "b", "c", "d", "e"], 2) == ["a", "b", "and 3 more"]
    assert first_of(["a", "b"], 2) == ["a", "b"]
    assert first_of(["a", "b", "c"], 2, "file") == ["a", "b", "and 1 file more"]


@pytest.mark.parametrize(
    ("names", "said"),
    [("a", "a"), ("ab", "a and b"), ("abc", "a, b and c"), ("abcd", "a, b, c and 1 more")],
)
def test_names_are_listed_as_in_a_sentence(names, said):
    assert listed(names) == said
