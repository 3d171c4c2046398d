"""Names of racks that the group does not have yet."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from assignors.group import NO_RACK, GroupSnapshot


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
