"""Which partitions stay with their owner, where subscriptions differ, and who gets the rest, before topics are levelled."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing import fill, fill_within_racks
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.kafka.classic.abstract_sticky.claims import Owned, topic_and_partition
from evenkeel.assignors.kafka.classic.abstract_sticky.unassigned import unassigned_rows


class Held(NamedTuple):
    """What was kept and what was assigned.

    `owner` int32 (P + B,). `count` int64 (M,), copies counted. `copy_member` int32, `copy_row` int64: partitions that a member holds
    besides their owner. `rows` int64: partitions that were assigned. `is_fresh`: nothing was kept. `is_revoked`: some member lost what it
    owned.
    """

    owner: np.ndarray
    count: np.ndarray
    copy_member: np.ndarray
    copy_row: np.ndarray
    rows: np.ndarray
    is_fresh: bool
    is_revoked: bool


def hold(group: GroupSnapshot, topics: np.ndarray, owned: Owned, racks: Racks | None) -> Held:
    """Keep what is owned and still subscribed, and assign the rest; `topics` int64: those in play, in the order of assignment."""
    revoked = _revoked(group, owned, racks)
    owner = owned.owner.copy()
    owner[revoked] = UNASSIGNED
    count = owned.count - np.bincount(owned.owner[revoked], minlength=group.member_count)
    is_fresh = not count.any()
    rows = unassigned_rows(group, owner, owned.beyond, topics)
    is_copied = owner[rows] != UNASSIGNED
    copy_row, copy_member = rows[is_copied], owner[rows[is_copied]]
    sets, by_id = group.subscribers_by_id, group.members_by_id
    left = rows if racks is None else fill_within_racks(group, rows, owner, count, racks, by_id, sets)
    fill(group, left, owner, count, sets)
    return Held(owner, count, copy_member, copy_row, rows, is_fresh, bool(revoked.size))


def _revoked(group: GroupSnapshot, owned: Owned, racks: Racks | None) -> np.ndarray:
    """Return the owned rows whose owner left the topic, or whose owner's rack has no replica."""
    rows = np.flatnonzero(owned.owner != UNASSIGNED)
    members = owned.owner[rows]
    topic, _ = topic_and_partition(group, owned.beyond, rows)
    lost = ~group.is_listed[group.subscription[members], topic]
    if racks is not None:
        lost |= racks.mismatch(members, rows)
    return rows[lost]
