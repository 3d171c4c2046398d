"""The order in which partitions are assigned and moved."""

import numpy as np

from evenkeel.assignors.arrays import row_ranges
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.librdkafka.cooperative_sticky.claims import Claims
from evenkeel.assignors.librdkafka.cooperative_sticky.known_group import KnownGroup


def partition_order(known: KnownGroup, claims: Claims) -> np.ndarray:
    """Return the topic-partitions of subscribed topics in order, int64."""
    rows = known.rows
    if not known.is_equal:
        return rows[np.argsort(known.subscribers.count_of_topic[known.group.tp_topic[rows]], kind="stable")]
    owned = rows[claims.owner[rows] != UNASSIGNED]
    return np.concatenate((_owned_first(known, claims, owned), _rest(known, claims))) if owned.size else rows


def _owned_first(known: KnownGroup, claims: Claims, owned: np.ndarray) -> np.ndarray:
    """Take partitions one by one from the member with the most left, of equal ones the greatest id; first those with a former owner."""
    member = claims.owner[owned]
    order = np.lexsort((owned, claims.former[owned] == UNASSIGNED, member))
    owned, member = owned[order], member[order]
    starts = np.searchsorted(member, member)
    left = np.bincount(member)[member] - (np.arange(owned.size) - starts)
    place = np.empty(known.group.member_count, dtype=np.int64)
    place[known.by_id] = np.arange(known.by_id.size)
    return owned[np.lexsort((-place[member], -left))]


def _rest(known: KnownGroup, claims: Claims) -> np.ndarray:
    """Return what nobody owns: topics and partitions from the last to the first."""
    first = known.group.first_tp
    rows = row_ranges(first[known.topics], first[known.topics + 1])[::-1]
    return rows[claims.owner[rows] == UNASSIGNED]
