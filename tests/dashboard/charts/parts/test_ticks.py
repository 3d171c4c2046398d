"""Values and texts of axes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.dashboard.charts.parts.ticks import ticks


@pytest.mark.parametrize(
    ("high", "low", "whole", "texts"),
    [
        (218_000, 0, True, ["0", "50\u202fk", "100\u202fk", "150\u202fk", "200\u202fk"]),
        (11, 0, True, ["0", "5", "10"]),
        (3, 0, True, ["0", "1", "2", "3"]),
        (1, 0, True, ["0", "1"]),
        (2.0, 1.0, False, ["1.0", "1.2", "1.4", "1.6", "1.8", "2.0"]),
        (2.1, 0.95, False, ["1.00", "1.25", "1.50", "1.75", "2.00"]),
        (1.32, 0.97, False, ["1.0", "1.1", "1.2", "1.3"]),
        (0, 0, True, ["0"]),
    ],
)
def test_ticks_are_round_and_say_what_they_stand_at(high, low, whole, texts):
    assert ticks(high, low, whole=whole)[1] == texts


@given(st.floats(0.01, 1e12), st.booleans())
def test_ticks_lie_on_the_axis_and_are_few(high, whole):
    values, texts = ticks(high, whole=whole)

    assert len(values) == len(texts) == len(set(texts)) <= 7
    assert all(0 <= value <= high * 1.001 for value in values)
