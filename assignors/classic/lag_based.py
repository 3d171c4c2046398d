"""Lag: each topic's partitions, the furthest behind first, to the subscriber with the fewest and then the least lag of that topic.

Reproduces `com.github.grantneale.kafka.LagBasedPartitionAssignor` 2.0.0, the assignor of KAFKA-5337, which the KIP proposes to Kafka as LagAwareAssignor.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assignors.assignment import UNASSIGNED, Assignment, Assumed
from assignors.group import UNKNOWN, GroupSnapshot
from assignors.lag import assignor_lag, lag_taken_as_zero
from assignors.release import Release

_KEY_BITS = 63


@dataclass(frozen=True)
class LagBasedAssignor(Release):
    """The `lag` strategy.

    Partition counts of a topic's subscribers differ by at most one; the lag comes second. Totals are per topic: the smallest member id wins every
    tie in every topic. Racks, instance ids and owned partitions do not count. It is not one of Kafka's own classes, so it answers for any release.
    """

    group_type: ClassVar[str] = "classic"
    name: ClassVar[str] = "lag"
    protocol: ClassVar[str] = "lag"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what; `assumed` names the unknown lags, taken as 0, on which it depends. Without members nobody owns anything."""
        owner = np.full(group.tp_count, UNASSIGNED, dtype=np.int32)
        lag = assignor_lag(group)
        for topics in _equal_topics(group):
            first_tp = group.first_tp[topics, None]
            lags = _lags_of(lag, first_tp, int(group.partition_count[topics[0]]))
            tps, lags = _furthest_behind_first(lags.copy() if np.may_share_memory(lags, group.given_lag) else lags)
            tps += first_tp
            owner[tps] = _deal(lags, group.subscribers_by_id.of_topic(topics[0]))
        return Assignment(owner, assumed=_assumed(group))


def _equal_topics(group: GroupSnapshot) -> list[np.ndarray]:
    """Return the subscribed topics, those with the same subscribers and the same size together."""
    set_of_topic = group.subscribers_by_id.set_of_topic
    topics = np.flatnonzero((group.partition_count > 0) & (set_of_topic > 0))
    topics = topics[np.lexsort((group.partition_count[topics], set_of_topic[topics]))]
    change = (np.diff(set_of_topic[topics]) != 0) | (np.diff(group.partition_count[topics]) != 0)
    return np.split(topics, np.flatnonzero(change) + 1) if topics.size else []


def _lags_of(lag: np.ndarray, first_tp: np.ndarray, partition_count: int) -> np.ndarray:
    """Return the lags of topics of one size, a row for each, a view of `lag` where they lie side by side; `first_tp` int64 (topics, 1)."""
    if (np.diff(first_tp, axis=0) == partition_count).all():
        start = int(first_tp[0, 0])
        return lag[start : start + first_tp.size * partition_count].reshape(-1, partition_count)
    return lag[first_tp + np.arange(partition_count)]


def _furthest_behind_first(lags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort each row (one topic) by lag descending, then partition; return the partitions, int64, and the lags. `lags` is used up."""
    most, bits = int(lags.max()), (lags.shape[1] - 1).bit_length()
    if most.bit_length() + bits > _KEY_BITS:
        order = np.argsort(-lags, axis=1, kind="stable")
        return order, np.take_along_axis(lags, order, axis=1)
    # Lag and partition in one integer: sorting values is three times as fast as sorting rows. In place: a new array costs as much as a pass.
    key = np.left_shift(lags, bits, out=lags)
    np.subtract((most << bits) + np.arange(key.shape[1]), key, out=key)
    key.sort(axis=1)
    partitions = key & ((1 << bits) - 1)
    key >>= bits
    return partitions, np.subtract(most, key, out=key)


def _deal(lags: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Return the owner of each of the sorted partitions, shaped like `lags`.

    The count comes first, so the partitions go out in rounds: in each round every member gets one, the one with the least lag so far first.
    """
    owner = np.empty(lags.shape, dtype=np.int32)
    owner[:, : members.size] = members[: lags.shape[1]]
    round_count = -(-lags.shape[1] // members.size)
    if round_count > 1:
        bits = (members.size - 1).bit_length()
        totals_fit = (int(lags.max()) * round_count).bit_length() + bits <= _KEY_BITS
        (_deal_packed if totals_fit else _deal_wide)(lags, members, owner)
    return owner


def _deal_packed(lags: np.ndarray, members: np.ndarray, owner: np.ndarray):
    """Deal from the second round on, with total and member of a place in one integer."""
    bits = (members.size - 1).bit_length()
    place = (lags[:, : members.size] << bits) | np.arange(members.size)
    for start in range(members.size, lags.shape[1], members.size):
        place.sort(axis=1)
        dealt = lags[:, start : start + members.size]
        now = place[:, : dealt.shape[1]]
        owner[:, start : start + members.size] = members[now & ((1 << bits) - 1)]
        now += dealt << bits


def _deal_wide(lags: np.ndarray, members: np.ndarray, owner: np.ndarray):
    """Deal from the second round on, with totals that leave no bits for the member; they wrap around as Java's do."""
    total = lags[:, : members.size].copy()
    for start in range(members.size, lags.shape[1], members.size):
        dealt = lags[:, start : start + members.size]
        now = np.argsort(total, axis=1, kind="stable")[:, : dealt.shape[1]]
        owner[:, start : start + members.size] = members[now]
        np.put_along_axis(total, now, np.take_along_axis(total, now, axis=1) + dealt, axis=1)


def _assumed(group: GroupSnapshot) -> tuple[Assumed, ...]:
    """Name the lags taken as 0 in topics where the lag decides: those of two partitions and two subscribers at least."""
    if group.end_offset.min(initial=0) != UNKNOWN or group.given_lag.min(initial=0) != UNKNOWN:
        return ()
    tps = np.flatnonzero(lag_taken_as_zero(group))
    if not tps.size:
        return ()
    subscribers = group.subscribers_by_id
    member_count = np.array([members.size for members in subscribers.members])[subscribers.set_of_topic]
    decides = (member_count > 1) & (group.partition_count > 1)
    tps = tps[decides[group.tp_topic[tps]]]
    return (Assumed("lag", tps),) if tps.size else ()
