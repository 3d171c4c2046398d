"""Records of `__consumer_offsets` about the members and epochs of groups. Records of other types,
such as commits, are only counted by type.

    for event in records_of_dump(lines, counts):
        event.group, event.kind, event.value

Source: Kafka's `group-coordinator/src/main/resources/common/message`, 2.0 to 4.3. Every length is
checked against the remaining bytes before use. User data is never decoded.
"""

import base64
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.reader import Reader
from evenkeel.data.sources.log_lines import LAST_MOMENT_MS

MAX_KEY, MAX_VALUE, MAX_MEMBERS, MAX_PARTITIONS = 64 * 2**10, 16 * 2**20, 100_000, 1_000_000
TOPIC = "__consumer_offsets"

GROUP_METADATA, EPOCH, MEMBER, TARGET_EPOCH, TARGET, CURRENT = 2, 3, 5, 6, 7, 8
_KEYS_WITH_MEMBER = (MEMBER, TARGET, CURRENT)
_READ = (GROUP_METADATA, EPOCH, MEMBER, TARGET_EPOCH, TARGET, CURRENT)
_MOST_NAMED = 20

Owned = dict[str, list[int]]
"""Partition numbers by topic, or by topic id in base64url."""


class ClassicMember(NamedTuple):
    """A member of a generation: the bytes that the member sent, and the bytes that the leader
    assigned to it.
    """

    member_id: str
    instance_id: str | None
    client_id: str
    rebalance_timeout_ms: int | None
    session_timeout_ms: int
    subscription: bytes
    assignment: bytes


class ClassicGroup(NamedTuple):
    """A completed generation of a classic group."""

    protocol_type: str
    generation: int
    protocol: str | None
    leader: str | None
    state_at: int | None
    members: tuple[ClassicMember, ...]


class ConsumerMember(NamedTuple):
    """Data of a member of a KIP-848 group."""

    instance_id: str | None
    client_id: str
    topics: tuple[str, ...]
    regex: str | None
    rebalance_timeout_ms: int
    is_classic: bool


class Epoch(NamedTuple):
    """The epoch of a group or of its target assignment. `extra`: for a group the hash of its
    topics' metadata, for a target the time of the assignment.
    """

    number: int
    extra: int | None


class Current(NamedTuple):
    """The epoch and the state of a member. State 0 is STABLE."""

    epoch: int
    state: int


@dataclass(frozen=True, slots=True)
class Record:
    """A record about a group. A null value is a tombstone."""

    partition: int
    offset: int
    at: int | None
    kind: int
    group: str
    member: str | None
    value: Any

    @property
    def place(self) -> str:
        """Partition and offset of the record, in the form that Evenkeel quotes as evidence."""
        return f"{TOPIC}-{self.partition}@{self.offset}"


@dataclass
class RecordCounts:
    """Counts of records. `refused`: number of records that cannot be decoded. `named`: place and
    reason for the first of these records.
    """

    records: int = 0
    used: int = 0
    repeated: int = 0
    refused: int = 0
    other: Counter = field(default_factory=Counter)
    named: list[str] = field(default_factory=list)
    first: int | None = None
    last: int | None = None

    def refuse(self, place: str, why: str) -> None:
        """Count a record that cannot be decoded."""
        self.refused += 1
        if len(self.named) < _MOST_NAMED:
            self.named.append(f"{place}: {why}")


class _Line(msgspec.Struct):
    partition: int
    offset: int
    key: str | None = None
    value: str | None = None
    timestamp: int | None = None


def records_of_dump(
    lines: Iterable[bytes], counts: RecordCounts, name: str = "dump"
) -> Iterator[Record]:
    """Yield the records about groups in a dump, which has one JSON object in each line. A record
    that is in the dump twice is yielded once.
    """
    reached: dict[int, int] = {}
    decode = msgspec.json.Decoder(_Line).decode
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        counts.records += 1
        try:
            line_record = decode(line)
            key = base64.b64decode(line_record.key or "", validate=True)
            value = (
                None
                if line_record.value is None
                else base64.b64decode(line_record.value, validate=True)
            )
        except (ValueError, RecursionError) as error:
            counts.refuse(f"{name}:{number}", str(error))
            continue
        if line_record.offset <= reached.get(line_record.partition, -1):
            counts.repeated += 1
            continue
        reached[line_record.partition] = line_record.offset
        event = record(
            line_record.partition, line_record.offset, line_record.timestamp, key, value, counts
        )
        if event is not None:
            yield event


def record(
    partition: int,
    offset: int,
    at: int | None,
    key: bytes,
    value: bytes | None,
    counts: RecordCounts,
) -> Record | None:
    """Return a record about a group. None if the record has another type or cannot be decoded; both
    are counted in `counts`.
    """
    try:
        event = _record(
            partition, offset, at if at is not None and at > 0 else None, key, value, counts
        )
    except SnapshotError as error:
        counts.refuse(f"{TOPIC}-{partition}@{offset}", str(error))
        return None
    if event is not None:
        counts.used += 1
        if event.at is not None:
            counts.first = event.at if counts.first is None else min(counts.first, event.at)
            counts.last = event.at if counts.last is None else max(counts.last, event.at)
    return event


