"""Capacity: how many buckets a java.util.HashMap begins with."""

FIRST_CAPACITY = 16
"""Of a map or set made without arguments."""

TREE_CAPACITY = 64
"""From here on a crowded chain becomes a tree; a smaller table is doubled."""

# JDK 19 rounds size / 0.75 up, older ones add 1: the buckets differ only at 3/4 of a power of two, such as 12, 24, 48.
_NEW_RULE_SINCE = 19
_LOAD_FACTOR = 0.75


def rounded(capacity: int) -> int:
    """Return the buckets of `new HashMap(capacity)`: the next power of two."""
    return 1 << max(capacity - 1, 0).bit_length()


def threshold(capacity: int) -> int:
    """Return how many entries a table holds before it is doubled."""
    return capacity * 3 // 4


def of_set(size: int, jdk: int) -> int:
    """Return the buckets of a HashSet made from a collection that says it has `size` elements."""
    if jdk < _NEW_RULE_SINCE:
        return rounded(max(_floor(size) + 1, FIRST_CAPACITY))
    return rounded(_ceiling(max(size, threshold(FIRST_CAPACITY))))


def of_put_all(size: int, jdk: int) -> int:
    """Return the buckets of an empty HashMap after `putAll` of a map that says it has `size` entries."""
    return rounded(_floor(size) + 1 if jdk < _NEW_RULE_SINCE else _ceiling(size))


def presized(count: int) -> int:
    """Return the buckets of `new HashMap((int) (count / 0.75 + 1))`, which Kafka writes for a map of known size."""
    return rounded(_floor(count) + 1)


def _floor(count: int) -> int:
    return int(count / _LOAD_FACTOR)


def _ceiling(count: int) -> int:
    return -int(-count // _LOAD_FACTOR)
