"""Simple where all members subscribe to the same topics.

Reproduces `org.apache.kafka.coordinator.group.assignor.SimpleHomogeneousAssignmentBuilder`.
"""

import numpy as np

from evenkeel.assignors.arrays import row_ranges
from evenkeel.assignors.assignment import HASH_COLLISIONS, UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.java.collections import IterationOrder
from evenkeel.assignors.java.hashing import topic_id_partition_hashes
from evenkeel.assignors.kafka.consumer.stored import Stored, answer_of_pairs, stored_partitions
from evenkeel.assignors.kafka.consumer.stored_order import in_map_order, in_set_order, lists_of
from evenkeel.assignors.kafka.consumer.subscriptions import unknown_ids, view
from evenkeel.assignors.kafka.share.key_order import key_order
from evenkeel.assignors.kafka.share.passes import Passes, shares
from evenkeel.assignors.kafka.share.share_out import share


def assign_equal(group: GroupSnapshot, jdk: int) -> Assignment:
    """Return the answer for a group of at least one member."""
    members = group.member_map_order.rows
    seen = view(group, members[0], jdk)
    if not seen.rows.size:
        return Assignment(np.full(group.tp_count, UNASSIGNED, dtype=np.int32))
    stored = stored_partitions(group)
    subscribed = np.zeros(group.topic_count, dtype=bool)
    subscribed[seen.rows] = True
    targets = row_ranges(group.first_tp[seen.rows], group.first_tp[seen.rows + 1])
    sharing, want = shares(members.size, targets.size)
    walked = _walked(group, stored, subscribed, sharing, want, jdk)
    passes = _one_pass(group, stored, sharing, want)
    number, tp = group.member_map_order.places[stored.member[walked.rows]], stored.tp[walked.rows]
    shared = share(passes, number, tp, lambda: key_order(tp, targets, passes.key_hash))
    member = members[np.append(number[shared.kept], shared.member)]
    crowded = group.member_map_order.assumed or seen.tree_bin or walked.tree_bin or shared.tree_bin
    assumed = (*((HASH_COLLISIONS,) if crowded else ()), *(unknown_ids(group, seen.rows) if shared.by_hash else ()))
    return answer_of_pairs(group, stored, member, np.append(tp[shared.kept], shared.key), assumed)


def _one_pass(group: GroupSnapshot, stored: Stored, sharing: int, want: np.ndarray) -> Passes:
    """Return the pass of all members and all topic-partitions, partitions beyond a topic's size last."""
    topic, partition = np.append(group.tp_topic, stored.beyond[:, 0]), np.append(group.tp_partition, stored.beyond[:, 1])
    key_hash = topic_id_partition_hashes(group.topic_uuid_hash[topic], partition)
    first_pass = np.zeros(max(key_hash.size, want.size), dtype=np.int8)
    return Passes(np.array([sharing]), first_pass[: want.size], first_pass[: key_hash.size], np.arange(want.size), want, key_hash)


def _walked(group: GroupSnapshot, stored: Stored, subscribed: np.ndarray, sharing: int, want: np.ndarray, jdk: int) -> IterationOrder:
    """Return the rows of `stored` of subscribed topics in the order in which the builder walks them.

    With one member for each partition the order matters only for members that have too much: they come first, and the other rows follow
    unordered.
    """
    number = group.member_map_order.places[stored.member]
    known = subscribed[stored.topic]
    walks = np.bincount(number[known], minlength=want.size) > (want if sharing == 1 else -1)
    lists = lists_of(group, stored, group.member_map_order.rows[walks])
    order = in_map_order(group, lists, subscribed)
    walked = in_set_order(stored, lists.at(order.rows), jdk)
    return IterationOrder(np.append(walked.rows, np.flatnonzero(known & ~walks[number])), order.tree_bin or walked.tree_bin)
