"""Assignment: what an assignor answers."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

UNASSIGNED = -1


class Assumed(NamedTuple):
    """An unknown input on which Kafka's answer depends.

    `column` is the snapshot's column (`lag`, `topic_id`) or a condition in words (`hash collisions`).
    `rows` int64: rows of the column; empty for a condition.
    """

    column: str
    rows: np.ndarray


HASH_COLLISIONS = Assumed("hash collisions", np.empty(0, dtype=np.int64))
"""The answer depends on a Java map in which many hash codes met in one bucket. The order of that bucket is not reproduced."""


def _no_rows(width: int) -> np.ndarray:
    return np.empty((0, width), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Assignment:
    """One owner for each topic-partition, and what one owner cannot say.

    Parameters
    ----------
    owner : int32 (P,)
        Row of the member, or `UNASSIGNED`.
    extra : int32 (E, 3)
        (member, topic, partition), each row once: further owners of a partition (share groups, double claims), and partitions beyond a
        topic's size. Empty in nearly every answer.
    withheld : int32 (W, 2)
        (member, topic-partition): what a cooperative assignor keeps back for a member that gets it in the next round. In `owner` it is
        unassigned.
    assumed : tuple of Assumed
        Empty where the snapshot alone decides the answer.
    """

    owner: np.ndarray
    extra: np.ndarray = field(default_factory=lambda: _no_rows(3))
    withheld: np.ndarray = field(default_factory=lambda: _no_rows(2))
    assumed: tuple[Assumed, ...] = ()

    def handed_out(self) -> "Assignment":
        """Return who owns what after the next round, which assigns what this round withholds."""
        if not self.withheld.size:
            return self
        owner = self.owner.copy()
        owner[self.withheld[:, 1]] = self.withheld[:, 0]
        return replace(self, owner=owner, withheld=_no_rows(2))
