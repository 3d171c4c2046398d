"""Outcome: what both sticky assignors compute before they differ."""

from typing import NamedTuple

import numpy as np

from assignors.assignment import Assumed


class Outcome(NamedTuple):
    """`owner`, `extra` and `assumed` as in Assignment.

    `withheld` int64: topic-partitions that cooperative-sticky keeps back from their owner. `is_constrained`: answered as if all members subscribed to the same.
    """

    owner: np.ndarray
    extra: np.ndarray
    withheld: np.ndarray
    is_constrained: bool
    assumed: tuple[Assumed, ...]
