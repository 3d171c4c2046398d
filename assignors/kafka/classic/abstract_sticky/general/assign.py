"""The sticky algorithm for differing subscriptions: keep, assign the rest to the fewest, then level topic by topic."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assumed
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.kafka.classic.abstract_sticky.claims import NO_ROWS, Claims, Owned
from evenkeel.assignors.kafka.classic.abstract_sticky.general.careful_levelling import CarefulLevelling
from evenkeel.assignors.kafka.classic.abstract_sticky.general.circumstances import Circumstances, circumstances
from evenkeel.assignors.kafka.classic.abstract_sticky.general.kept_partitions import Held, hold
from evenkeel.assignors.kafka.classic.abstract_sticky.general.levelling import PlainLevelling, runs_of_rows, runs_of_topics
from evenkeel.assignors.kafka.classic.abstract_sticky.general.movements import Movements
from evenkeel.assignors.kafka.classic.abstract_sticky.outcome import Outcome, extra_rows, rows_beyond
from evenkeel.assignors.kafka.classic.abstract_sticky.subscriptions import potential_count


class Levelled(NamedTuple):
    """`owner` int32 (P,); `assumed` and `left_rack` as in Outcome."""

    owner: np.ndarray
    assumed: tuple[Assumed, ...]
    left_rack: np.ndarray = NO_ROWS


def assign_general(
    group: GroupSnapshot, claims: Claims, owned: Owned, racks: Racks | None, highest: int, is_watched: bool = False
) -> Outcome:
    """Return who gets what.

    `highest`: highest generation that the leader has seen. `is_watched` as in `assign_sticky`.

    Raises
    ------
    AssignorError
        NullPointerException where a partition should go to a member that takes no part in levelling.
    """
    potential = potential_count(group)
    topics = np.flatnonzero(group.in_play)
    # AbstractStickyAssignor.TopicComparator: fewest potential consumers first, then by name.
    topics = topics[np.argsort(potential[topics], kind="stable")]
    held = hold(group, topics, owned, racks)
    levelled = Levelled(held.owner[: group.tp_count], owned.assumed)
    if np.ptp(held.count) > 1:
        shared = topics[potential[topics] > 1]
        around = circumstances(group, claims, held, shared, highest)
        levelled = _levelled(group, held, shared, around, racks, is_watched)
    beyond = rows_beyond(group, held.owner)
    second = held.copy_member != levelled.owner[held.copy_row]
    member, row = np.append(held.copy_member[second], held.owner[beyond]), np.append(held.copy_row[second], beyond)
    extra = extra_rows(group, owned.beyond, member, row)
    transferred = _transferred(claims, levelled.owner, held)
    return Outcome(levelled.owner, extra, transferred, False, owned.assumed or levelled.assumed, levelled.left_rack)


def _levelled(
    group: GroupSnapshot, held: Held, shared: np.ndarray, around: Circumstances, racks: Racks | None, is_watched: bool
) -> Levelled:
    """Level the topics with several subscribers: first what was just assigned, then everything; undo both if nothing got better."""
    movements = Movements(group, held.owner[: group.tp_count].copy(), held.count.copy())
    everything = runs_of_topics(group, shared)
    if around.are_plain and not (is_watched and racks):
        levelling = PlainLevelling(group, movements)
    else:
        levelling = CarefulLevelling(group, movements, everything, around, racks)
    # As in GeneralAssignmentBuilder.balance. In a fresh group both lists are the same, and the second call would move nothing.
    if not held.is_fresh and not held.is_revoked:
        levelling.level(runs_of_rows(group, held.rows, shared))
    is_changed = levelling.level(everything)
    active = ~around.is_frozen
    assumed = movements.assumed or (group.member_refilled_order.assumed if around.is_exceeded else ())
    if not held.is_fresh and is_changed and _imbalance(movements.count[active]) >= _imbalance(held.count[active]):
        return Levelled(held.owner[: group.tp_count], assumed)
    return Levelled(movements.owner, assumed, levelling.left_rack)


def _imbalance(count: np.ndarray) -> np.int32:
    """Return the sum of the differences of all pairs of members; it wraps around as Java's int does."""
    weight = 2 * np.arange(count.size) - count.size + 1
    return (np.sort(count) * weight).sum().astype(np.int32)


def _transferred(claims: Claims, owner: np.ndarray, held: Held) -> np.ndarray:
    """Return partitions assigned to a member that does not claim them, and lost by a member that does."""
    inside = claims.row < owner.size
    member, row = claims.member[inside], claims.row[inside]
    lost = owner[row] != member
    if held.copy_row.size:
        size = held.count.size
        lost &= ~np.isin(row * size + member, held.copy_row * size + held.copy_member)
    wanted = np.zeros(owner.size, dtype=bool)
    wanted[row[lost]] = True
    wanted[row[owner[row] == member]] = False
    return np.flatnonzero(wanted & (owner != UNASSIGNED))
