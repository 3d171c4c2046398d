"""The partition that no assignor can split."""

import numpy as np
import pytest

from evenkeel.assignors.compare.advice import hottest


@pytest.mark.parametrize(
    ("lag", "is_in_play", "found"),
    [
        ([9, 1, 1], [True, True, True], (0, 9)),
        ([3, 3], [True, True], (0, 3)),
        ([-1, 5], [True, True], (1, 5)),
        ([900, 3, 5], [False, True, True], (2, 5)),
        ([0, 0], [True, True], None),
        ([-1, -1], [True, True], None),
        ([9], [False], None),
        ([], [], None),
    ],
)
def test_it_is_the_one_with_the_most_known_lag_that_a_member_can_get(lag, is_in_play, found):
    assert hottest(np.array(lag, dtype=np.int64), np.array(is_in_play, dtype=bool)) == found
