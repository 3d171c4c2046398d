"""ObservedGroup: a group for assignors, with further facts from its source, such as hosts."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment, Assumption
from evenkeel.assignors.group import NO_GENERATION, NO_RACK, GroupSnapshot
from evenkeel.assignors.protocol import CLASSIC
from evenkeel.data.group.document import JoinedWith, Leader


@dataclass(frozen=True, eq=False)
class ObservedGroup:
    """A snapshot of a group, its current assignment and further facts from its source.

    Assignors need only `snapshot` and `current`.

    Parameters
    ----------
    group_id : str or None
        None if the listing names no group.
    snapshot : GroupSnapshot
    current : Assignment or None
        Current owners, from `current` partitions, else from `owned` partitions. None if no member
        has partitions and the partitions of at least one member are unknown.
    client_id, host : (M,) str or None
    assumed : tuple of str
        Paths of the group document whose values are assumed, such as `members[*].subscribed`.
    level : int
        Completeness: 0 topics and partitions, 1 offsets or lag, 2 owners, 3 all members, 4
        subscriptions, 5 two readings.
    topic_order : int64 (T,)
        Each topic's index in the source, for paths such as `topics[0]`. Topics that only members
        mention come last.
    epoch : int64 (M,)
        KIP-848 member epoch, -1 if unknown.
    subscribed_regex : (M,) str or None
        RE2 expression of a KIP-848 subscriber.
    leader : Leader or None
        Client whose code assigns a classic group; None if unknown.
    joined_with : (M,) JoinedWith or None
        Data that a classic member sent at its last join.
    protocol_type : str or None
        Protocol type of a classic group: `consumer`, `connect`.
    protocol : (M,) str or None
        Protocol of each member of a broker's group: `classic` or `consumer`.
    assignment_user_data : int64 (M,) or None
        Number of bytes from the leader's assignor in each assignment, -1 if unknown; None if all
        are unknown.
    """

    group_id: str | None
    snapshot: GroupSnapshot
    current: Assignment | None
    client_id: tuple[str | None, ...]
    host: tuple[str | None, ...]
    assumed: tuple[str, ...]
    level: int
    topic_order: np.ndarray
    epoch: np.ndarray
    taken_at: datetime | None = None
    cluster: str | None = None
    group_type: str | None = None
    group_state: str | None = None
    assignor: str | None = None
    group_epoch: int | None = None
    assignment_epoch: int | None = None
    leader: Leader | None = None
    subscribed_regex: tuple[str | None, ...] = ()
    joined_with: tuple[JoinedWith | None, ...] = ()
    protocol_type: str | None = None
    protocol: tuple[str | None, ...] = ()
    assignment_user_data: np.ndarray | None = None

    @property
    def is_named_alone(self) -> bool:
        """Whether the source lists only the group's name, state or type, without its contents."""
        return (
            "topics" in self.assumed
            and not self.snapshot.member_count
            and not self.snapshot.tp_count
        )

    @property
    def is_classic(self) -> bool:
        """Whether a member assigns, not the broker; True if the group type is unknown."""
        return self.group_type in (None, CLASSIC)

    @property
    def member_count(self) -> int | None:
        """Number of members, None if unknown."""
        return None if self.is_named_alone else self.snapshot.member_count

    @property
    def partition_count(self) -> int | None:
        """Number of partitions, None if unknown."""
        return (
            None
            if "topics" in self.assumed and not self.snapshot.tp_count
            else self.snapshot.tp_count
        )

    @property
    def may_have_members(self) -> bool:
        """Whether the group may have members although the source lists none."""
        return not self.snapshot.member_count and "members" in self.assumed

    def without_members(self) -> Self:
        """Return the group, now known to have no members."""
        return replace(self, assumed=tuple(path for path in self.assumed if path != "members"))


# Two snapshots of a group with the same rows, so that moves between them can be counted.


def succession(
    earlier: ObservedGroup, later: ObservedGroup, renamed: Mapping[str, str] | None = None
) -> tuple[ObservedGroup, Assignment | None]:
    """Return two readings of a group with the same row numbers, to compare their owners.

    First result: the later group, with the departed members as its last members. No assignor may
    run on it, because departed members subscribe to nothing. Second result: the owners in the
    earlier reading, as row numbers of the first result; None if unknown. Partitions of deleted
    topics are left out.

    A member is identified by its instance id; by its member id, if it has no instance id or shares
    it with another member. `renamed`: earlier member ids to later member ids.
    """
    if earlier.current is None or not _has_known_owners(earlier):
        return later, None
    before, after, held = earlier.snapshot, later.snapshot, earlier.current.owner
    shared = _shared_instance_ids(before) | _shared_instance_ids(after)
    rows = {key: row for row, key in enumerate(_keys(later, {}, shared))}
    keys = _keys(earlier, renamed or {}, shared)
    left = [row for row, key in enumerate(keys) if key not in rows]
    row_of = np.array([rows.get(key, UNASSIGNED) for key in keys] + [UNASSIGNED], dtype=np.int32)
    row_of[left] = np.arange(after.member_count, after.member_count + len(left))
    owner = after.unowned()
    topics = {name: row for row, name in enumerate(before.topic_name)}
    for topic, name in enumerate(after.topic_name):
        if name in topics:
            here, there = owner[after.tps_of(topic)], held[before.tps_of(topics[name])]
            size = min(here.size, there.size)
            here[:size] = row_of[there[:size]]
    return _with_members(later, earlier, left), Assignment(owner)


