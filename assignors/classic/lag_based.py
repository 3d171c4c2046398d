"""Lag: each topic's partitions, the furthest behind first, to the subscriber with the fewest and then the least lag of that topic.

Reproduces `com.github.grantneale.kafka.LagBasedPartitionAssignor` 2.0.0, the assignor of KAFKA-5337, which the KIP proposes to Kafka as LagAwareAssignor.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assignors.assignment import UNASSIGNED, Assignment, Assumed
from assignors.group import GroupSnapshot
from assignors.lag import assignor_lag, lag_taken_as_zero
from assignors.release import Release

_KEY_BITS = 63


@dataclass(frozen=True)
class LagBasedAssignor(Release):
    """The `lag` strategy.

    Partition counts of a topic's subscribers differ by at most one, and within that the lag is even. Totals are per topic: the smallest member id wins every tie
    in every topic. Racks, instance ids and owned partitions do not count. It is not one of Kafka's own classes, so it answers for any release.
    """

    group_type: ClassVar[str] = "classic"
    name: ClassVar[str] = "lag"
    protocol: ClassVar[str] = "lag"

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what; `assumed` names the unknown lags, taken as 0, on which it depends. Without members nobody owns anything."""
        owner = np.full(group.tp_count, UNASSIGNED, dtype=np.int32)
        lag = assignor_lag(group)
        for topics in _equal_topics(group):
            members = group.subscribers_by_id.of_topic(topics[0])
            first_tp = group.first_tp[topics, None]
            partition, lags = _furthest_behind_first(lag[first_tp + np.arange(group.partition_count[topics[0]])])
            partition += first_tp
            owner[partition] = members[_deal(lags, members.size)]
        return Assignment(owner, assumed=_assumed(group))


def _equal_topics(group: GroupSnapshot) -> list[np.ndarray]:
    """Return the subscribed topics, those with the same subscribers and the same size together."""
    set_of_topic = group.subscribers_by_id.set_of_topic
    topics = np.flatnonzero((group.partition_count > 0) & (set_of_topic > 0))
    topics = topics[np.lexsort((group.partition_count[topics], set_of_topic[topics]))]
    change = (np.diff(set_of_topic[topics]) != 0) | (np.diff(group.partition_count[topics]) != 0)
    return np.split(topics, np.flatnonzero(change) + 1) if topics.size else []


def _furthest_behind_first(lag: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort each row of `lag` (topics, partitions) by lag descending, then partition; return partitions and lags in that order."""
    most, bits = int(lag.max()), (lag.shape[1] - 1).bit_length()
    if most.bit_length() + bits > _KEY_BITS:
        partition = np.argsort(-lag, axis=1, kind="stable")
        return partition, np.take_along_axis(lag, partition, axis=1)
    # Lag and partition in one integer: sorting values is three times as fast as sorting rows.
    key = most - lag
    key <<= bits
    key |= np.arange(lag.shape[1])
    key.sort(axis=1)
    partition = key & ((1 << bits) - 1)
    key >>= bits
    return partition, np.subtract(most, key, out=key)


def _deal(lags: np.ndarray, member_count: int) -> np.ndarray:
    """Return which member gets each of the sorted partitions, shaped like `lags`.

    The count comes first, so the partitions go out in rounds: in each round every member gets one, the one with the least lag so far first.
    """
    rounds = range(0, lags.shape[1], member_count)
    bits = (member_count - 1).bit_length()
    totals_fit = (int(lags.max()) * len(rounds)).bit_length() + bits <= _KEY_BITS
    return (_deal_packed if totals_fit else _deal_wide)(lags, member_count, bits)


def _deal_packed(lags: np.ndarray, member_count: int, bits: int) -> np.ndarray:
    """Deal with total and member of a place in one integer."""
    first = lags[:, :member_count]
    taker = np.empty(lags.shape, dtype=np.int32)
    taker[:, :member_count] = np.arange(first.shape[1])
    if lags.shape[1] > member_count:
        place = (first << bits) | np.arange(member_count)
    for start in range(member_count, lags.shape[1], member_count):
        place.sort(axis=1)
        dealt = lags[:, start : start + member_count]
        now = place[:, : dealt.shape[1]]
        taker[:, start : start + member_count] = now & ((1 << bits) - 1)
        now += dealt << bits
    return taker


def _deal_wide(lags: np.ndarray, member_count: int, _bits: int) -> np.ndarray:
    """Deal with totals that leave no bits for the member; they wrap around as Java's do."""
    total = np.zeros((lags.shape[0], member_count), dtype=np.int64)
    taker = np.empty(lags.shape, dtype=np.int32)
    for start in range(0, lags.shape[1], member_count):
        dealt = lags[:, start : start + member_count]
        now = np.argsort(total, axis=1, kind="stable")[:, : dealt.shape[1]]
        taker[:, start : start + member_count] = now
        np.put_along_axis(total, now, np.take_along_axis(total, now, axis=1) + dealt, axis=1)
    return taker


def _assumed(group: GroupSnapshot) -> tuple[Assumed, ...]:
    """Name the lags taken as 0 in topics where the lag decides: those of two partitions and two subscribers at least."""
    tps = np.flatnonzero(lag_taken_as_zero(group))
    if not tps.size:
        return ()
    subscribers = group.subscribers_by_id
    member_count = np.array([members.size for members in subscribers.members])[subscribers.set_of_topic]
    decides = (member_count > 1) & (group.partition_count > 1)
    tps = tps[decides[group.tp_topic[tps]]]
    return (Assumed("lag", tps),) if tps.size else ()
