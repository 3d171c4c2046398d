"""Rows of (member, topic, partition) as integers."""

import numpy as np

from evenkeel.assignors.group.row_numbers import are_among, distinct_rows, numbers_of
from tests.assignors.groups import group

SNAPSHOT = group({"a": 3, "b": 3}, A="a b", B="a b", C="a b")


def rows(*triples):
    return np.array(triples, dtype=np.int32).reshape(-1, 3)


def test_a_smaller_row_has_the_smaller_number_also_beyond_a_topics_size():
    ascending = rows((0, 0, 0), (0, 0, 2**31 - 1), (0, 1, 0), (1, 0, 1), (2, 1, 2))

    assert (np.diff(numbers_of(SNAPSHOT, ascending)) > 0).all()


def test_rows_come_ascending_and_each_once():
    assert distinct_rows(SNAPSHOT, rows((2, 1, 2**31 - 1), (0, 1, 1), (0, 0, 2), (0, 1, 1))).tolist() == [
        [0, 0, 2],
        [0, 1, 1],
        [2, 1, 2**31 - 1],
    ]
    assert distinct_rows(SNAPSHOT, rows()).tolist() == []


def test_which_numbers_are_among_others():
    assert are_among(np.array([5, 1, 9, 3]), np.array([1, 3, 5])).tolist() == [True, True, False, True]
    assert are_among(np.array([5]), np.array([], dtype=np.int64)).tolist() == [False]