def _has_known_owners(observed: ObservedGroup) -> bool:
    """Return whether the owners are known.

    If the source lists no member, it must say that the group has none.
    """
    return observed.current is not None and bool(
        observed.snapshot.member_count or "members" not in observed.assumed
    )


def _shared_instance_ids(group: GroupSnapshot) -> set[str | None]:
    """Return the values of `instance_id` that identify no single member: None, and shared ids."""
    return {None} | {
        instance for instance, count in Counter(group.instance_id).items() if count > 1
    }


def _keys(
    observed: ObservedGroup, renamed: Mapping[str, str], shared: set[str | None]
) -> list[tuple[bool, str]]:
    group = observed.snapshot
    return [
        (False, renamed.get(member, member)) if instance in shared else (True, instance)
        for member, instance in zip(group.member_id, group.instance_id, strict=True)
    ]


def _with_members(later: ObservedGroup, earlier: ObservedGroup, left: list[int]) -> ObservedGroup:
    group, old, count = later.snapshot, earlier.snapshot, len(left)
    if not count:
        return later
    snapshot = replace(
        group,
        member_id=(*group.member_id, *(old.member_id[row] for row in left)),
        instance_id=(*group.instance_id, *(old.instance_id[row] for row in left)),
        member_rack=np.append(
            group.member_rack, np.full(count, NO_RACK, dtype=group.member_rack.dtype)
        ),
        has_empty_rack=None
        if group.has_empty_rack is None
        else np.append(group.has_empty_rack, np.zeros(count, dtype=bool)),
        generation=np.append(
            group.generation, np.full(count, NO_GENERATION, dtype=group.generation.dtype)
        ),
        topic_lists=(*group.topic_lists, np.empty(0, dtype=np.int32)),
        subscription=np.append(
            group.subscription,
            np.full(count, len(group.topic_lists), dtype=group.subscription.dtype),
        ),
    )
    nothing = (None,) * count
    return replace(
        later,
        snapshot=snapshot,
        client_id=(*later.client_id, *(earlier.client_id[row] for row in left)),
        host=(*later.host, *(earlier.host[row] for row in left)),
        epoch=np.append(later.epoch, np.full(count, -1, dtype=later.epoch.dtype)),
        subscribed_regex=(*later.subscribed_regex, *nothing) if later.subscribed_regex else (),
        joined_with=(*later.joined_with, *nothing) if later.joined_with else (),
        protocol=(*later.protocol, *nothing) if later.protocol else (),
        assignment_user_data=None
        if later.assignment_user_data is None
        else np.append(later.assignment_user_data, np.full(count, -1, dtype=np.int64)),
    )


# Unknown inputs of an answer, as paths of the group document.


_MATTERS_TO_ALL = re.compile(
    r"members(\[[^\]]*\])?(\.(member_id|subscribed|subscribed_regex))?|topics(\[[^\]]*\])?(\.(name|partitions))?"
)
"""Inputs of every answer: members, their subscriptions and the sizes of topics."""

_OWNED = re.compile(r"members\[[^\]]*\]\.owned")


def assumed_paths(observed: ObservedGroup, assignment: Assignment | None) -> list[str]:
    """Return the assumptions that an answer depends on, sorted.

    `assignment`: the answer; None means the current assignment, which also depends on assumed
    owned partitions.
    """
    paths = {path for path in observed.assumed if _MATTERS_TO_ALL.fullmatch(path)}
    if assignment is None:
        return sorted(paths.union(filter(_OWNED.fullmatch, observed.assumed)))
    for assumed in assignment.assumed:
        paths.update(_paths(observed, assumed))
    return sorted(paths)


def _paths(observed: ObservedGroup, assumed: Assumption) -> Iterator[str]:
    """Yield the document paths of an assumption.

    `lag` is assumed for each topic-partition, `topic_id` for each topic. An assumption without rows
    is a condition in words; it has no path, and its words are yielded.
    """
    place = observed.topic_order
    if assumed.column == "lag":
        yield from _partition_paths(observed.snapshot, place, assumed)
    elif assumed.rows.size:
        described = assumed.rows[observed.snapshot.topic_known[assumed.rows]]
        yield from (f"topics[{place[topic]}].{assumed.column}" for topic in described)
    else:
        yield assumed.column


def _partition_paths(group: GroupSnapshot, place: np.ndarray, assumed: Assumption) -> Iterator[str]:
    rows = np.sort(assumed.rows)
    topics, starts = np.unique(group.tp_topic[rows], return_index=True)
    for topic, tps in zip(topics, np.split(rows, starts[1:]), strict=True):
        path = f"topics[{place[topic]}].partitions"
        if tps.size == group.partition_count[topic]:
            yield f"{path}[*].{assumed.column}"
        else:
            yield from (
                f"{path}[{partition}].{assumed.column}" for partition in group.tp_partition[tps]
            )
