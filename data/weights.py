"""The file that `evenkeel-weighted` reads on the brokers: weights of partitions, and planned
assignments. Also how the file is replaced.

Groups that read the same topic share the topic's weights, because a broker does not give the group
id to an assignor.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.weighted import GAIN, spread
from evenkeel.data import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import uuid_text
from evenkeel.data.group.document import Document
from evenkeel.data.group.document.parsing import doubled_key

OBJECTIVES = ("rate", "lag", "drain")
FORMAT = "evenkeel.weights/1"
MAX_AGE_MS = 600_000
"""The broker's default for `evenkeel.weights.max.age.ms`."""

AHEAD_MS = 300_000
"""A file's time may be at most this much in the future, because clocks differ."""

_LARGEST = 64 << 20
_DEEPEST = 32

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_Weight = Annotated[float, msgspec.Meta(ge=0)] | None
_Id = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{21}[AQgw]$")]
_Number = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
Owned = dict[str, dict[_Id, list[_Number]]]
"""Partition numbers by topic id, for each member id or instance id."""


class TopicWeights(msgspec.Struct, frozen=True):
    """The weights of a topic's partitions; a weight is null if unknown. `name` is for people only;
    brokers use the topic id.
    """

    topic_id: _Id
    name: str | None
    weights: list[_Weight]


class Plan(msgspec.Struct, frozen=True):
    """A planned assignment: the partitions of each member. It is valid only while the group has
    exactly these members. `group` is for people only, because an assignor on a broker gets no group
    id.
    """

    members: Owned
    group: str | None = None


class WeightsFile(msgspec.Struct, frozen=True):
    """The content of the file. `as_of_ms`: the time from which brokers count the age of the
    file.
    """

    as_of_ms: int
    topics: list[TopicWeights]
    format: Literal["evenkeel.weights/1"] = FORMAT
    plans: list[Plan] = []


class _StoredTopic(msgspec.Struct):
    topic_id: _Id
    weights: list[_Weight]
    name: str | None = None


class _WeightsDocument(msgspec.Struct):
    """The file as brokers read it: `format` is required, and a topic's `name` may be missing."""

    format: Literal["evenkeel.weights/1"]
    as_of_ms: int
    topics: list[_StoredTopic]
    plans: list[Plan] = []


