"""The sticky algorithm for equal subscriptions (KAFKA-9987): partition counts differ by at most
one.

Members keep owned partitions up to their quota. All other partitions are dealt: first, in rounds,
to members below the lower quota, then one each to members at the lower quota. With racks, members
near a replica come first.
"""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing.rings import deal_and_tell
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.kafka.sticky.claims import (
    NO_EXTRA,
    NO_ROWS,
    Outcome,
    PriorOwners,
    extra_rows,
    rows_beyond,
    unassigned_rows,
)
from evenkeel.assignors.kafka.sticky.kept import (
    Quota,
    RetainedPartitions,
    kept_partitions,
    tell_kept,
)
from evenkeel.assignors.kafka.sticky.takers import Queues, takers, takers_by_rack, tell_given
from evenkeel.assignors.trace import (
    asked,
)


def assign_constrained(group: GroupSnapshot, owned: PriorOwners, racks: Racks | None) -> Outcome:
    """Return the assignment.

    Raises
    ------
    AssignorError
        ArithmeticException if there are no members. IllegalStateException if members own partitions
        that do not exist, so that quotas leave partitions without an owner.
    """
    # Java divides by the number of members. A group without members always uses this algorithm,
    # because no subscriptions differ.
    if not group.member_count:
        raise AssignorError("ArithmeticException", "the group has 0 members, expected at least 1")
    if group.is_all_in_play and racks is None and not (owned.held_count.any() or owned.doubly.size):
        return _dealt_out(group)
    quota = Quota(*divmod(int(group.partition_count[group.in_play].sum()), group.member_count))
    retained = kept_partitions(group, owned, racks, quota)
    if (trace := asked()) is not None:
        tell_kept(trace, group.tp_count, owned, retained, racks, quota)
    queues = _queues(group, retained, quota)
    rows = (
        np.sort(retained.released)
        if owned.is_complete
        else unassigned_rows(group, retained.owner, owned.beyond)
    )
    if racks is None:
        given = takers(queues, rows.size)
        if trace is not None:
            tell_given(trace, rows, queues, given)
    else:
        rows, given = takers_by_rack(queues, rows, racks, quota.may_exceed - retained.over)
    return _outcome(group, owned, retained, rows, given)


def _dealt_out(group: GroupSnapshot) -> Outcome:
    """Deal all partitions in rounds, for a group without owned partitions.

    In each round, each member gets one partition.
    """
    owner = np.empty(group.tp_count, dtype=np.int32)
    deal_and_tell(owner, group.members_by_id, slice(0, group.tp_count))
    return Outcome(owner, NO_EXTRA, NO_ROWS, True, ())


def _queues(group: GroupSnapshot, retained: RetainedPartitions, quota: Quota) -> Queues:
    members = group.members_by_id
    count = retained.held_count[members]
    missing = quota.least - count
    below = missing > 0
    exact = members[missing == 0] if retained.over < quota.may_exceed else members[:0]
    return Queues(members[below], missing[below], exact)


def _outcome(
    group: GroupSnapshot,
    owned: PriorOwners,
    retained: RetainedPartitions,
    rows: np.ndarray,
    given: np.ndarray,
) -> Outcome:
    """Combine retained and newly assigned partitions, in place if possible.

    A retained partition may be assigned a second time, see `unassigned_rows`.
    """
    owner = np.require(retained.owner[: group.tp_count], requirements="W")
    before = owned.owner[rows]
    transferred = (before != UNASSIGNED) & (before != given)
    # assignNewPartition also counts each partition that several members claimed
    # (partitionsWithMultiplePreviousOwners), whichever member gets the partition.
    if owned.doubly.size:
        transferred |= np.isin(rows, owned.doubly)
    if not len(owned.beyond):
        owner[rows] = given
        return Outcome(owner, NO_EXTRA, rows[transferred], True, retained.assumed)
    again = owner[rows] != UNASSIGNED
    second = again & (owner[rows] != given)
    beyond = rows_beyond(group, retained.owner)
    extra = extra_rows(
        group,
        owned.beyond,
        np.append(given[second], retained.owner[beyond]),
        np.append(rows[second], beyond),
    )
    owner[rows[~again]] = given[~again]
    return Outcome(owner, extra, rows[transferred & ~again], True, retained.assumed)
