"""The sticky algorithm for equal subscriptions (KAFKA-9987): partition counts differ by at most one.

Members keep what they own up to their quota. Partitions that are not kept go to members below the lower quota in rounds, then to members at
it.
"""

import numpy as np

from evenkeel.assignors.arrays import deal_in_turn
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.kafka.classic.abstract_sticky.claims import NO_ROWS, Owned
from evenkeel.assignors.kafka.classic.abstract_sticky.constrained.kept_partitions import Kept, Quota, kept_partitions
from evenkeel.assignors.kafka.classic.abstract_sticky.constrained.queues import Queues, takers
from evenkeel.assignors.kafka.classic.abstract_sticky.constrained.rack_fill import takers_by_rack
from evenkeel.assignors.kafka.classic.abstract_sticky.outcome import NO_EXTRA, Outcome, extra_rows, rows_beyond
from evenkeel.assignors.kafka.classic.abstract_sticky.unassigned import unassigned_rows


def assign_constrained(group: GroupSnapshot, owned: Owned, racks: Racks | None) -> Outcome:
    """Return who gets what.

    Raises
    ------
    AssignorError
        ArithmeticException without members; IllegalStateException where partitions beyond their topic's size leave more to assign than
        members may take.
    """
    # Java divides by the number of members. A group without any always comes here, because no subscription differs.
    if not group.member_count:
        raise AssignorError("ArithmeticException", "the group has 0 members, expected at least 1")
    if group.is_all_in_play and racks is None and not (owned.count.any() or owned.doubly.size):
        return _dealt_out(group)
    quota = Quota(*divmod(int(group.partition_count[group.in_play].sum()), group.member_count))
    kept = kept_partitions(group, owned, racks, quota)
    queues = _queues(group, kept, quota)
    rows = np.sort(kept.released) if owned.is_complete else unassigned_rows(group, kept.owner, owned.beyond)
    if racks is None:
        given = takers(queues, rows.size)
    else:
        rows, given = takers_by_rack(queues, rows, racks, quota.may_exceed - kept.over)
    return _outcome(group, owned, kept, rows, given)


def _dealt_out(group: GroupSnapshot) -> Outcome:
    """Return the answer where nothing is owned: one partition for each member in every round."""
    owner = np.empty(group.tp_count, dtype=np.int32)
    deal_in_turn(owner, group.members_by_id)
    return Outcome(owner, NO_EXTRA, NO_ROWS, True, ())


def _queues(group: GroupSnapshot, kept: Kept, quota: Quota) -> Queues:
    members = group.members_by_id
    count = kept.count[members]
    missing = quota.least - count
    below = missing > 0
    exact = members[missing == 0] if kept.over < quota.may_exceed else members[:0]
    return Queues(members[below], missing[below], exact)


def _outcome(group: GroupSnapshot, owned: Owned, kept: Kept, rows: np.ndarray, given: np.ndarray) -> Outcome:
    """Combine what is kept and what is assigned, in place where possible. A kept row may be assigned again, see `unassigned_rows`."""
    owner = np.require(kept.owner[: group.tp_count], requirements="W")
    before = owned.owner[rows]
    transferred = (before != UNASSIGNED) & (before != given)
    # assignNewPartition also counts what several members claimed (partitionsWithMultiplePreviousOwners), whoever gets it.
    if owned.doubly.size:
        transferred |= np.isin(rows, owned.doubly)
    if not len(owned.beyond):
        owner[rows] = given
        return Outcome(owner, NO_EXTRA, rows[transferred], True, kept.assumed)
    again = owner[rows] != UNASSIGNED
    second = again & (owner[rows] != given)
    beyond = rows_beyond(group, kept.owner)
    extra = extra_rows(group, owned.beyond, np.append(given[second], kept.owner[beyond]), np.append(rows[second], beyond))
    owner[rows[~again]] = given[~again]
    return Outcome(owner, extra, rows[transferred & ~again], True, kept.assumed)