def _record(
    partition: int,
    offset: int,
    at: int | None,
    key: bytes,
    value: bytes | None,
    counts: RecordCounts,
) -> Record | None:
    if len(key) > MAX_KEY or (value is not None and len(value) > MAX_VALUE):
        raise SnapshotError(
            f"key of {len(key):,} and value of {len(value or b''):,} bytes, expected at most"
            f" {MAX_KEY:,} and {MAX_VALUE:,}"
        )
    if at is not None and at > LAST_MOMENT_MS:
        raise SnapshotError(f"time {at}, expected at most {LAST_MOMENT_MS}")
    reader = Reader(key, "key")
    kind = reader.int16()
    if kind not in _READ:
        counts.other[kind] += 1
        return None
    group = reader.text()
    member = reader.text() if kind in _KEYS_WITH_MEMBER else None
    reader.end()
    return Record(
        partition, offset, at, kind, group, member, None if value is None else _VALUES[kind](value)
    )


def _classic(data: bytes) -> ClassicGroup:
    reader = Reader(data, "group metadata")
    version = reader.int16()
    if not 0 <= version <= 4:
        raise reader.refusal(f"version {version}, expected 0 to 4,")
    flexible = version >= 4
    text, nullable = (
        (reader.compact_text, reader.compact_nullable_text)
        if flexible
        else (reader.text, reader.nullable_text)
    )
    kind, generation, protocol, leader = text(), reader.int32(), nullable(), nullable()
    state_at = reader.int64() if version >= 2 else None
    if state_at is not None and state_at > LAST_MOMENT_MS:
        raise reader.refusal(f"time {state_at}, expected at most {LAST_MOMENT_MS}")
    array = reader.compact_array if flexible else reader.array
    members = array(lambda: _classic_member(reader, version), 16)
    if flexible:
        reader.tags()
    reader.end()
    if len(members) > MAX_MEMBERS:
        raise reader.refusal(f"{len(members):,} members, expected at most {MAX_MEMBERS:,}")
    return ClassicGroup(
        kind,
        generation,
        protocol,
        leader,
        state_at if state_at and state_at > 0 else None,
        tuple(members),
    )


def _classic_member(reader: Reader, version: int) -> ClassicMember:
    flexible = version >= 4
    text, nullable = (
        (reader.compact_text, reader.compact_nullable_text)
        if flexible
        else (reader.text, reader.nullable_text)
    )
    octets = reader.compact_nullable_bytes if flexible else reader.nullable_bytes
    member_id = text()
    instance = nullable() if version >= 3 else None
    client, _ = text(), text()
    rebalance = reader.int32() if version >= 1 else None
    member = ClassicMember(
        member_id, instance, client, rebalance, reader.int32(), octets() or b"", octets() or b""
    )
    if flexible:
        reader.tags()
    return member


def _version_0(data: bytes, kind: str) -> Reader:
    reader = Reader(data, kind)
    version = reader.int16()
    if version != 0:
        raise reader.refusal(f"version {version}, expected 0,")
    return reader


def _epoch(data: bytes) -> Epoch:
    reader = _version_0(data, "group epoch")
    number, extra = reader.int32(), reader.tags().get(0)
    reader.end()
    return Epoch(
        number,
        int.from_bytes(extra, "big", signed=True)
        if extra is not None and len(extra) == 8
        else None,
    )


def _member(data: bytes) -> ConsumerMember:
    reader = _version_0(data, "member metadata")
    instance, _, client, _ = (
        reader.compact_nullable_text(),
        reader.compact_nullable_text(),
        reader.compact_text(),
        reader.compact_text(),
    )
    topics, regex = reader.compact_array(reader.compact_text, 1), reader.compact_nullable_text()
    timeout, _ = reader.int32(), reader.compact_nullable_text()
    classic = reader.tags().get(0, b"")
    reader.end()
    return ConsumerMember(
        instance, client, tuple(sorted(topics)), regex or None, timeout, len(classic) > 1
    )


def _target(data: bytes) -> Owned:
    reader = _version_0(data, "target assignment")
    assigned = _topic_partitions(reader)
    reader.tags()
    reader.end()
    return assigned


def _current(data: bytes) -> Current:
    reader = _version_0(data, "current assignment")
    epoch, _, state = reader.int32(), reader.int32(), reader.int8()
    _topic_partitions(reader)
    _topic_partitions(reader)
    reader.tags()
    reader.end()
    return Current(epoch, state)


def _topic_partitions(reader: Reader) -> Owned:
    topics: Owned = {}
    count = 0
    for topic, numbers in reader.compact_array(lambda: _topic(reader), 18):
        topics.setdefault(topic, []).extend(numbers)
        count += len(numbers)
        if count > MAX_PARTITIONS:
            raise reader.refusal(f"more than {MAX_PARTITIONS:,} partitions")
    return topics


def _topic(reader: Reader) -> tuple[str, list[int]]:
    topic, numbers = reader.uuid(), reader.compact_array(reader.int32, 4)
    reader.tags()
    return base64.urlsafe_b64encode(topic.bytes).decode().rstrip("="), numbers


_VALUES = {
    GROUP_METADATA: _classic,
    EPOCH: _epoch,
    MEMBER: _member,
    TARGET_EPOCH: _epoch,
    TARGET: _target,
    CURRENT: _current,
}
