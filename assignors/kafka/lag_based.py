"""Lag: partitions of a topic are dealt in descending order of lag, each to the subscriber that has
the fewest partitions of the topic. If several have the fewest, the total lag of these partitions
decides: the smallest wins.

Reproduces `com.github.grantneale.kafka.LagBasedPartitionAssignor` 2.0.0. KAFKA-5337 proposes this
class for Kafka, with the name LagAwareAssignor.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.arrays import deal_in_turn
from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumption
from evenkeel.assignors.group import UNKNOWN, GroupSnapshot
from evenkeel.assignors.group.dealing.ranges import runs
from evenkeel.assignors.group.lag import assignor_lag, lag_taken_as_zero
from evenkeel.assignors.kafka.release import Release
from evenkeel.assignors.protocol import CLASSIC
from evenkeel.assignors.trace import ByLag, Trace, asked, pairs

_KEY_BITS = 63
_MEMBERS_IN_INT16 = 1 << 15


@dataclass(frozen=True)
class LagBasedAssignor(Release):
    """The `lag` strategy.

    For each topic, partition counts of subscribers differ by at most one. Lag decides only between
    members with equal counts. Counts and lags start at 0 in every topic, so in every topic the
    smallest member ids get the partitions with the most lag. Racks, instance ids and owned
    partitions have no effect. The class is not part of Kafka, so its assignment does not depend on
    the Kafka release.
    """

    group_type: ClassVar[str] = CLASSIC
    name: ClassVar[str] = "lag"
    java_class: ClassVar[str] = "com.github.grantneale.kafka.LagBasedPartitionAssignor"
    is_in_kafka: ClassVar[bool] = False
    label: ClassVar[str] = "KAFKA-5337"
    quirks: ClassVar[tuple[str, ...]] = ("Q-24",)
    quirk_owner: ClassVar[str] = "the lag-based assignor"
    uses_lag: ClassVar[bool] = True

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return the owners. If the group has no members, no partition is assigned.

        `assumed` of the result: unknown lags, which count as 0, if the assignment depends on them.
        """
        # Owners are written in the order of lags, so to places all over the array. Small integers
        # fit in the processor's cache.
        owner = np.full(
            group.tp_count,
            UNASSIGNED,
            dtype=np.int16 if group.member_count <= _MEMBERS_IN_INT16 else np.int32,
        )
        lag, trace = assignor_lag(group), asked()
        for topics in _equal_topics(group):
            first_tp = group.first_tp[topics, None]
            lags = _lags_of(lag, first_tp, int(group.partition_count[topics[0]]))
            tps, lags = _furthest_behind_first(
                lags.copy() if np.may_share_memory(lags, group.given_lag) else lags
            )
            tps += first_tp
            members = group.subscribers_by_id.of_topic(topics[0]).astype(owner.dtype)
            sorted_lags = lags if trace is None else lags.copy()
            owner[tps] = dealt = _deal(lags, members)
            if trace is not None:
                _tell(trace, tps, sorted_lags, np.broadcast_to(dealt, tps.shape), members)
        return Assignment(owner.astype(np.int32, copy=False), assumed=_assumed(group))

    def assign_each(self, group: GroupSnapshot, lag: np.ndarray) -> np.ndarray:
        """Return the owners for each row of `lag`, int32 (S, P). The rows are independent."""
        owner = np.full(lag.shape, UNASSIGNED, dtype=np.int32)
        for topics in _equal_topics(group):
            tps = group.first_tp[topics, None] + np.arange(group.partition_count[topics[0]])
            members = group.subscribers_by_id.of_topic(topics[0]).astype(np.int32)
            order, lags = _furthest_behind_first(lag[:, tps].reshape(-1, tps.shape[1]))
            dealt = np.empty(order.shape, dtype=np.int32)
            np.put_along_axis(
                dealt, order, np.broadcast_to(_deal(lags, members), order.shape), axis=1
            )
            owner[:, tps.ravel()] = dealt.reshape(lag.shape[0], -1)
        return owner


def _equal_topics(group: GroupSnapshot) -> Iterator[np.ndarray]:
    """Yield groups of subscribed topics: same subscribers and same partition count."""
    set_of_topic = group.subscribers_by_id.set_of_topic
    (topics,) = ((group.partition_count > 0) & (set_of_topic > 0)).nonzero()
    topics = topics[np.lexsort((group.partition_count[topics], set_of_topic[topics]))]
    return runs(topics, set_of_topic, group.partition_count)


