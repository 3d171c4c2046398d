"""Quirk: a behaviour of Kafka's that surprises, and where it struck."""

from typing import NamedTuple

import numpy as np

REMAINDER = "remainder"
"""Not a fault: range gives what does not divide evenly to the members that come first, in every topic."""


class Quirk(NamedTuple):
    """`name` as in `docs/assignors.md`, such as `Q-5`; `member` int32, `topic` int32: the pairs that it strikes, ascending, each once."""

    name: str
    member: np.ndarray
    topic: np.ndarray


def quirk_of(name: str, member: np.ndarray, topic: np.ndarray) -> tuple[Quirk, ...]:
    """Return the quirk that strikes these pairs, which may repeat; nothing where there are none."""
    pairs = np.unique(np.column_stack((member, topic)), axis=0).astype(np.int32)
    return (Quirk(name, pairs[:, 0], pairs[:, 1]),) if len(pairs) else ()
