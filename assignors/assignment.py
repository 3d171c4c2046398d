"""Assignment: what an assignor answers."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

UNASSIGNED = -1


class Assumed(NamedTuple):
    """An input that is not known and on which Kafka's answer depends.

    `column` is the snapshot's column (`lag`, `topic_id`) or a condition in words (`hash collisions`); `rows` int64, its rows, empty for a condition.
    """

    column: str
    rows: np.ndarray


HASH_COLLISIONS = Assumed("hash collisions", np.empty(0, dtype=np.int64))
"""Many hash codes met in one bucket of a Java map whose order the answer depends on, and that order is not reproduced."""


def _no_rows(width: int) -> np.ndarray:
    return np.empty((0, width), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Assignment:
    """One owner for each topic-partition, and the little that one owner cannot say.

    Parameters
    ----------
    owner : int32 (P,)
        Row of the member, `UNASSIGNED` for nobody.
    extra : int32 (E, 3)
        (member, topic, partition), no row twice: further owners of a partition (share groups, double claims) and partitions beyond a topic's size.
        Empty in nearly every answer.
    withheld : int32 (W, 2)
        (member, topic-partition): what a cooperative assignor keeps back in this round for a member that will get it in the next. Nobody owns it in `owner`.
    assumed : tuple of Assumed
        Empty where the answer is a function of what the snapshot says.
    """

    owner: np.ndarray
    extra: np.ndarray = field(default_factory=lambda: _no_rows(3))
    withheld: np.ndarray = field(default_factory=lambda: _no_rows(2))
    assumed: tuple[Assumed, ...] = ()

    def handed_out(self) -> "Assignment":
        """Return who owns what once the next round has given out what this one withholds."""
        if not self.withheld.size:
            return self
        owner = self.owner.copy()
        owner[self.withheld[:, 1]] = self.withheld[:, 0]
        return replace(self, owner=owner, withheld=_no_rows(2))
