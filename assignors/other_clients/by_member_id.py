"""Members by id alone: clients that ignore static membership."""

import numpy as np

from assignors.group import GroupSnapshot
from assignors.group.member_order import MemberOrder


def by_member_id(group: GroupSnapshot) -> MemberOrder:
    """Order members by the code points of their ids, as Go and Python compare strings."""
    rows = sorted(range(group.member_count), key=group.member_id.__getitem__)
    return MemberOrder(np.array(rows, dtype=np.int32), ())
