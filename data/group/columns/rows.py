"""From names to row numbers and back: topics, members, racks and answers."""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.owned import held_rows
from evenkeel.assignors.java.hashing import sort_key
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import LONGEST_NAME
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document.shape import with_partitions


def require_short_names(key: str, names: Iterable[str | None]) -> None:
    """Refuse a name that is too long; `key`: array and key in the document, such as `members.host`.

    Raises
    ------
    SnapshotError
        If a name is too long; the message has the path of the first long name.
    """
    for place, name in enumerate(names):
        if name and len(name) > LONGEST_NAME:
            path = key.replace(".", f"[{place}].")
            raise SnapshotError(
                f"{path}: found {len(name):,} characters, expected at most {LONGEST_NAME:,}"
            )


@dataclass(frozen=True, eq=False)
class TopicRows:
    """The topics of one group, with row numbers in ascending order of names.

    `known`: names that the source describes, in the source's order. `row`: row number by name.
    `place`: for each row number, the topic's index in the source, int64 (T,); the topics that the
    source only mentions come last.
    """

    name: tuple[str, ...]
    known: tuple[str, ...]
    row: Mapping[str, int]
    place: np.ndarray

    @property
    def known_row(self) -> np.ndarray:
        """Row number of each topic in `known`, int64."""
        return np.fromiter((self.row[name] for name in self.known), np.int64, len(self.known))

    @property
    def is_known(self) -> np.ndarray:
        """Whether the source describes each topic, bool (T,)."""
        return self.place < len(self.known)


def topic_rows(known: Sequence[str], mentioned: Iterable[str]) -> TopicRows:
    """Number the topics that the source describes (`known`) or only mentions (`mentioned`)."""
    others = sorted(set(mentioned).difference(known), key=sort_key)
    names = tuple(sorted([*known, *others], key=sort_key))
    row = {name: number for number, name in enumerate(names)}
    place = np.empty(len(names), dtype=np.int64)
    place[[row[name] for name in [*known, *others]]] = np.arange(len(names))
    return TopicRows(names, tuple(known), row, place)