def read(path: Path) -> WeightsFile | None:
    """Return the content of a file, None if it does not exist.

    Raises
    ------
    SnapshotError
        If the file cannot be read, or if brokers would also refuse the file.
    """
    try:
        return _decoded(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SnapshotError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise SnapshotError(f"{path}: {error}, expected a file of weights, {FORMAT}") from None


def _decoded(text: bytes) -> WeightsFile:
    """Return the content of the file. Raises ValueError if the broker's jar (its classes `Json` and
    `Weights`) would refuse the file.
    """
    if len(text) > _LARGEST:
        raise ValueError(f"found {len(text):,} bytes, at most {_LARGEST:,} are read")
    if (depth := _depth(text)) > _DEEPEST:
        raise ValueError(f"found {depth:,} levels, at most {_DEEPEST} are read")
    stored = msgspec.json.decode(text.decode(), type=_WeightsDocument)
    if doubled := doubled_key(text):
        raise ValueError(f"{doubled}: the key appears twice")
    _require_once((topic.topic_id for topic in stored.topics), "topic_id")
    for plan in stored.plans:
        for topics in plan.members.values():
            for topic_id, numbers in topics.items():
                _require_once(numbers, f"a plan, topic {topic_id}: partition")
    return WeightsFile(
        stored.as_of_ms,
        [
            TopicWeights(weights.topic_id, weights.name, weights.weights)
            for weights in stored.topics
        ],
        plans=stored.plans,
    )


def _depth(text: bytes) -> int:
    signs = np.frombuffer(_STRING.sub(b"", text), dtype=np.uint8)
    steps = np.isin(signs, list(b"[{")).astype(np.int64) - np.isin(signs, list(b"]}"))
    return int(np.cumsum(steps).max(initial=0))


def _require_once(keys: Iterable[str | int], name: str) -> None:
    seen: set[str | int] = set()
    twice = next((key for key in keys if key in seen or seen.add(key)), None)
    if twice is not None:
        raise ValueError(f"{name} {twice} appears twice")


def is_stale(file: WeightsFile, max_age_ms: int = MAX_AGE_MS) -> bool:
    """Return whether brokers ignore the file, because `as_of_ms` is too old or in the future."""
    return not -AHEAD_MS <= clock.now().timestamp() * 1000 - file.as_of_ms <= max_age_ms


def fresh(path: Path, max_age_ms: int = MAX_AGE_MS) -> WeightsFile | None:
    """Return the content of a file, None if it does not exist or brokers ignore it (`is_stale`).

    Raises
    ------
    SnapshotError
        As in `read`.
    """
    fresh_file = read(path)
    return None if fresh_file is None or is_stale(fresh_file, max_age_ms) else fresh_file


def write(path: Path, file: WeightsFile) -> None:
    """Replace a file atomically: brokers read either the old content or the new content, also after
    a power loss.

    Raises
    ------
    SnapshotError
        If the folder is not writable; the old file remains.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as written:
            written.write(msgspec.json.encode(file))
            written.flush()
            os.fsync(written.fileno())
        os.replace(beside, path)
        _keep_entry(path.parent)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise SnapshotError(f"{path}: {error.strerror}") from None


def _keep_entry(folder: Path) -> None:
    """Flush the folder to the disk, so that the replaced file survives a power loss."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def topic_rows(group: GroupSnapshot) -> Iterator[tuple[tuple[str, str], slice]]:
    """Yield each topic whose partitions and topic id are known: (topic id, name), and the row
    numbers of its partitions as a slice.
    """
    for topic, name in enumerate(group.topic_name):
        if group.topic_known[topic] and group.topic_id_known[topic]:
            first = int(group.first_tp[topic])
            yield (
                (uuid_text(tuple(group.topic_uuid[topic].tolist())), name),
                slice(first, first + int(group.partition_count[topic])),
            )


# Plans.


def plan_of(observed: ObservedGroup, assignment: Assignment) -> Plan:
    """Return a plan for the brokers from an assignment.

    If every member that subscribes to a topic has a group.instance.id, the plan contains these ids,
    which a restart does not change. Otherwise it contains member ids.

    Raises
    ------
    SnapshotError
        If a topic id is unknown, or a partition with subscribers has no owner.
    """
    group = observed.snapshot
    readers = _readers(group)
    instances = [group.instance_id[member] for member in readers]
    is_static = None not in instances and len(set(instances)) == len(instances)
    names = group.instance_id if is_static else group.member_id
    owned: Owned = {names[member]: {} for member in readers}
    for (topic_id, name), rows in topic_rows(group):
        for number, member in enumerate(assignment.owner[rows].tolist()):
            if member != UNASSIGNED:
                owned[names[member]].setdefault(topic_id, []).append(number)
            elif group.in_play[group.topic_name.index(name)]:
                raise SnapshotError(
                    f"the plan gives {partition_name(name, number)} to no member, expected an owner"
                    " for every partition"
                )
    strangers = [
        name
        for topic, name in enumerate(group.topic_name)
        if group.in_play[topic] and not group.topic_id_known[topic]
    ]
    if strangers:
        raise SnapshotError(
            f'the id of topic "{strangers[0]}" is unknown, expected a live cluster or a document'
            " with topic_id"
        )
    return Plan(owned, observed.group_id)


def with_plan(path: Path, plan: Plan) -> WeightsFile:
    """Return the content of a file with a plan added. The plan replaces plans for the same group
    and plans for the same members.
    """
    now, there = int(clock.now().timestamp() * 1000), read(path)
    others = [
        other_plan
        for other_plan in (there.plans if there else [])
        if other_plan.members.keys() != plan.members.keys() and other_plan.group != plan.group
    ]
    return WeightsFile(
        there.as_of_ms if there and there.topics else now,
        there.topics if there else [],
        plans=[*others, plan],
    )


def fitting(plans: Sequence[Plan], documents: Sequence[Document]) -> list[Plan]:
    """Return the plans that are not outdated. A plan is outdated if its group is in `documents`,
    which were just read, and now has other members.
    """
    read_now = {document.group_id: _member_sets(document) for document in documents}
    return [
        plan
        for plan in plans
        if plan.group not in read_now or set(plan.members) in read_now[plan.group]
    ]


def _member_sets(document: Document) -> list[set[str | None]]:
    members = document.members or []
    return [{member.member_id for member in members}, {member.instance_id for member in members}]


# The assignment of a broker with this file.


def answer(document: Document, file: WeightsFile | None, gain: float = GAIN) -> Assignment:
    """Return the assignment that the broker's jar gives the group in its next epoch. `file`: None
    if the broker has no file, or ignores a file that is too old.
    """
    group = observed_from_document(document).snapshot
    return _of_plans(group, file) or spread(group, weights_of(group, file), gain)


def is_planned(group: GroupSnapshot, file: WeightsFile | None) -> bool:
    """Return whether the file has a valid plan for the group."""
    return _of_plans(group, file) is not None


def _of_plans(group: GroupSnapshot, file: WeightsFile | None) -> Assignment | None:
    return next(
        (
            planned
            for plan in (file.plans if file else [])
            if (planned := _planned(group, plan)) is not None
        ),
        None,
    )


def weights_of(group: GroupSnapshot, file: WeightsFile | None) -> np.ndarray:
    """Return the weight of each partition, float64 (P,). NaN if the file has no weight for the
    partition.
    """
    of_tps = np.full(group.tp_count, np.nan)
    given = {
        topic_weights.topic_id: topic_weights.weights
        for topic_weights in (file.topics if file else [])
    }
    for (topic_id, _), rows in topic_rows(group):
        known = [np.nan if weight is None else weight for weight in given.get(topic_id, [])][
            : rows.stop - rows.start
        ]
        of_tps[rows.start : rows.start + len(known)] = known
    return of_tps


def _planned(group: GroupSnapshot, plan: Plan) -> Assignment | None:
    """Return the assignment in a plan. None if the plan is not valid. A valid plan contains exactly
    the members that subscribe to a topic, and each of their partitions exactly once.
    """
    every = (
        {member: names[member] for member in _readers(group)}
        for names in (group.member_id, group.instance_id)
    )
    known = (names for names in every if None not in names.values())
    named = next((names for names in known if sorted(names.values()) == sorted(plan.members)), None)
    if named is None:
        return None
    row = {topic_id: group.topic_name.index(name) for (topic_id, name), _ in topic_rows(group)}
    owner = group.unowned()
    for member, name in named.items():
        for topic_id, numbers in plan.members[name].items():
            topic = row.get(topic_id)
            if topic is None or member not in group.subscribers_by_id.of_topic(topic):
                return None
            tps = group.first_tp[topic] + np.array(numbers, dtype=np.int64)
            is_inside = not tps.size or (
                max(numbers) < group.partition_count[topic] and len(set(numbers)) == len(numbers)
            )
            if not is_inside or (owner[tps] != UNASSIGNED).any():
                return None
            owner[tps] = member
    return (
        None if ((owner == UNASSIGNED) & group.in_play[group.tp_topic]).any() else Assignment(owner)
    )


def _readers(group: GroupSnapshot) -> list[int]:
    """Return the row numbers of members that subscribe to an existing topic. A plan contains only
    these members.
    """
    reads = np.zeros(group.member_count, dtype=bool)
    for topic in np.flatnonzero(group.in_play).tolist():
        reads[group.subscribers_by_id.of_topic(topic)] = True
    return np.flatnonzero(reads).tolist()


def worst(group: GroupSnapshot, owner: np.ndarray, weight: np.ndarray) -> float:
    """Return the highest load of a member. A member's load is the sum of its partitions' weights;
    unknown weights count as 0.
    """
    is_owned = owner != UNASSIGNED
    return float(
        np.bincount(
            owner[is_owned], np.nan_to_num(weight[is_owned], nan=0.0), max(group.member_count, 1)
        ).max()
    )
