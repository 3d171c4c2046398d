"""The sticky assignors where all members subscribe to the same (KAFKA-9987): no member gets more than one partition more than another.

Members keep what they own up to their quota; what nobody keeps goes to those below the lower quota in rounds, then to those at it.
"""

from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED, Assumed
from assignors.classic.sticky_claims import Owned, topic_and_partition
from assignors.classic.sticky_outcome import Outcome, extra_rows, rows_beyond
from assignors.classic.sticky_queues import Queues, takers
from assignors.classic.sticky_rack_fill import takers_by_rack
from assignors.classic.sticky_racks import Racks
from assignors.classic.sticky_unassigned import unassigned_rows
from assignors.errors import AssignorError
from assignors.group import GroupSnapshot

_RADIX_LIMIT = 1 << 16


class Quota(NamedTuple):
    """`least` partitions for everybody, and one more for `may_exceed` members."""

    least: int
    may_exceed: int

    @property
    def most(self) -> int:
        return self.least + (self.may_exceed > 0)


class Kept(NamedTuple):
    """What members keep: `owner` int32 (P + B,), `count` int64 (M,); `over`: how many of them have more than the least."""

    owner: np.ndarray
    count: np.ndarray
    over: int
    assumed: tuple[Assumed, ...]


def assign_constrained(group: GroupSnapshot, in_play: np.ndarray, owned: Owned, racks: Racks | None) -> Outcome:
    """Return who gets what.

    Raises
    ------
    AssignorError
        ArithmeticException without members; IllegalStateException where partitions beyond their topic's size leave more to hand out than members may take.
    """
    if not group.member_count:
        raise AssignorError("ArithmeticException", "sticky: the group has 0 members, expected at least 1")
    quota = Quota(*divmod(int(group.partition_count[in_play].sum()), group.member_count))
    kept = _kept(group, owned, racks, quota)
    rows = unassigned_rows(group, np.flatnonzero(in_play), kept.owner, owned.beyond)
    queues = _queues(group, kept, quota)
    if racks is None:
        given = takers(queues, rows.stop if isinstance(rows, slice) else rows.size)
    else:
        rows, given = takers_by_rack(queues, np.arange(group.tp_count)[rows], racks, quota.may_exceed - kept.over)
    return _outcome(group, owned, kept, rows, given)


def _kept(group: GroupSnapshot, owned: Owned, racks: Racks | None, quota: Quota) -> Kept:
    owner, count = owned.owner, owned.count
    lost = _lost(owned, racks)
    if lost.size:
        owner = owner.copy()
        owner[lost] = UNASSIGNED
        count = np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count)
    full = (count >= quota.most) & (quota.may_exceed > 0)
    assumed = owned.assumed
    if np.count_nonzero(full) > quota.may_exceed:
        order = group.member_map_order
        first = order.rows[full[order.rows]][: quota.may_exceed]
        full = np.zeros(group.member_count, dtype=bool)
        full[first] = True
        assumed = order.assumed
    surplus = _surplus(group, owned, owner, count, quota.least + full)
    if surplus.size:
        owner = owner.copy()
        owner[surplus] = UNASSIGNED
    return Kept(owner, np.minimum(count, quota.least + full), int(np.count_nonzero(full)), assumed)


def _lost(owned: Owned, racks: Racks | None) -> np.ndarray:
    """Return the rows that nobody keeps whatever the quota: claimed twice in one generation, or of another rack than their owner."""
    if racks is None:
        return owned.doubly
    rows = np.flatnonzero(owned.owner != UNASSIGNED)
    return np.union1d(owned.doubly, rows[racks.mismatch(owned.owner[rows], rows)])


def _surplus(group: GroupSnapshot, owned: Owned, owner: np.ndarray, count: np.ndarray, quota: np.ndarray) -> np.ndarray:
    """Return the rows of each member beyond its quota, in order of partition number, then topic."""
    has_more = count > quota
    if not has_more.any():
        return np.empty(0, dtype=np.int64)
    rows = np.flatnonzero(np.append(has_more, False)[owner])
    topic, partition = topic_and_partition(group, owned.beyond, rows)
    if len(owned.beyond):
        rows = rows[np.lexsort((topic, partition))]
    else:
        rows = rows[_stable_order(partition)]
    rows = rows[_stable_order(owner[rows])]
    members = np.flatnonzero(has_more)
    held = count[members]
    place = np.arange(rows.size) - np.repeat(np.cumsum(held) - held, held)
    return rows[place >= np.repeat(quota[members], held)]


def _stable_order(key: np.ndarray) -> np.ndarray:
    # Sixteen bits sort in linear time.
    return np.argsort(key.astype(np.uint16) if key.max() < _RADIX_LIMIT else key, kind="stable")


def _queues(group: GroupSnapshot, kept: Kept, quota: Quota) -> Queues:
    count = kept.count[group.members_by_id]
    below = count < quota.least
    at_least = (count == quota.least) & (kept.over < quota.may_exceed)
    return Queues(group.members_by_id[below], quota.least - count[below], group.members_by_id[at_least])


def _outcome(group: GroupSnapshot, owned: Owned, kept: Kept, rows: np.ndarray | slice, given: np.ndarray) -> Outcome:
    owner = kept.owner[: group.tp_count].copy()
    nothing = np.empty(0, dtype=np.int64)
    if not owned.count.any() and not owned.doubly.size:
        owner[rows] = given
        return Outcome(owner, extra_rows(group, owned.beyond, nothing, nothing), nothing, True, kept.assumed)
    rows = np.arange(group.tp_count)[rows]
    again = owner[rows] != UNASSIGNED
    before = owned.owner[rows]
    transferred = (before != UNASSIGNED) & (before != given)
    if owned.doubly.size:
        transferred |= np.isin(rows, owned.doubly)
    second = again & (owner[rows] != given)
    beyond = rows_beyond(group, kept.owner)
    extra = extra_rows(group, owned.beyond, np.append(given[second], kept.owner[beyond]), np.append(rows[second], beyond))
    owner[rows[~again]] = given[~again]
    return Outcome(owner, extra, rows[transferred & ~again], True, kept.assumed)
