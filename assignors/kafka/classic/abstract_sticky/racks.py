"""Racks (KIP-881), as the sticky assignors see them."""

from dataclasses import dataclass

import numpy as np

from assignors.group import NO_RACK, GroupSnapshot


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


def racks_in_play(group: GroupSnapshot, beyond_count: int) -> Racks | None:
    """Return the racks, None where they do not count: members and partitions share none, or all partitions have the same ones."""
    if not group.rack_name or not (group.member_rack != NO_RACK).any() or not (group.replica_rack != NO_RACK).any():
        return None
    has = np.zeros((group.tp_count + beyond_count, len(group.rack_name)), dtype=bool)
    known = group.replica_rack != NO_RACK
    has[np.repeat(np.arange(group.tp_count), np.diff(group.replica_start))[known], group.replica_rack[known]] = True
    playing = has[: group.tp_count] if group.in_play.all() else has[: group.tp_count][group.in_play[group.tp_topic]]
    everywhere = playing.any(axis=0)
    shared = everywhere[group.member_rack[group.member_rack != NO_RACK]].any()
    return Racks(group.member_rack, has) if shared and (playing != everywhere).any() else None
