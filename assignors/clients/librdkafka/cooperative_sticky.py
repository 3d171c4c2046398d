"""Cooperative-sticky of librdkafka. A moving partition is revoked in this rebalance and assigned in
the next (KIP-429).

Reproduces `rd_kafka_sticky_assignor_assign_cb` of 2.6.1 and newer, and
`rd_kafka_cooperative_protocol_adjust_assignment` of rdkafka_cgrp.c, with which the leader then
changes the assignment.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.assignment import UNASSIGNED, Assignment, AssignorError
from evenkeel.assignors.clients.client import ClientAssignor
from evenkeel.assignors.clients.librdkafka.known_group import (
    Claims,
    KnownGroup,
    claims,
    known_claims,
    known_group,
    partition_order,
    racks_in_play,
)
from evenkeel.assignors.clients.librdkafka.levelling import LEADER_CRASH, Levelling
from evenkeel.assignors.group import NO_TP, GroupSnapshot
from evenkeel.assignors.group.dealing.fewest import fill, fill_within_racks
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.trace import (
    HandBackStep,
    KeepStep,
    Reason,
    ReleaseStep,
    Trace,
    Undone,
    Withheld,
    asked,
)


@dataclass(frozen=True)
class LibrdkafkaCooperativeStickyAssignor(ClientAssignor):
    """The `cooperative-sticky` strategy, with the same algorithm for equal and different
    subscriptions. For some groups, the leader crashes.
    """

    client: ClassVar[str] = "librdkafka"
    name: ClassVar[str] = "cooperative-sticky"
    quirks: ClassVar[tuple[str, ...]] = ("Q-34", "Q-35")
    is_cooperative: ClassVar[bool] = True
    quirk_owner: ClassVar[str] = "librdkafka's cooperative-sticky"
    uses_racks: ClassVar[bool] = True
    uses_generations: ClassVar[bool] = True
    uses_member_order: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners after this round, and the withheld partitions.

        Raises
        ------
        AssignorError
            `LeaderCrash` if the leader's process dies, `Undefined` if it reads freed memory.
        """
        known = known_group(group)
        if not known.members.size:
            raise AssignorError(
                LEADER_CRASH,
                f"{self.name}: the leader dies, because no member subscribes to a topic",
            )
        claimed = claims(known)
        order = partition_order(known, claimed)
        return _sent(
            group, known.members, _balanced_holdings(known, claimed, order, racks_in_play(known))
        )


def _balanced_holdings(
    known: KnownGroup, claims: Claims, order: np.ndarray, racks: Racks | None
) -> np.ndarray:
    """Return the partitions of each member as pairs (member, partition row number), int64 (N, 2).
    `order`: partitions in the leader's order, int64.
    """
    filled = _filled(known, claims, order, racks)
    is_movable = known.subscribers.count_of_topic[known.group.tp_topic] > 1
    holder = claims.holder.copy()
    holder[filled.rows] = filled.owner[filled.rows]
    levelling = Levelling(
        known, claims, filled.owner, holder, _plays(known, filled.owner, is_movable)
    )
    todo, movable = filled.rows[is_movable[filled.rows]], order[is_movable[order]]
    if not filled.is_revoked and todo.size:
        levelling.level(todo)
    has_moved = levelling.level(movable)
    if not filled.is_fresh and has_moved and not levelling.is_better:
        if (trace := asked()) is not None:
            for tp in trace.of(np.flatnonzero(filled.owner != levelling.lists.owner)):
                trace.add(tp, Undone(int(filled.owner[tp])))
        return _holdings(filled.owner)
    return levelling.lists.holdings()


class _Draft(NamedTuple):
    """The assignment before levelling.

    `owner`: int32 (P,). `rows`: row numbers (int64) of the newly assigned partitions, in order.
    `is_fresh`: whether no member retains a partition. `is_revoked`: whether a member loses a
    claimed partition.
    """

    owner: np.ndarray
    rows: np.ndarray
    is_fresh: bool
    is_revoked: bool


