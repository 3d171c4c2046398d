"""The sticky assignors where subscriptions differ: keep what is owned, hand out the rest to the fewest, then level topic by topic."""

import numpy as np

from assignors.assignment import UNASSIGNED, Assumed
from assignors.classic.sticky_circumstances import Circumstances, circumstances
from assignors.classic.sticky_claims import Claims, Owned
from assignors.classic.sticky_held import Held, hold
from assignors.classic.sticky_history import CarefulReassignment
from assignors.classic.sticky_movements import Movements
from assignors.classic.sticky_outcome import Outcome, extra_rows, rows_beyond
from assignors.classic.sticky_racks import Racks
from assignors.classic.sticky_reassign import Runs, reassign, runs_of_rows, runs_of_topics
from assignors.classic.sticky_subscriptions import potential_count
from assignors.group import GroupSnapshot


def assign_general(group: GroupSnapshot, claims: Claims, owned: Owned, racks: Racks | None, highest: int) -> Outcome:
    """Return who gets what; `highest` is the highest generation that the leader has seen.

    Raises
    ------
    AssignorError
        NullPointerException where a partition should go to a member that takes no part.
    """
    potential = potential_count(group)
    topics = np.flatnonzero(group.in_play)
    topics = topics[np.argsort(potential[topics], kind="stable")]
    held = hold(group, topics, owned, racks)
    owner, assumed = held.owner[: group.tp_count], owned.assumed
    if np.ptp(held.count) > 1:
        shared = topics[potential[topics] > 1]
        around = circumstances(group, claims, held, shared, highest)
        owner, moved_assumed = _levelled(group, held, shared, around, racks)
        assumed += moved_assumed
    beyond = rows_beyond(group, held.owner)
    second = held.copy_member != owner[held.copy_row]
    member, row = np.append(held.copy_member[second], held.owner[beyond]), np.append(held.copy_row[second], beyond)
    extra = extra_rows(group, owned.beyond, member, row)
    return Outcome(owner, extra, _transferred(claims, owner, held), False, assumed)


def _levelled(group: GroupSnapshot, held: Held, shared: np.ndarray, around: Circumstances, racks: Racks | None) -> tuple[np.ndarray, tuple[Assumed, ...]]:
    """Move partitions of the topics that several members subscribe to: first what was just handed out, then all; undo it where that made nothing better."""
    movements = Movements(group, held.owner[: group.tp_count].copy(), held.count.copy())
    everything = runs_of_topics(group, shared)
    if around.are_plain:

        def move(runs: Runs) -> bool:
            return reassign(group, movements, runs)
    else:
        move = CarefulReassignment(group, movements, everything, around, racks).reassign
    if not held.is_fresh and not held.is_revoked:
        move(runs_of_rows(group, held.rows, shared))
    is_changed = move(everything)
    active = ~around.is_frozen
    if not held.is_fresh and is_changed and _imbalance(movements.count[active]) >= _imbalance(held.count[active]):
        return held.owner[: group.tp_count], movements.assumed
    return movements.owner, movements.assumed


def _imbalance(count: np.ndarray) -> np.int32:
    """Return the sum of the differences of all pairs of members, as Java's int wraps around."""
    weight = 2 * np.arange(count.size) - count.size + 1
    return (np.sort(count) * weight).sum().astype(np.int32)


def _transferred(claims: Claims, owner: np.ndarray, held: Held) -> np.ndarray:
    """Return what goes to a member that does not claim it while one that does claim it loses it."""
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
