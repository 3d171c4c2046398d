"""Holdings: what is kept, who gets the rest, and what moves so that the lists are of one size."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.dealing import fill, fill_within_racks
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.librdkafka.cooperative_sticky.claims import Claims
from evenkeel.assignors.librdkafka.cooperative_sticky.known_group import KnownGroup
from evenkeel.assignors.librdkafka.cooperative_sticky.levelling import Levelling


class _Filled(NamedTuple):
    """What was kept and what was assigned.

    `owner` int32 (P,). `rows` int64: partitions that were assigned, in order. `is_fresh`: nothing was kept. `is_revoked`: something
    was not.
    """

    owner: np.ndarray
    rows: np.ndarray
    is_fresh: bool
    is_revoked: bool


def balanced_holdings(known: KnownGroup, claims: Claims, order: np.ndarray, racks: Racks | None) -> np.ndarray:
    """Return (member, topic-partition) of every list, int64 (N, 2); `order` int64: the partitions in order."""
    filled = _filled(known, claims, order, racks)
    is_movable = known.subscribers.count_of_topic[known.group.tp_topic] > 1
    holder = claims.holder.copy()
    holder[filled.rows] = filled.owner[filled.rows]
    levelling = Levelling(known, claims, filled.owner, holder, _plays(known, filled.owner, is_movable))
    todo, movable = filled.rows[is_movable[filled.rows]], order[is_movable[order]]
    if not filled.is_revoked and todo.size:
        levelling.level(todo)
    has_moved = levelling.level(movable)
    if not filled.is_fresh and has_moved and not levelling.is_better:
        return _holdings(filled.owner)
    return levelling.lists.holdings()


def _filled(known: KnownGroup, claims: Claims, order: np.ndarray, racks: Racks | None) -> _Filled:
    """Keep what is claimed, subscribed and not in another rack; assign the rest."""
    group, owner = known.group, claims.owner.copy()
    claimed = np.flatnonzero(owner != UNASSIGNED)
    is_lost = ~group.is_listed[group.subscription[owner[claimed]], group.tp_topic[claimed]]
    if racks is not None:
        is_lost |= racks.mismatch(owner[claimed], claimed)
    owner[claimed[is_lost]] = UNASSIGNED
    count = np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count)
    is_fresh, rows = not count.any(), order[owner[order] == UNASSIGNED]
    sets = known.subscribers
    left = rows if racks is None else fill_within_racks(group, rows, owner, count, racks, known.by_id, sets)
    fill(group, left, owner, count, sets)
    return _Filled(owner, rows, is_fresh, bool(is_lost.any()))


def _plays(known: KnownGroup, owner: np.ndarray, is_movable: np.ndarray) -> np.ndarray:
    """Tell, bool (M,), who takes part: members that may have more, or that have a partition that another member may have."""
    group = known.group
    tps = np.flatnonzero(owner != UNASSIGNED)
    plays = np.bincount(owner[tps], minlength=group.member_count) < known.can_count
    plays[owner[tps[is_movable[tps]]]] = True
    return plays


def _holdings(owner: np.ndarray) -> np.ndarray:
    tps = np.flatnonzero(owner != UNASSIGNED)
    return np.column_stack((owner[tps].astype(np.int64), tps))