def _filled(known: KnownGroup, claims: Claims, order: np.ndarray, racks: Racks | None) -> _Draft:
    """Retain claimed partitions if the claimant still subscribes to the topic and, if racks count,
    has no rack or is in the rack of a replica. Then assign all other partitions.
    """
    group, owner, trace = known.group, claims.owner.copy(), asked()
    claimed = np.flatnonzero(owner != UNASSIGNED)
    is_lost = ~group.is_listed[group.subscription[owner[claimed]], group.tp_topic[claimed]]
    if racks is not None:
        is_lost |= racks.mismatch(owner[claimed], claimed)
    owner[claimed[is_lost]] = UNASSIGNED
    count = np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count)
    if trace is not None:
        _tell_kept(trace, group, claims, owner, count)
    is_fresh, rows = not count.any(), order[owner[order] == UNASSIGNED]
    sets = known.subscribers
    left = (
        rows
        if racks is None
        else fill_within_racks(group, rows, owner, count, racks, known.by_id, sets)
    )
    fill(group, left, owner, count, sets)
    return _Draft(owner, rows, is_fresh, bool(is_lost.any()))


def _tell_kept(
    trace: Trace, group: GroupSnapshot, claims: Claims, owner: np.ndarray, count: np.ndarray
) -> None:
    for tp in trace.of(np.flatnonzero(claims.owner != UNASSIGNED)):
        member = int(claims.owner[tp])
        if owner[tp] != UNASSIGNED:
            trace.add(tp, KeepStep(member, int(count[member])))
        else:
            is_listed = group.is_listed[group.subscription[member], group.tp_topic[tp]]
            trace.add(
                tp, ReleaseStep(UNASSIGNED, member, Reason.RACK if is_listed else Reason.LEFT_TOPIC)
            )


def _plays(known: KnownGroup, owner: np.ndarray, is_movable: np.ndarray) -> np.ndarray:
    """Return whether each member takes part in levelling, bool (M,). A member takes part if it can
    get more partitions, or has a partition that another member can get.
    """
    group = known.group
    tps = np.flatnonzero(owner != UNASSIGNED)
    plays = np.bincount(owner[tps], minlength=group.member_count) < known.can_count
    plays[owner[tps[is_movable[tps]]]] = True
    return plays


def _holdings(owner: np.ndarray) -> np.ndarray:
    tps = np.flatnonzero(owner != UNASSIGNED)
    return np.column_stack((owner[tps].astype(np.int64), tps))


def _sent(group: GroupSnapshot, members: np.ndarray, holdings: np.ndarray) -> Assignment:
    """Return the assignment that the leader sends, and the withheld partitions.

    A claimed partition without a new owner goes back to the last member that claims it, even if
    the claim has an old generation or the partition does not exist.

    Parameters
    ----------
    members : int32
        Members that the leader knows.
    holdings : int64 (N, 2)
        The assignor's answer as pairs (member, partition row number).
    """
    at = known_claims(group, members)
    is_real = group.claim_tp[at] != NO_TP
    owner, given = (group.unowned() for _ in range(2))
    owner[group.claim_tp[at[is_real]]] = group.claim_member[at[is_real]]
    # If several members have a partition, numpy stores the last member.
    last = stable_order(holdings[:, 0])
    given[holdings[last, 1]] = holdings[last, 0]
    person = _persons(group)
    is_withheld = (owner != UNASSIGNED) & (given != UNASSIGNED) & (person[owner] != person[given])
    result = np.where(owner == UNASSIGNED, given, owner)
    result[is_withheld] = UNASSIGNED
    if (trace := asked()) is not None:
        for tp in trace.of(slice(0, group.tp_count)):
            if given[tp] != UNASSIGNED and result[tp] != given[tp]:
                trace.add(tp, Withheld(int(given[tp]), int(owner[tp])))
            elif result[tp] != given[tp]:
                trace.add(tp, HandBackStep(int(result[tp])))
    withheld = holdings[result[holdings[:, 1]] != holdings[:, 0]].astype(np.int32)
    return Assignment(result, _beyond(group, at[~is_real]), np.unique(withheld, axis=0))


def _persons(group: GroupSnapshot) -> np.ndarray:
    """Return a number for each member, int64 (M,). librdkafka treats members with the same instance
    id as one member, so they have the same number.
    """
    first = {name: row for row, name in reversed(list(enumerate(group.instance_id)))}
    return np.array(
        [row if name is None else first[name] for row, name in enumerate(group.instance_id)],
        dtype=np.int64,
    )


def _beyond(group: GroupSnapshot, claims: np.ndarray) -> np.ndarray:
    """Return the claimed partitions that do not exist, each with its last claimant: (member, topic,
    partition), int32 (N, 3).
    """
    last = {}
    for claim in claims.tolist():
        last[int(group.claim_topic[claim]), int(group.claim_partition[claim])] = int(
            group.claim_member[claim]
        )
    return np.array(
        sorted((member, *claim) for claim, member in last.items()), dtype=np.int32
    ).reshape(-1, 3)
