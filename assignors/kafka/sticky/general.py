"""The sticky algorithm for different subscriptions.

Members keep their partitions. All other partitions go to the members with the fewest partitions.
Then the partitions of each topic are levelled.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assumption
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing.fewest import fill, fill_within_racks
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.kafka.sticky.claims import (
    NO_ROWS,
    Claims,
    Outcome,
    PriorOwners,
    extra_rows,
    rows_beyond,
    topic_and_partition,
    unassigned_rows,
)
from evenkeel.assignors.kafka.sticky.levelling import (
    CarefulLevelling,
    Circumstances,
    PlainLevelling,
    runs_of_rows,
    runs_of_topics,
)
from evenkeel.assignors.kafka.sticky.movements import Movements
from evenkeel.assignors.trace import KeepStep, Reason, ReleaseStep, Trace, Undone, asked


class HeldPartitions(NamedTuple):
    """The assignment before levelling.

    A copy is a partition that a member has although another member is the owner.

    `owner`: int32 (P + B,). `held_count`: number of partitions of each member, including copies,
    int64 (M,). `copy_member` (int32) and `copy_row` (int64): member and partition of each copy.
    `rows`: newly assigned partitions, int64. `is_fresh`: whether no member kept a partition.
    `is_revoked`: whether a member lost an owned partition.
    """

    owner: np.ndarray
    held_count: np.ndarray
    copy_member: np.ndarray
    copy_row: np.ndarray
    rows: np.ndarray
    is_fresh: bool
    is_revoked: bool


class LevelResult(NamedTuple):
    """The assignment after levelling.

    `owner`: int32 (P,). `assumed` and `left_rack`: as in Outcome.
    """

    owner: np.ndarray
    assumed: tuple[Assumption, ...]
    left_rack: np.ndarray = NO_ROWS


def assign_general(
    group: GroupSnapshot,
    claims: Claims,
    owned: PriorOwners,
    racks: Racks | None,
    highest: int,
    is_watched: bool = False,
) -> Outcome:
    """Return the assignment of a group with different subscriptions.

    `highest`: highest generation that the leader has seen. `is_watched`: as in `assign_sticky`.

    Raises
    ------
    AssignorError
        NullPointerException if a partition should move to a member that is excluded from levelling.
    """
    potential = potential_count(group)
    topics = np.flatnonzero(group.in_play)
    # AbstractStickyAssignor.TopicComparator: fewest potential consumers first, then by name.
    topics = topics[np.argsort(potential[topics], kind="stable")]
    held = hold(group, topics, owned, racks)
    levelled = LevelResult(held.owner[: group.tp_count], owned.assumed)
    if np.ptp(held.held_count) > 1:
        shared = topics[potential[topics] > 1]
        around = circumstances(group, claims, held, shared, highest)
        levelled = _levelled(group, held, shared, around, racks, is_watched)
    beyond = rows_beyond(group, held.owner)
    second = held.copy_member != levelled.owner[held.copy_row]
    member, row = (
        np.append(held.copy_member[second], held.owner[beyond]),
        np.append(held.copy_row[second], beyond),
    )
    extra = extra_rows(group, owned.beyond, member, row)
    transferred = _transferred(claims, levelled.owner, held)
    return Outcome(
        levelled.owner,
        extra,
        transferred,
        False,
        owned.assumed or levelled.assumed,
        levelled.left_rack,
    )


def _levelled(
    group: GroupSnapshot,
    held: HeldPartitions,
    shared: np.ndarray,
    around: Circumstances,
    racks: Racks | None,
    is_watched: bool,
) -> LevelResult:
    """Level the topics with several subscribers.

    First only newly assigned partitions are levelled, then all partitions. If the balance has not
    improved, the assignment before levelling remains.
    """
    movements = Movements(group, held.owner[: group.tp_count].copy(), held.held_count.copy())
    everything = runs_of_topics(group, shared)
    if around.are_plain and not (is_watched and racks):
        levelling: PlainLevelling | CarefulLevelling = PlainLevelling(group, movements)
    else:
        levelling = CarefulLevelling(group, movements, everything, around, racks)
    # As in GeneralAssignmentBuilder.balance. In a new group, both calls would level the same
    # partitions, and the second call would move none.
    if not held.is_fresh and not held.is_revoked:
        levelling.level(runs_of_rows(group, held.rows, shared))
    is_changed = levelling.level(everything)
    active = ~around.is_frozen
    assumed = movements.assumed or (
        group.member_refilled_order.assumed if around.is_exceeded else ()
    )
    if (
        not held.is_fresh
        and is_changed
        and _imbalance(movements.count[active]) >= _imbalance(held.held_count[active])
    ):
        if (trace := asked()) is not None:
            for row in trace.of(np.flatnonzero(movements.owner != held.owner[: group.tp_count])):
                trace.add(row, Undone(int(held.owner[row])))
        return LevelResult(held.owner[: group.tp_count], assumed)
    return LevelResult(movements.owner, assumed, levelling.left_rack)


def _imbalance(count: np.ndarray) -> np.int32:
    """Sum the count differences of all pairs of members. The sum overflows like Java's int."""
    weight = 2 * np.arange(count.size) - count.size + 1
    return (np.sort(count) * weight).sum().astype(np.int32)


