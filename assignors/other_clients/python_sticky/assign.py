"""The sticky algorithm of the Python clients: keep, assign the rest to the fewest, level, and undo levelling that made nothing better.

Reproduces `StickyAssignmentExecutor` of kafka-python 3.0.12 and aiokafka 0.14.0, ports of Kafka's `AbstractStickyAssignor` of 2019.
"""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumed
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing import fill
from evenkeel.assignors.other_clients.member_orders import by_member_id
from evenkeel.assignors.other_clients.python_sticky.claims import settled_claims
from evenkeel.assignors.other_clients.python_sticky.levelling import Levelling
from evenkeel.assignors.other_clients.python_sticky.order import order_of
from evenkeel.assignors.other_clients.python_sticky.taking_part import taking_part

PYTHON_SETS = Assumed("order of Python sets", np.empty(0, dtype=np.int64))
"""The leader took one of several partitions of a Python set, whose order differs from process to process."""


def assign_python_sticky(group: GroupSnapshot, moves_both: bool) -> Assignment:
    """Return who gets what; `moves_both` as in Levelling.

    Raises
    ------
    AssignorError
        KeyError where a partition should go back to a member that takes no part; RequestError where the client's code never ends.
    """
    if not group.member_count:
        return Assignment(np.full(group.tp_count, UNASSIGNED, dtype=np.int32))
    by_id, claims = by_member_id(group), settled_claims(group)
    order = order_of(group, claims, by_id.places)
    kept, is_revoked = _kept(group, claims.owned)
    owner, count = kept.copy(), np.bincount(kept[kept != UNASSIGNED], minlength=group.member_count)
    is_fresh = not count.any()
    left = np.array([tp for tp in order.tps if kept[tp] == UNASSIGNED], dtype=np.int64)
    fill(group, left, owner, count, group.subscribers_in(by_id.rows))
    part = taking_part(group, owner, by_id.places)
    shared = group.subscribers.count_of_topic > 1
    levelling = Levelling(group, owner.tolist(), part, claims.previous, moves_both)
    if not is_revoked:
        levelling.level([tp for tp in left.tolist() if shared[group.tp_topic[tp]]])
    has_moved = levelling.level([tp for tp in order.tps if shared[group.tp_topic[tp]]])
    assumed = (PYTHON_SETS,) if levelling.movements.is_chance or (order.is_chance and has_moved) else ()
    if has_moved and not is_fresh and _imbalance(levelling, part.active) >= _sum_of_differences(part.count[part.active]):
        return Assignment(owner, assumed=assumed)
    return Assignment(np.array(levelling.owner, dtype=np.int32), assumed=assumed)


def _kept(group: GroupSnapshot, owned: list[list[int]]) -> tuple[np.ndarray, bool]:
    """Return the owners, int32 (P,), of what stays, and whether some member lost a partition because it left the topic."""
    kept = np.full(group.tp_count, UNASSIGNED, dtype=np.int32)
    sizes = [len(each) for each in owned]
    member, tp = np.repeat(np.arange(len(owned)), sizes), np.array([tp for each in owned for tp in each], dtype=np.int64)
    is_listed = group.is_listed[group.subscription[member], group.tp_topic[tp]]
    kept[tp[is_listed]] = member[is_listed]
    return kept, not is_listed.all()


def _imbalance(levelling: Levelling, active: list[int]) -> int:
    """Return the score after levelling, where a frozen former owner that was asked for counts as a member without partitions."""
    return _sum_of_differences(np.array([*(levelling.loads.count[member] for member in active), *(0 for _ in levelling.touched)]))


def _sum_of_differences(count: np.ndarray) -> int:
    return int((np.sort(count) * (2 * np.arange(count.size) - count.size + 1)).sum())
