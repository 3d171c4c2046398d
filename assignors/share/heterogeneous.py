"""Simple where members subscribe to different topics: each topic on its own.

Reproduces `org.apache.kafka.coordinator.group.assignor.SimpleHeterogeneousAssignmentBuilder`.
"""

from typing import NamedTuple

import numpy as np

from assignors.assignment import HASH_COLLISIONS, UNASSIGNED, Assignment
from assignors.consumer.row_ranges import row_ranges
from assignors.consumer.stored import Stored, answer_of_pairs, stored_partitions
from assignors.consumer.stored_order import Lists, in_set_order, lists_of
from assignors.group import GroupSnapshot
from assignors.java.hash_map import IterationOrder
from assignors.share.key_order import key_order
from assignors.share.sharing import share, shares
from assignors.stable_order import stable_order

_OWN_BUCKET = 1 << 16
"""Smaller numbers have a bucket each in a map that was made for all of them."""


class _Given(NamedTuple):
    """Who has what of a topic: members' numbers and topic-partitions; `tree_bin`: some order is not Java's."""

    number: np.ndarray
    tp: np.ndarray
    tree_bin: bool


def assign_differing(group: GroupSnapshot, jdk: int) -> Assignment:
    """Return the answer for a group of at least one member. Of a topic that nobody subscribes to any more members keep what they have."""
    members, subscribers = group.member_map_order, group.subscribers_in_map_order
    visited = group.topic_known & (subscribers.set_of_topic > 0)
    if not visited.any():
        return Assignment(np.full(group.tp_count, UNASSIGNED, dtype=np.int32))
    stored = stored_partitions(group)
    lists = lists_of(group, stored, members.rows)
    lists = lists.at(stable_order(lists.topic * np.int64(members.rows.size) + lists.place))
    bounds = np.searchsorted(lists.topic, np.arange(group.topic_count + 1))
    given = [_left(stored, members.places, ~visited)]
    for topic in np.flatnonzero(visited).tolist():
        subscribed = members.places[subscribers.of_topic(topic)]
        given.append(_given(group, stored, topic, lists.at(slice(bounds[topic], bounds[topic + 1])), subscribed, jdk))
    number, tp = np.concatenate([each.number for each in given]), np.concatenate([each.tp for each in given])
    crowded = members.assumed or any(each.tree_bin for each in given)
    return answer_of_pairs(group, stored, members.rows[number], tp, (HASH_COLLISIONS,) if crowded else ())


def _left(stored: Stored, place: np.ndarray, unvisited: np.ndarray) -> _Given:
    rows = np.flatnonzero(unvisited[stored.topic])
    return _Given(place[stored.member[rows]], stored.tp[rows], tree_bin=False)


def _given(group: GroupSnapshot, stored: Stored, topic: int, lists: Lists, subscribed: np.ndarray, jdk: int) -> _Given:
    """Share one topic, whose lists these are, among the members of these numbers."""
    first, partition_count = int(group.first_tp[topic]), int(group.partition_count[topic])
    sharing, shared = shares(subscribed.size, partition_count)
    want = np.zeros(group.member_count, dtype=np.int64)
    want[subscribed] = shared
    beyond = np.unique(stored.tp[row_ranges(lists.first, lists.first + lists.size)])
    beyond = beyond[beyond >= group.tp_count]
    walked = _walked(stored, lists, (lists.size > want[lists.place]) | bool(beyond.size), jdk)
    tp = stored.tp[walked.rows]
    key = np.where(tp < group.tp_count, tp - first, partition_count + np.searchsorted(beyond, tp))
    key_hash = np.append(np.arange(partition_count), stored.beyond[beyond - group.tp_count, 1]).astype(np.uint32)
    number = group.member_map_order.places[stored.member[walked.rows]]
    result = share(number, key, key_hash, sharing, want, lambda: _key_order(key, partition_count, key_hash))
    tp_of_key = np.append(np.arange(first, first + partition_count), beyond)
    return _Given(np.append(number[result.kept], result.number), np.append(tp[result.kept], tp_of_key[result.key]), walked.tree_bin or result.tree_bin)


def _walked(stored: Stored, lists: Lists, order_shows: np.ndarray, jdk: int) -> IterationOrder:
    """Return the rows of the lists: those whose order shows as their sets iterate, then the others as they are."""
    walked, rest = in_set_order(stored, lists.at(order_shows), jdk), lists.at(~order_shows)
    return IterationOrder(np.append(walked.rows, row_ranges(rest.first, rest.first + rest.size)), walked.tree_bin)


def _key_order(held: np.ndarray, partition_count: int, key_hash: np.ndarray) -> IterationOrder:
    if key_hash.size == partition_count <= _OWN_BUCKET:
        return IterationOrder(np.arange(partition_count), tree_bin=False)
    return key_order(held, np.arange(partition_count), key_hash)
