"""Members as a librdkafka leader has them: whom it leaves out, and the order in which it sorts the others."""

from collections.abc import Callable

import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.subscriptions import Subscribers, subscriber_sets
from evenkeel.assignors.librdkafka.qsort import merge_sort

_MOST_TOPICS = 10_000
"""rd_kafka_group_MemberMetadata_consumer_read refuses a member that lists more, as it does one that lists none."""


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


def are_equal(group: GroupSnapshot, member: int, other: int) -> bool:
    """Tell whether rd_kafka_group_member_cmp takes two members for one: the same, or two with one instance id."""
    return member == other or (group.instance_id[member] is not None and group.instance_id[member] == group.instance_id[other])


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
