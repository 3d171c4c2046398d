"""The sticky algorithm of the Python clients. It retains partitions, assigns the others to the
members with the fewest partitions, and then levels. If levelling is no improvement, it is undone.

Reproduces `StickyAssignmentExecutor` of kafka-python 3.0.12 and aiokafka 0.14.0. Both are ports of
Kafka's `AbstractStickyAssignor` of 2019: one algorithm for all groups, without racks.
"""

from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumption
from evenkeel.assignors.clients.python_levelling import Levelling, taking_part
from evenkeel.assignors.clients.strategies import by_member_id
from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.group.dealing.fewest import fill
from evenkeel.assignors.group.snapshot import topics_as_sent
from evenkeel.assignors.trace import KeepStep, Reason, ReleaseStep, Undone, asked

PYTHON_SETS = Assumption("order of Python sets", np.empty(0, dtype=np.int64))
"""The leader took one of several partitions from a Python set. The order of a set is different
in each process.
"""

VERSION_1 = b"\0\1"
"""First bytes of the user data of kafka-python's `sticky`."""


def assign_python_sticky(group: GroupSnapshot, moves_both: bool) -> Assignment:
    """Return the assignment. `moves_both`: as in `Levelling`.

    Raises
    ------
    AssignorError
        `KeyError` if a partition would go back to a frozen member. `RequestError` if the client's
        code never ends.
    """
    if not group.member_count:
        return Assignment(group.unowned())
    by_id, claims = by_member_id(group), _settled_claims(group)
    order = _order_of(group, claims, by_id.places)
    retained, is_revoked = _kept(group, claims.owned)
    owner, count = (
        retained.copy(),
        np.bincount(retained[retained != UNASSIGNED], minlength=group.member_count),
    )
    is_fresh = not count.any()
    left = np.array([tp for tp in order.tps if retained[tp] == UNASSIGNED], dtype=np.int64)
    fill(group, left, owner, count, group.subscribers_in(by_id.rows))
    part = taking_part(group, owner, by_id.places)
    shared = group.subscribers.count_of_topic > 1
    levelling = Levelling(group, owner.tolist(), part, claims.previous, moves_both)
    if not is_revoked:
        levelling.level([tp for tp in left.tolist() if shared[group.tp_topic[tp]]])
    has_moved = levelling.level([tp for tp in order.tps if shared[group.tp_topic[tp]]])
    assumed = (
        (PYTHON_SETS,) if levelling.movements.is_chance or (order.is_chance and has_moved) else ()
    )
    if (
        has_moved
        and not is_fresh
        and _imbalance(levelling, part.active) >= _sum_of_differences(part.count[part.active])
    ):
        if (trace := asked()) is not None:
            for tp in trace.of(np.flatnonzero(owner != levelling.owner)):
                trace.add(tp, Undone(int(owner[tp])))
        return Assignment(owner, assumed=assumed)
    return Assignment(np.array(levelling.owner, dtype=np.int32), assumed=assumed)


class _Claims(NamedTuple):
    """The claims that the client accepts.

    `owned`: the partitions of each member, in the order in which members first claim them.
    `previous`: for each partition, the member with the second newest claim. `is_fresh`: whether
    there are no claims, not even to partitions that do not exist.
    """

    owned: list[list[int]]
    previous: dict[int, int]
    is_fresh: bool


def _settled_claims(group: GroupSnapshot) -> _Claims:
    """Return the claims that the client accepts. Claims to partitions that do not exist are
    ignored.
    """
    claimants: dict[int, dict[int, int]] = {}
    exists = (group.claim_tp != NO_TP) & group.in_play[group.claim_topic]
    generations = group.generation[group.claim_member[exists]].tolist()
    for tp, member, generation in zip(
        group.claim_tp[exists].tolist(),
        group.claim_member[exists].tolist(),
        generations,
        strict=True,
    ):
        by_generation = claimants.setdefault(tp, {})
        # Client code: `if generation and generation in consumers`. So of two claims with generation
        # 0, the later claim counts.
        if not generation or generation not in by_generation:
            by_generation[generation] = member
    owned: list[list[int]] = [[] for _ in group.member_id]
    previous = {}
    for tp, by_generation in claimants.items():
        newest, *older = sorted(by_generation, reverse=True)
        owned[by_generation[newest]].append(tp)
        if older:
            previous[tp] = by_generation[older[0]]
    return _Claims(owned, previous, not group.claim_member.size)


