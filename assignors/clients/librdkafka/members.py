"""Members and topics as a librdkafka leader has them: whom it leaves out, and the order of both."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.subscriptions import Subscribers, subscriber_sets
from evenkeel.assignors.java.collections import scala_order

_MOST_TOPICS = 10_000
"""rd_kafka_group_MemberMetadata_consumer_read refuses a member that lists more, as it does one that lists none."""

_MOST_IN_ORDER = 4
"""Scala's sets of up to four elements keep the order in which these were added."""

_Element = TypeVar("_Element")


def known_members(group: GroupSnapshot) -> np.ndarray:
    """Return the members that the leader can read, int32, in the order reported."""
    listed = np.array([topics.size for topics in group.topic_lists], dtype=np.int64)[group.subscription]
    return np.flatnonzero((listed > 0) & (listed <= _MOST_TOPICS)).astype(np.int32)


def sorted_members(group: GroupSnapshot, members: np.ndarray) -> np.ndarray:
    """Return members in the order of rd_kafka_group_member_cmp, int32: two static ones by instance id, any other two by member id.

    Where static and dynamic members mix, this is no order: the result depends on the sort. Reproduced is glibc's.
    """
    if _are_mixed(group, members):
        return np.array(merge_sort(members.tolist(), _comparison(group)), dtype=np.int32)
    names = group.instance_id if members.size and group.instance_id[members[0]] is not None else group.member_id
    return np.array(sorted(members.tolist(), key=lambda row: sort_key(names[row])), dtype=np.int32)


def sorted_subscribers(group: GroupSnapshot) -> Subscribers:
    """Return the distinct sets of known subscribers, each sorted on its own."""
    members = known_members(group)
    if not _are_mixed(group, members):
        return subscribers_in(group, sorted_members(group, members))
    as_reported = subscribers_in(group, members)
    return as_reported._replace(members=tuple(sorted_members(group, each) for each in as_reported.members))


def subscribers_in(group: GroupSnapshot, members: np.ndarray) -> Subscribers:
    """Return the distinct sets of subscribers among `members`, in the order of `members`."""
    return subscriber_sets(group.topic_lists, group.subscription, group.topic_count, members)


def sort_key(name: str) -> bytes:
    """Return what C compares: bytes."""
    return name.encode("utf-8", "surrogatepass")


def _are_mixed(group: GroupSnapshot, members: np.ndarray) -> bool:
    return len({group.instance_id[row] is None for row in members.tolist()}) > 1


def _comparison(group: GroupSnapshot) -> Callable[[int, int], int]:
    ids = [sort_key(name) for name in group.member_id]
    instances = [None if name is None else sort_key(name) for name in group.instance_id]

    def compare(member: int, other: int) -> int:
        names = ids if instances[member] is None or instances[other] is None else instances
        return (names[member] > names[other]) - (names[member] < names[other])

    return compare


def merge_sort(elements: Sequence[_Element], compare: Callable[[_Element, _Element], int]) -> list[_Element]:
    """Sort as glibc's qsort, which shows where a comparison is no order: other C libraries sort such elements otherwise.

    Top down: the first half, rounded down, then the rest, merged; of equal ones the left one first.
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
    """Return the topics that members list in the order of a broker's answer about metadata, which the leader keeps.

    `listed`: each member's in the order sent; unknown topics are among them. As Apache Kafka answers; another broker may use another order.
    """
    asked = list(dict.fromkeys(name for names in listed for name in names))
    return asked if len(asked) <= _MOST_IN_ORDER else scala_order(asked)
