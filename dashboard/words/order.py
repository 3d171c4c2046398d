"""The order in which pages list members."""

import re
from collections.abc import Sequence

import numpy as np

# Other digits than these are letters: `²` is no number.
_DIGITS = re.compile("([0-9]+)")


def natural(name: str) -> list:
    """Return a sort key that puts `orders-2` before `orders-10`."""
    # Not as a number: Python reads none of more than 4,300 digits. Every second part is one of digits.
    numbers = enumerate(_DIGITS.split(name))
    return [(0, len(part.lstrip("0")), part.lstrip("0")) if place % 2 else (1, 0, part) for place, part in numbers if part]


def worst_first(lag: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Return the rows by lag, most first; ties by name: two readings of the same data look the same."""
    by_name = np.array(sorted(range(len(names)), key=lambda row: natural(names[row])), dtype=np.int64)
    return by_name[np.argsort(-lag[by_name], kind="stable")]


def worst_of_both(order: np.ndarray, lag_after: np.ndarray, most: int) -> np.ndarray:
    """Move the members that are worst after a change into the last third of the first `most` places of `order`.

    `order` has the members that are worst before the change first.
    """
    after = order[np.argsort(-lag_after[order], kind="stable")]
    now, third = order[: most - most // 3], after[: most // 3]
    first = np.concatenate((now, third[~np.isin(third, now)]))
    rest = order[~np.isin(order, first)]
    return np.concatenate((first, rest))