def _tell(
    trace: Trace, tps: np.ndarray, lags: np.ndarray, dealt: np.ndarray, members: np.ndarray
) -> None:
    """Trace how topics were dealt to `members`.

    The arrays have one row for each topic. Its partitions are in dealing order.
    """
    for row, topic_tps in enumerate(tps):
        for rank in trace.places(topic_tps):
            had = [np.flatnonzero(dealt[row, :rank] == member) for member in members]
            # numpy's sum overflows like Java's.
            count, total = [each.size for each in had], [int(lags[row, each].sum()) for each in had]
            facts = (
                rank,
                tps.shape[1],
                int(lags[row, rank]),
                pairs(members, count),
                pairs(members, total),
            )
            trace.add(topic_tps[rank], ByLag(int(dealt[row, rank]), *facts))


def _lags_of(lag: np.ndarray, first_tp: np.ndarray, partition_count: int) -> np.ndarray:
    """Return the lags of topics with equal partition counts, one row for each topic.

    The result is a view of `lag` if the topics are adjacent. `first_tp`: first topic-partition of
    each topic, int64 (topics, 1).
    """
    if (first_tp[1:] - first_tp[:-1] == partition_count).all():
        start = int(first_tp[0, 0])
        return lag[start : start + first_tp.size * partition_count].reshape(-1, partition_count)
    return lag[first_tp + np.arange(partition_count)]


def _furthest_behind_first(lags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort each topic's partitions by lag, descending, and by number if lags are equal.

    Return partition numbers, int64, and lags. `lags`, one row for each topic, is overwritten.
    """
    most, bits = int(lags.max()), (lags.shape[1] - 1).bit_length()
    if most.bit_length() + bits > _KEY_BITS:
        order = np.argsort(-lags, axis=1, kind="stable")
        return order, np.take_along_axis(lags, order, axis=1)
    # Lag and partition in one integer, because sort is three times as fast as argsort. In place,
    # because a new array costs a whole pass.
    key = np.left_shift(lags, bits, out=lags)
    np.subtract((most << bits) + np.arange(key.shape[1]), key, out=key)
    key.sort(axis=1)
    partitions = key & ((1 << bits) - 1)
    key >>= bits
    return partitions, np.subtract(most, key, out=key)


def _deal(lags: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Return the owner of each partition. `lags`: one row for each topic, descending.

    The result has the shape of `lags`, or a single row if the owners are the same for all topics.
    The partition count decides before the lag, so partitions are dealt in rounds: each member gets
    one partition in a round, the member with the smallest total lag first.
    """
    round_count, bits = -(-lags.shape[1] // members.size), (members.size - 1).bit_length()
    # Totals start at 0 in each topic, so only member ids decide the first round.
    if round_count == 1:
        return members[: lags.shape[1]]
    if not lags[:, 0].any():
        # No lag: each round is dealt like the first round.
        dealt = np.empty(lags.shape[1], dtype=members.dtype)
        deal_in_turn(dealt, members)
        return dealt
    totals_fit = (int(lags.max()) * round_count).bit_length() + bits <= _KEY_BITS
    return members.take(
        _places_packed(lags, members.size, bits) if totals_fit else _places_wide(lags, members.size)
    )


def _places_packed(lags: np.ndarray, member_count: int, bits: int) -> np.ndarray:
    """Return the place of each partition's owner in `members`, int64.

    Total lag and place are packed in one integer. `lags` is overwritten.
    """
    tp_count = lags.shape[1]
    lags <<= bits
    key = np.empty((len(lags), -(-tp_count // member_count) * member_count), dtype=np.int64)
    key[:, :member_count] = np.arange(member_count)
    for start in range(member_count, tp_count, member_count):
        now = key[:, start : start + member_count]
        np.add(key[:, start - member_count : start], lags[:, start - member_count : start], out=now)
        now.sort(axis=1)
    key &= (1 << bits) - 1
    return key[:, :tp_count]


def _places_wide(lags: np.ndarray, member_count: int) -> np.ndarray:
    """Return the same places as `_places_packed`, for totals too large to pack.

    The totals overflow like Java's.
    """
    place = np.empty(lags.shape, dtype=np.int64)
    total = np.zeros((len(lags), member_count), dtype=np.int64)
    for start in range(0, lags.shape[1], member_count):
        dealt = lags[:, start : start + member_count]
        now = np.argsort(total, axis=1, kind="stable")[:, : dealt.shape[1]]
        place[:, start : start + member_count] = now
        np.put_along_axis(total, now, np.take_along_axis(total, now, axis=1) + dealt, axis=1)
    return place


def _assumed(group: GroupSnapshot) -> tuple[Assumption, ...]:
    """Return the unknown lags that count as 0 and can change the assignment.

    Only lags of topics with at least two partitions and two subscribers.
    """
    if group.given_lag.min(initial=0) != UNKNOWN or group.end_offset.min(initial=0) != UNKNOWN:
        return ()
    tps = np.flatnonzero(lag_taken_as_zero(group))
    if not tps.size:
        return ()
    decides = (group.subscribers_by_id.count_of_topic > 1) & (group.partition_count > 1)
    tps = tps[decides[group.tp_topic[tps]]]
    return (Assumption("lag", tps),) if tps.size else ()
