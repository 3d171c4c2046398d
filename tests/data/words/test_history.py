"""Sentences of a group's history."""

import pytest

from data.words.history import why_never


@pytest.mark.parametrize(
    ("excess", "expected"),
    [
        (1234.56, "1,234.6 records/s more come in than their owners can read"),
        (0.0, "nobody reads a partition with lag"),
        (float("nan"), "it is unknown how much more comes in than goes out"),
    ],
)
def test_an_unknown_excess_is_never_told_as_0(excess, expected):
    assert why_never(excess) == expected