def _transferred(claims: Claims, owner: np.ndarray, held: HeldPartitions) -> np.ndarray:
    """Return the partitions that a claimant loses to a member that did not claim them."""
    inside = claims.row < owner.size
    member, row = claims.member[inside], claims.row[inside]
    lost = owner[row] != member
    if held.copy_row.size:
        size = held.held_count.size
        lost &= ~np.isin(row * size + member, held.copy_row * size + held.copy_member)
    wanted = np.zeros(owner.size, dtype=bool)
    wanted[row[lost]] = True
    wanted[row[owner[row] == member]] = False
    return np.flatnonzero(wanted & (owner != UNASSIGNED))


def potential_count(group: GroupSnapshot) -> np.ndarray:
    """Return the length of Kafka's list of potential consumers of each topic, int64 (T,).

    A member that subscribes twice to a topic counts twice.
    """
    subscriptions = group.subscriptions
    return np.bincount(
        subscriptions.topic,
        weights=subscriptions.member_count[subscriptions.list_row],
        minlength=group.topic_count,
    ).astype(np.int64)


# Retained and newly assigned partitions, before topics are levelled


def hold(
    group: GroupSnapshot, topics: np.ndarray, owned: PriorOwners, racks: Racks | None
) -> HeldPartitions:
    """Keep owned partitions of subscribed topics, and assign all other partitions.

    `topics`: topics with partitions and a subscriber, in the order of assignment, int64.
    """
    revoked = _revoked(group, owned, racks)
    owner = owned.owner.copy()
    owner[revoked] = UNASSIGNED
    count = owned.held_count - np.bincount(owned.owner[revoked], minlength=group.member_count)
    is_fresh = not count.any()
    if (trace := asked()) is not None:
        _tell_kept(trace, group, owned, owner, count)
    rows = unassigned_rows(group, owner, owned.beyond, topics)
    is_copied = owner[rows] != UNASSIGNED
    copy_row, copy_member = rows[is_copied], owner[rows[is_copied]]
    sets, by_id = group.subscribers_by_id, group.members_by_id
    left = (
        rows if racks is None else fill_within_racks(group, rows, owner, count, racks, by_id, sets)
    )
    fill(group, left, owner, count, sets)
    return HeldPartitions(owner, count, copy_member, copy_row, rows, is_fresh, bool(revoked.size))


