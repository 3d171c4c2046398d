"""Simple where all members subscribe to the same topics.

Reproduces `org.apache.kafka.coordinator.group.assignor.SimpleHomogeneousAssignmentBuilder`.
"""

import numpy as np

from assignors.assignment import HASH_COLLISIONS, UNASSIGNED, Assignment
from assignors.consumer.row_ranges import row_ranges
from assignors.consumer.stored import Stored, answer_of_pairs, stored_partitions
from assignors.consumer.stored_order import in_map_order, in_set_order, lists_of
from assignors.consumer.subscriptions import unknown_ids, view
from assignors.group import GroupSnapshot
from assignors.java.hash_codes import topic_id_partition_hashes
from assignors.java.hash_map import IterationOrder
from assignors.share.key_order import key_order
from assignors.share.sharing import share, shares


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
    key_hash = _key_hashes(group, stored)
    number = group.member_map_order.places[stored.member[walked.rows]]
    shared = share(number, stored.tp[walked.rows], key_hash, sharing, want, lambda: key_order(stored.tp[walked.rows], targets, key_hash))
    member = np.append(number[shared.kept], shared.number)
    tp = np.append(stored.tp[walked.rows[shared.kept]], shared.key)
    crowded = group.member_map_order.assumed or seen.tree_bin or walked.tree_bin or shared.tree_bin
    assumed = (*((HASH_COLLISIONS,) if crowded else ()), *(unknown_ids(group, seen.rows) if shared.by_hash else ()))
    return answer_of_pairs(group, stored, members[member], tp, assumed)


def _walked(group: GroupSnapshot, stored: Stored, subscribed: np.ndarray, sharing: int, want: np.ndarray, jdk: int) -> IterationOrder:
    """Return the rows of `stored` of subscribed topics in the order in which the builder walks them.

    With one member for each partition that order shows only for members that have too much; they come first and the others' rows follow as they are.
    """
    number = group.member_map_order.places[stored.member]
    known = subscribed[stored.topic]
    walks = np.bincount(number[known], minlength=want.size) > (want if sharing == 1 else -1)
    lists = lists_of(group, stored, group.member_map_order.rows[walks])
    order = in_map_order(group, lists, subscribed)
    walked = in_set_order(stored, lists.at(order.rows), jdk)
    return IterationOrder(np.append(walked.rows, np.flatnonzero(known & ~walks[number])), order.tree_bin or walked.tree_bin)


def _key_hashes(group: GroupSnapshot, stored: Stored) -> np.ndarray:
    """Return the hash codes of topic-partitions, uint32 (P + partitions beyond a topic's size,)."""
    topic, partition = np.append(group.tp_topic, stored.beyond[:, 0]), np.append(group.tp_partition, stored.beyond[:, 1])
    return topic_id_partition_hashes(group.topic_uuid_hash[topic], partition)
