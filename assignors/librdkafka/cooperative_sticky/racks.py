"""Racks as librdkafka's cooperative-sticky sees them."""

import numpy as np

from evenkeel.assignors.group import NO_RACK
from evenkeel.assignors.group.racks import Racks, has_racks
from evenkeel.assignors.librdkafka.cooperative_sticky.known_group import KnownGroup


def racks_in_play(known: KnownGroup) -> Racks | None:
    """Return the racks, None where they do not count: subscribers and partitions share none, or all partitions have the same ones.

    A member that says the empty rack has a rack where no replica is: it is far from every partition.
    """
    group = known.group
    if not has_racks(group):
        return None
    names = [*group.rack_name, *([] if "" in group.rack_name else [""])]
    has = np.zeros((group.tp_count, len(names)), dtype=bool)
    is_known = group.replica_rack != NO_RACK
    has[np.repeat(np.arange(group.tp_count), np.diff(group.replica_start))[is_known], group.replica_rack[is_known]] = True
    playing = has[known.rows]
    everywhere = playing.any(axis=0)
    of_members = group.member_rack[known.members]
    if not everywhere[of_members[of_members != NO_RACK]].any() or (playing == everywhere).all():
        return None
    member_rack = group.member_rack.copy()
    if group.has_empty_rack is not None:
        member_rack[group.has_empty_rack] = names.index("")
    return Racks(member_rack, has)