def topic_lists(
    subscribed: Iterable[Sequence[str]], row: Mapping[str, int]
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Return the distinct subscriptions, and the index of each member's subscription.

    A subscription is an array of the row numbers of topics, ascending.
    """
    seen: dict[tuple[str, ...], int] = {}
    distinct: dict[tuple[int, ...], int] = {}
    subscription = []
    for names in subscribed:
        names = tuple(names)
        if names not in seen:
            rows = tuple(sorted(row[name] for name in names))
            seen[names] = distinct.setdefault(rows, len(distinct))
        subscription.append(seen[names])
    return tuple(np.array(rows, dtype=np.int32) for rows in distinct), np.array(
        subscription, dtype=np.int32
    )


def claims(
    held: Iterable[Mapping[str, Sequence[int] | None] | None], row: Mapping[str, int]
) -> np.ndarray:
    """Return all partitions in members' lists, int32 (K, 3): member, topic and partition number.

    The order is the order of the lists. Each column is contiguous.
    """
    by_member = [
        topics if topics and all(topics.values()) else with_partitions(topics or {})
        for topics in held
    ]
    numbers = [partitions or () for topics in by_member for partitions in topics.values()]
    length = np.fromiter(map(len, numbers), np.int64, len(numbers))
    topic = np.fromiter(
        map(row.__getitem__, chain.from_iterable(by_member)), np.int32, len(numbers)
    )
    member = np.repeat(
        np.arange(len(by_member), dtype=np.int32),
        np.fromiter(map(len, by_member), np.int64, len(by_member)),
    )
    partition = np.fromiter(chain.from_iterable(numbers), np.int32, int(length.sum()))
    return np.stack((np.repeat(member, length), np.repeat(topic, length), partition)).T


def owned_empty(
    held: Iterable[Mapping[str, Sequence[int] | None] | None], row: Mapping[str, int]
) -> np.ndarray:
    """Return each topic that a member lists with no partition numbers, int32 (E, 3).

    The columns are member, topic, and the topic's index in the member's list.
    """
    rows: list[tuple[int, int, int]] = []
    for member, topics in enumerate(held):
        if topics and not all(topics.values()):
            listed = [
                (row[topic], partitions)
                for topic, partitions in topics.items()
                if partitions is not None
            ]
            rows += [
                (member, topic, place)
                for place, (topic, partitions) in enumerate(listed)
                if not partitions
            ]
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


def uuid_halves(topic_id: str) -> tuple[int, int]:
    """Return both halves of a topic id as signed integers, most significant first."""
    # Kafka prints no padding, but Python's decoder requires it.
    octets = base64.urlsafe_b64decode(topic_id + "==")
    return int.from_bytes(octets[:8], signed=True), int.from_bytes(octets[8:], signed=True)


def uuid_text(halves: Sequence[int]) -> str:
    """Return a topic id in Kafka's form: base64url, 22 characters."""
    octets = b"".join(int(half).to_bytes(8, signed=True) for half in halves)
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


def rack_rows(names: Sequence[str | None], rack_name: Sequence[str]) -> np.ndarray:
    """Return the index in `rack_name` of each name, int32; `NO_RACK` for None."""
    row = {name: number for number, name in enumerate(rack_name)}
    return np.fromiter(
        (NO_RACK if name is None else row[name] for name in names), np.int32, len(names)
    )


# Row numbers become names again: an answer by member and topic.


ByName = dict[str, dict[str, list[int]]]
"""Member id to topic name to ascending partition numbers."""


def assignment_by_name(observed: ObservedGroup, assignment: Assignment) -> ByName:
    """Return the partitions of each member, including `assignment.extra`; each member has a key."""
    return _by_name(observed.snapshot, held_rows(observed.snapshot, assignment))


def withheld_by_name(observed: ObservedGroup, assignment: Assignment) -> ByName:
    """Return the partitions that a cooperative assignor withholds, by waiting member. Other members
    have no key.
    """
    group = observed.snapshot
    member, tp = assignment.withheld.T
    rows = np.column_stack([member, group.tp_topic[tp], group.tp_partition[tp]])
    withheld = _by_name(group, np.unique(rows, axis=0))
    return {member_id: topics for member_id, topics in withheld.items() if topics}


def plan_by_name(group: GroupSnapshot, owner: np.ndarray, tps: np.ndarray) -> ByName:
    """Return the partitions `tps` by owner and topic, in the given order; `owner`: int32 (P,)."""
    plan: ByName = {}
    for tp in tps.tolist():
        topics = plan.setdefault(group.member_id[owner[tp]], {})
        topics.setdefault(group.topic_name[group.tp_topic[tp]], []).append(
            int(group.tp_partition[tp])
        )
    return plan


def _by_name(group: GroupSnapshot, rows: np.ndarray) -> ByName:
    starts, partitions = _run_starts(rows), rows[:, 2].tolist()
    lists = list(
        map(
            partitions.__getitem__,
            map(slice, starts.tolist(), [*starts[1:].tolist(), len(partitions)]),
        )
    )
    topics = list(map(group.topic_name.__getitem__, rows[starts, 1].tolist()))
    bounds = np.searchsorted(rows[starts, 0], np.arange(group.member_count + 1)).tolist()
    return {
        member_id: dict(zip(topics[start:end], lists[start:end], strict=False))
        for member_id, start, end in zip(group.member_id, bounds, bounds[1:], strict=False)
    }


def runs(rows: np.ndarray) -> Iterator[tuple[int, int, list[int]]]:
    """Yield member, topic and partitions of each run of rows with the same member and topic."""
    if not len(rows):
        return
    starts = _run_starts(rows)
    partitions = rows[:, 2].tolist()
    ends = [*starts[1:].tolist(), len(partitions)]
    for (member, topic), start, end in zip(
        rows[starts, :2].tolist(), starts.tolist(), ends, strict=True
    ):
        yield member, topic, partitions[start:end]


def _run_starts(rows: np.ndarray) -> np.ndarray:
    member, topic, _ = rows.T
    is_start = np.ones(len(rows), dtype=bool)
    is_start[1:] = (member[1:] != member[:-1]) | (topic[1:] != topic[:-1])
    return np.flatnonzero(is_start)