def _have_one_list(group: GroupSnapshot) -> bool:
    """Return whether all members sent the same list of known topics in the same order."""
    lists = (topics_as_sent(group, member) for member in range(group.member_count))
    return len({topics[group.in_play[topics]].tobytes() for topics in lists}) == 1


def _fewest_subscribers_first(group: GroupSnapshot) -> np.ndarray:
    """Return the row numbers (int64) of the partitions of subscribed topics, sorted by number of
    subscribers, topic and partition.
    """
    tps = np.flatnonzero(group.in_play[group.tp_topic])
    return tps[np.argsort(group.subscribers.count_of_topic[group.tp_topic[tps]], kind="stable")]


class _Order(NamedTuple):
    """An order of partitions. `tps`: the partitions. `is_chance`: whether a Python set decided the
    order, so that it may differ in another run.
    """

    tps: list[int]
    is_chance: bool


def _order_of(group: GroupSnapshot, claims: _Claims, place: np.ndarray) -> _Order:
    """Return the order in which the leader handles partitions. `place`: position of each member in
    id order, int64 (M,).
    """
    plain = _fewest_subscribers_first(group).tolist()
    if claims.is_fresh or not _have_one_list(group):
        return _Order(plain, False)
    first, is_chance = _dealt_back(claims, place.tolist())
    listed = set(first)
    return _Order(first + [tp for tp in plain if tp not in listed], is_chance)


def _dealt_back(claims: _Claims, place: list[int]) -> tuple[list[int], bool]:
    """Return (the owned partitions in order, whether a Python set decided this order).

    Each partition comes from the member that has the most partitions left; if several members
    have the most, from the member with the largest id. A member first gives the partitions that a
    second member claims, in the order of a Python set, and then its last partition.
    """
    former = [[tp for tp in owned if tp in claims.previous] for owned in claims.owned]
    others = [[tp for tp in owned if tp not in claims.previous] for owned in claims.owned]
    queue = [
        (-len(owned), -place[member], member) for member, owned in enumerate(claims.owned) if owned
    ]
    heapify(queue)
    taken = []
    while queue:
        left, by_id, member = heappop(queue)
        taken.append(former[member].pop(0) if former[member] else others[member].pop())
        if left < -1:
            heappush(queue, (left + 1, by_id, member))
    is_chance = any(sum(tp in claims.previous for tp in owned) > 1 for owned in claims.owned)
    return taken, is_chance


def _kept(group: GroupSnapshot, owned: list[list[int]]) -> tuple[np.ndarray, bool]:
    """Return (the owners of the retained partitions, int32 (P,); whether a member lost a partition
    because it no longer subscribes to the topic).
    """
    owner = group.unowned()
    sizes = [len(each) for each in owned]
    member, tp = (
        np.repeat(np.arange(len(owned)), sizes),
        np.array([tp for each in owned for tp in each], dtype=np.int64),
    )
    is_listed = group.is_listed[group.subscription[member], group.tp_topic[tp]]
    owner[tp[is_listed]] = member[is_listed]
    if (trace := asked()) is not None:
        count = np.bincount(member[is_listed], minlength=len(owned))
        for at in trace.places(tp):
            who = int(member[at])
            step = (
                KeepStep(who, int(count[who]))
                if is_listed[at]
                else ReleaseStep(UNASSIGNED, who, Reason.LEFT_TOPIC)
            )
            trace.add(tp[at], step)
    return owner, not is_listed.all()


def _imbalance(levelling: Levelling, active: list[int]) -> int:
    """Return the sum of the differences between the partition counts of all pairs of members, after
    levelling. Frozen former owners that were compared count as members with 0 partitions.
    """
    return _sum_of_differences(
        np.array(
            [*(levelling.loads.count[member] for member in active), *(0 for _ in levelling.touched)]
        )
    )


def _sum_of_differences(count: np.ndarray) -> int:
    return int((np.sort(count) * (2 * np.arange(count.size) - count.size + 1)).sum())
