"""What a form offers: members, topics and racks as they are when the step starts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group import NO_RACK
from evenkeel.dashboard.loading.scenarios.advance_rates import Stretch
from evenkeel.data.columns.observed import ObservedGroup


class Choices(NamedTuple):
    """`members`: short names by member id. `topics`: partitions by name. `racks`: of members and partitions.

    `stretches`: of the group's history.
    """

    members: dict[str, str]
    topics: dict[str, int]
    racks: list[str]
    stretches: Sequence[Stretch] = ()


def choices_of(group: ObservedGroup, names: Mapping[str, str], stretches: Sequence[Stretch] = ()) -> Choices:
    """Return the choices of a group, `names` by member id; topics that only a subscription names cannot be chosen."""
    snapshot = group.snapshot
    sizes = zip(snapshot.topic_name, snapshot.partition_count.tolist(), snapshot.topic_known.tolist(), strict=True)
    used = np.union1d(snapshot.member_rack, snapshot.replica_rack).tolist()
    racks = sorted(snapshot.rack_name[rack] for rack in used if rack != NO_RACK)
    members = {member_id: names.get(member_id, member_id) for member_id in snapshot.member_id}
    return Choices(members, {name: size for name, size, is_known in sizes if is_known}, racks, stretches)
