"""Racks: which racks hold replicas of which partitions, and which racks members have (KIP-881)."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.group.snapshot import NO_RACK


@dataclass(frozen=True, eq=False)
class Racks:
    """Which racks hold a replica of which partition.

    Parameters
    ----------
    member_rack : int32 (M,)
        `NO_RACK` for none.
    has : bool (P + B, racks)
        Partitions beyond their topic's size have no replicas.
    """

    member_rack: np.ndarray
    has: np.ndarray

    def match(self, member: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return where the member's rack holds a replica."""
        rack = self.member_rack[member]
        return (rack != NO_RACK) & self.has[row, rack]

    def mismatch(self, member: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return where the member has a rack and no replica is there."""
        rack = self.member_rack[member]
        return (rack != NO_RACK) & ~self.has[row, rack]

    def near_count(self, row: np.ndarray) -> np.ndarray:
        """Return how many members have a replica in their rack, int64."""
        with_rack = self.member_rack[self.member_rack != NO_RACK]
        return self.has[row] @ np.bincount(with_rack, minlength=self.has.shape[1])
