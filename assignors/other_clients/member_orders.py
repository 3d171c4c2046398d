"""The orders in which other clients walk members: by code point, as Go and Python compare strings, which is not Java's order."""

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.orders import MemberOrder


def by_member_id(group: GroupSnapshot) -> MemberOrder:
    """Order members by their ids: clients that ignore static membership."""
    rows = sorted(range(group.member_count), key=group.member_id.__getitem__)
    return MemberOrder(np.array(rows, dtype=np.int32), ())


def static_first(group: GroupSnapshot) -> MemberOrder:
    """Order static members by instance id, then dynamic ones by member id; two of one instance id stay in the order reported."""

    def key(row: int) -> tuple[bool, str]:
        instance = group.instance_id[row]
        return instance is None, group.member_id[row] if instance is None else instance

    return MemberOrder(np.array(sorted(range(group.member_count), key=key), dtype=np.int32), ())
