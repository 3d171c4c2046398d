"""Rows of (member, topic, partition) as one integer each: sorting and comparing integers is ten times as fast as rows."""

import numpy as np

from evenkeel.assignors.group.snapshot import GroupSnapshot

# A partition number is an int32; the other 31 bits hold member * topics + topic.
_PARTITION_BITS = 32


def numbers_of(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    """Return int64 (N,), one number for each row of int32 (N, 3); a smaller row has a smaller number."""
    numbers = rows[:, 0].astype(np.int64)
    numbers *= group.topic_count
    numbers += rows[:, 1]
    numbers <<= _PARTITION_BITS
    numbers |= rows[:, 2]
    return numbers


def distinct_rows(group: GroupSnapshot, rows: np.ndarray) -> np.ndarray:
    """Return the rows ascending, each once."""
    numbers = numbers_of(group, rows)
    if (numbers[1:] > numbers[:-1]).all():
        return rows
    numbers.sort()
    numbers = numbers[np.append(True, numbers[1:] != numbers[:-1])]
    pair, partition = numbers >> _PARTITION_BITS, numbers & ((1 << _PARTITION_BITS) - 1)
    return np.column_stack((*np.divmod(pair, group.topic_count), partition)).astype(np.int32)


def are_among(numbers: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Tell, bool (N,), which numbers occur in `others`, which ascends."""
    if not others.size:
        return np.zeros(numbers.size, dtype=bool)
    place = np.searchsorted(others, numbers)
    place[place == others.size] -= 1
    return others[place] == numbers
