"""Racks (KIP-881), as the sticky assignors see them."""

import numpy as np

from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.racks import Racks


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