def _tell_kept(
    trace: Trace, group: GroupSnapshot, owned: PriorOwners, owner: np.ndarray, count: np.ndarray
) -> None:
    for row in trace.of(slice(0, group.tp_count)):
        member = int(owned.owner[row])
        if member == UNASSIGNED and row in owned.doubly:
            trace.add(row, ReleaseStep(UNASSIGNED, UNASSIGNED, Reason.CLAIMED_TWICE))
        elif owner[row] != UNASSIGNED:
            trace.add(row, KeepStep(member, int(count[member])))
        elif member != UNASSIGNED:
            is_listed = group.is_listed[group.subscription[member], group.tp_topic[row]]
            trace.add(
                row,
                ReleaseStep(UNASSIGNED, member, Reason.RACK if is_listed else Reason.LEFT_TOPIC),
            )


def _revoked(group: GroupSnapshot, owned: PriorOwners, racks: Racks | None) -> np.ndarray:
    """Return the owned partitions that are revoked.

    Either the owner no longer subscribes to the topic, or its rack has no replica.
    """
    rows = np.flatnonzero(owned.owner != UNASSIGNED)
    members = owned.owner[rows]
    topic, _ = topic_and_partition(group, owned.beyond, rows)
    lost = ~group.is_listed[group.subscription[members], topic]
    if racks is not None:
        lost |= racks.mismatch(members, rows)
    return rows[lost]


# Inputs of levelling in addition to owners and loads


def circumstances(
    group: GroupSnapshot, claims: Claims, held: HeldPartitions, shared: np.ndarray, highest: int
) -> Circumstances:
    """Return the inputs of levelling other than owners and partition counts.

    `shared`: topics with several subscribers, int64. `highest`: highest generation that the leader
    has seen.
    """
    maximum = _maximum(group)
    # canConsumerParticipateInReassignment: a full member takes part if it has a partition that
    # another member could get.
    is_frozen = (held.held_count >= maximum) & ~_holds_shared(group, claims, held, shared)
    is_exceeded = bool((held.owner[group.tp_count :] != UNASSIGNED).any())
    return Circumstances(
        _history(group, claims, highest),
        maximum,
        is_frozen,
        held.copy_member,
        held.copy_row,
        is_exceeded,
    )


def _history(group: GroupSnapshot, claims: Claims, highest: int) -> np.ndarray:
    """Return the owner of each partition in a generation before `highest`.

    If several members claim the partition, the member with the newest generation is the owner. If
    generations are equal, the first member in map order is the owner.
    """
    history = group.unowned()
    is_older = group.generation < highest
    if not is_older.any():
        return history
    older = np.flatnonzero(is_older[claims.member] & (claims.row < group.tp_count))
    member = claims.member[older]
    # If a row repeats, NumPy stores the last value.
    order = np.lexsort((-group.member_map_order.places[member], group.generation[member]))
    history[claims.row[older][order]] = member[order]
    return history


def _maximum(group: GroupSnapshot) -> np.ndarray:
    """Return the total number of partitions of each member's topics, as Kafka counts it.

    If a member's list, with repeated topics, is as long as the list of all topics, the member
    counts as a subscriber of all topics.
    """
    subscriptions = group.subscriptions
    entries = group.in_play[subscriptions.topic]
    row, lists = subscriptions.list_row[entries], subscriptions.list_size.size
    number = np.bincount(row, minlength=lists)
    size = np.bincount(
        row, weights=group.partition_count[subscriptions.topic[entries]], minlength=lists
    ).astype(np.int64)
    # getMaxAssignmentSize compares only the lengths of the two lists.
    return np.where(
        number == np.count_nonzero(group.in_play), group.partition_count[group.in_play].sum(), size
    )[group.subscription]


def _holds_shared(
    group: GroupSnapshot, claims: Claims, held: HeldPartitions, shared: np.ndarray
) -> np.ndarray:
    """Return whether each member has a partition of a topic with several subscribers, bool (M,).

    Partitions that do not exist count too.
    """
    is_shared = np.zeros(group.topic_count, dtype=bool)
    is_shared[shared] = True
    holder = np.append(held.owner, held.copy_member)
    topic = np.concatenate((group.tp_topic, claims.beyond[:, 0], group.tp_topic[held.copy_row]))
    result = np.zeros(group.member_count, dtype=bool)
    result[holder[is_shared[topic] & (holder != UNASSIGNED)]] = True
    return result
