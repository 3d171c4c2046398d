"""KnownGroup: what a librdkafka leader knows of the group before it assigns: members, topics,
claims, racks and the partition order.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import NamedTuple, TypeVar

import numpy as np

from evenkeel.assignors.arrays import row_ranges, stable_order
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import NO_RACK, NO_TP, GroupSnapshot
from evenkeel.assignors.group.racks import Racks, has_racks
from evenkeel.assignors.group.subscriptions import Subscribers, subscriber_sets
from evenkeel.assignors.java.collections import scala_order

_MOST_TOPICS = 10_000
"""rd_kafka_group_MemberMetadata_consumer_read refuses a member with more topics, and a member
without topics.
"""

_MOST_IN_ORDER = 4
"""Scala sets with up to four elements iterate in insertion order."""

_Element = TypeVar("_Element")


def known_members(group: GroupSnapshot) -> np.ndarray:
    """Return the members whose subscription the leader can read, int32, in the order reported."""
    listed = np.array([topics.size for topics in group.topic_lists], dtype=np.int64)[
        group.subscription
    ]
    return np.flatnonzero((listed > 0) & (listed <= _MOST_TOPICS)).astype(np.int32)


def sorted_members(group: GroupSnapshot, members: np.ndarray) -> np.ndarray:
    """Return the members, int32, sorted with librdkafka's function rd_kafka_group_member_cmp.

    The function compares two static members by instance id, and all other pairs by member id. With
    both static and dynamic members, this is not a consistent order. The result then depends on the
    sort algorithm; here it is glibc's.
    """
    if _are_mixed(group, members):
        return np.array(merge_sort(members.tolist(), _comparison(group)), dtype=np.int32)
    names = (
        group.instance_id
        if members.size and group.instance_id[members[0]] is not None
        else group.member_id
    )
    return np.array(
        sorted(members.tolist(), key=lambda row: sort_key(names[row] or "")), dtype=np.int32
    )


def sorted_subscribers(group: GroupSnapshot) -> Subscribers:
    """Return the distinct sets of subscribers that the leader knows. Each set is sorted
    separately.
    """
    members = known_members(group)
    if not _are_mixed(group, members):
        return subscribers_in(group, sorted_members(group, members))
    as_reported = subscribers_in(group, members)
    return as_reported._replace(
        members=tuple(sorted_members(group, each) for each in as_reported.members)
    )


def subscribers_in(group: GroupSnapshot, members: np.ndarray) -> Subscribers:
    """Return the distinct sets of subscribers among `members`. Each set has the order of
    `members`.
    """
    return subscriber_sets(group.topic_lists, group.subscription, group.topic_count, members)


def sort_key(name: str) -> bytes:
    """Return the bytes that the C code compares to sort names."""
    return name.encode("utf-8", "surrogatepass")


def _are_mixed(group: GroupSnapshot, members: np.ndarray) -> bool:
    return len({group.instance_id[row] is None for row in members.tolist()}) > 1


def _comparison(group: GroupSnapshot) -> Callable[[int, int], int]:
    ids = [sort_key(name) for name in group.member_id]
    instances = [None if name is None else sort_key(name) for name in group.instance_id]

    def compare(member: int, other: int) -> int:
        left, right = instances[member], instances[other]
        if left is None or right is None:
            left, right = ids[member], ids[other]
        return (left > right) - (left < right)

    return compare


def merge_sort(
    elements: Sequence[_Element], compare: Callable[[_Element, _Element], int]
) -> list[_Element]:
    """Sort like glibc's qsort: a top-down merge sort. The first half is rounded down, and of equal
    elements the left element comes first.

    If the comparison is not a consistent order, other C libraries have other results.
    """
    half = len(elements) // 2
    if not half:
        return list(elements)
    left, right = merge_sort(elements[:half], compare), merge_sort(elements[half:], compare)
    return _merged(left, right, compare)


def _merged(left: list, right: list, compare: Callable) -> list:
    merged, at, other = [], 0, 0
    while at < len(left) and other < len(right):
        if compare(left[at], right[other]) <= 0:
            merged.append(left[at])
            at += 1
        else:
            merged.append(right[other])
            other += 1
    return merged + left[at:] + right[other:]


def answered_order(listed: Iterable[Sequence[str]]) -> list[str]:
    """Return the topics of the members in the order of the broker's metadata response. The leader
    uses this order.

    `listed`: the topics of each member in the order sent, including unknown topics. The order is
    for Apache Kafka's broker; other brokers may have a different order.
    """
    names_in_order = list(dict.fromkeys(name for names in listed for name in names))
    return names_in_order if len(names_in_order) <= _MOST_IN_ORDER else scala_order(names_in_order)


_WRAP = 1 << 32
_HALF = 1 << 31


@dataclass(frozen=True, eq=False)
class KnownGroup:
    """The members and topics that the leader knows.

    Parameters
    ----------
    members : int32
        Members with a readable subscription, in the order reported.
    by_id : int32
        The same members, sorted by member id. This order breaks ties.
    subscribers : Subscribers
        Subscribers of each topic, sorted by member id.
    topics : int32
        Subscribed topics in the order of the broker's metadata response, including unknown topics.
    can_count : int64 (M,)
        Number of partitions in the subscribed topics of each member.
    is_equal : bool
        Whether all members may own the same partitions.
    """

    group: GroupSnapshot
    members: np.ndarray
    by_id: np.ndarray
    subscribers: Subscribers
    topics: np.ndarray
    can_count: np.ndarray
    is_equal: bool

    @property
    def rows(self) -> np.ndarray:
        """Row numbers (int64) of the partitions of subscribed topics, ascending."""
        return np.flatnonzero(self.subscribers.count_of_topic[self.group.tp_topic])


def known_group(group: GroupSnapshot) -> KnownGroup:
    """Return what the leader knows of the group."""
    members = known_members(group)
    by_id = np.array(
        sorted(members.tolist(), key=lambda row: sort_key(group.member_id[row])), dtype=np.int32
    )
    subscribers = subscribers_in(group, by_id)
    can_count = np.array(
        [group.partition_count[np.unique(topics)].sum() for topics in group.topic_lists],
        dtype=np.int64,
    )[group.subscription]
    return KnownGroup(
        group,
        members,
        by_id,
        subscribers,
        _topics(group, members),
        can_count,
        _is_equal(group, members, subscribers),
    )


def _topics(group: GroupSnapshot, members: np.ndarray) -> np.ndarray:
    row = {name: number for number, name in enumerate(group.topic_name)}
    lists = dict.fromkeys(group.subscription[members].tolist())
    names = answered_order(
        [group.topic_name[topic] for topic in group.topic_lists[each].tolist()] for each in lists
    )
    return np.array([row[name] for name in names], dtype=np.int32)


def _is_equal(group: GroupSnapshot, members: np.ndarray, subscribers: Subscribers) -> bool:
    """Return whether every member subscribes to every subscribed topic with partitions."""
    count = subscribers.count_of_topic[
        (group.partition_count > 0) & (subscribers.count_of_topic > 0)
    ]
    return bool((count == members.size).all())


class Claims(NamedTuple):
    """Members that claim each partition, int32 (P,); `UNASSIGNED` if there is no such member.

    `owner`: the member whose claim the leader accepts. `former`: the member with the second newest
    claim. `holder`: the last claimant in the order reported. The leader moves a partition away from
    `holder`, even if `owner` is another member.
    """

    owner: np.ndarray
    former: np.ndarray
    holder: np.ndarray


def claims(known: KnownGroup) -> Claims:
    """Return the claims of partitions of subscribed topics."""
    group = known.group
    at = known_claims(group, known.members)
    at = at[
        (group.claim_tp[at] != NO_TP)
        & (known.subscribers.count_of_topic[group.claim_topic[at]] > 0)
    ]
    at = at[stable_order(group.claim_tp[at])]
    owner, former = (group.unowned() for _ in range(2))
    owner[group.claim_tp[at]] = group.claim_member[at]
    holder = owner.copy()
    for tp, members in _repeated(group.claim_tp[at], group.claim_member[at]):
        owner[tp], former[tp] = _believed(members, group.generation[members].tolist())
        if owner[tp] == UNASSIGNED:
            holder[tp] = UNASSIGNED
    return Claims(owner, former, holder)


def known_claims(group: GroupSnapshot, members: np.ndarray) -> np.ndarray:
    """Return the row numbers (int64) of the claims that these members make, in the order
    reported.
    """
    is_known = np.zeros(group.member_count, dtype=bool)
    is_known[members] = True
    return np.flatnonzero(is_known[group.claim_member])


def _repeated(tp: np.ndarray, member: np.ndarray):
    """Yield each partition with more than one claim, and the member of each claim."""
    if not (tp[1:] == tp[:-1]).any():
        return
    starts = np.flatnonzero(np.diff(tp, prepend=-1))
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), tp.size], strict=True):
        if stop - start > 1:
            yield int(tp[start]), member[start:stop]


def _believed(members: np.ndarray, generations: Sequence[int]) -> tuple[int, int]:
    """Return (member with the newest claim, member with the second newest claim). If two claims
    have the same generation, the leader accepts no claim, and both are `UNASSIGNED`.
    """
    if len(set(generations)) < len(generations):
        return UNASSIGNED, UNASSIGNED
    # In C, the difference of two generations is an int, which can overflow.
    order = sorted(
        range(len(generations)),
        key=cmp_to_key(lambda left, other: _wrapped(generations[left] - generations[other])),
    )
    return int(members[order[-1]]), int(members[order[-2]])


def _wrapped(difference: int) -> int:
    return (difference + _HALF) % _WRAP - _HALF


def racks_in_play(known: KnownGroup) -> Racks | None:
    """Return the racks. None if no member is in the rack of a replica, or if all partitions have
    replicas in the same racks.

    An empty rack name matches no partition.
    """
    group = known.group
    if not has_racks(group):
        return None
    names = [*group.rack_name, *([] if "" in group.rack_name else [""])]
    has = np.zeros((group.tp_count, len(names)), dtype=bool)
    is_known = group.replica_rack != NO_RACK
    has[
        np.repeat(np.arange(group.tp_count), np.diff(group.replica_start))[is_known],
        group.replica_rack[is_known],
    ] = True
    playing = has[known.rows]
    everywhere = playing.any(axis=0)
    of_members = group.member_rack[known.members]
    if not everywhere[of_members[of_members != NO_RACK]].any() or (playing == everywhere).all():
        return None
    member_rack = group.member_rack.copy()
    if group.has_empty_rack is not None:
        member_rack[group.has_empty_rack] = names.index("")
    return Racks(member_rack, has)


def partition_order(known: KnownGroup, claims: Claims) -> np.ndarray:
    """Return the row numbers (int64) of the partitions of subscribed topics, in the leader's
    order.
    """
    rows = known.rows
    if not known.is_equal:
        return rows[
            np.argsort(known.subscribers.count_of_topic[known.group.tp_topic[rows]], kind="stable")
        ]
    owned = rows[claims.owner[rows] != UNASSIGNED]
    return (
        np.concatenate((_owned_first(known, claims, owned), _rest(known, claims)))
        if owned.size
        else rows
    )


def _owned_first(known: KnownGroup, claims: Claims, owned: np.ndarray) -> np.ndarray:
    """Return the owned partitions in the leader's order. Each partition comes from the member that
    has the most partitions left; if several members have the most, from the member with the largest
    id. A member's partitions that a second member claims come first.
    """
    member = claims.owner[owned]
    order = np.lexsort((owned, claims.former[owned] == UNASSIGNED, member))
    owned, member = owned[order], member[order]
    starts = np.searchsorted(member, member)
    left = np.bincount(member)[member] - (np.arange(owned.size) - starts)
    place = np.empty(known.group.member_count, dtype=np.int64)
    place[known.by_id] = np.arange(known.by_id.size)
    return owned[np.lexsort((-place[member], -left))]


def _rest(known: KnownGroup, claims: Claims) -> np.ndarray:
    """Return the partitions without owner: topics and partition numbers in reverse order."""
    first = known.group.first_tp
    rows = row_ranges(first[known.topics], first[known.topics + 1])[::-1]
    return rows[claims.owner[rows] == UNASSIGNED]
