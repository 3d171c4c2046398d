"""Names of racks that the group does not have yet."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from evenkeel.assignors.group import NO_RACK, GroupSnapshot


def with_rack_names(group: GroupSnapshot, names: Iterable[str | None]) -> GroupSnapshot:
    """Return the group with these racks among its names."""
    rack_name = tuple(sorted({*group.rack_name, *names} - {None}))
    if rack_name == group.rack_name:
        return group
    row = {name: number for number, name in enumerate(rack_name)}
    # NO_RACK is -1: the last place stands for replicas and members without rack.
    moved = np.array([*(row[name] for name in group.rack_name), NO_RACK], dtype=np.int32)
    return replace(group, rack_name=rack_name, replica_rack=moved[group.replica_rack], member_rack=moved[group.member_rack])


def rack_row(group: GroupSnapshot, name: str | None) -> int:
    """Return the row of a rack, `NO_RACK` for None."""
    return NO_RACK if name is None else group.rack_name.index(name)


def with_member_rack(group: GroupSnapshot, members: np.ndarray, rack: str | None) -> GroupSnapshot:
    """Return the group where these members, rows, say this rack; None for no rack, the empty string for librdkafka's way to say so."""
    group = with_rack_names(group, [rack or None])
    member_rack = group.member_rack.copy()
    member_rack[members] = rack_row(group, rack or None)
    is_empty = np.zeros(group.member_count, dtype=bool) if group.has_empty_rack is None else group.has_empty_rack.copy()
    is_empty[members] = rack == ""
    return replace(group, member_rack=member_rack, has_empty_rack=is_empty if is_empty.any() else None)
