"""The group document `evenkeel.group/1`: its shape, and what it refuses.

Null equals a missing key everywhere: not there or not known, never 0.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec

from data.document.doubled_keys import doubled_key, may_be_doubled
from data.errors import SnapshotError

FORMAT = "evenkeel.group/1"
MAX_PARTITIONS = 10_000_000
"""Partitions in all topics together: what one answer may hold in memory."""

Offset = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
PartitionNumber = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
PartitionCount = Annotated[int, msgspec.Meta(ge=0, le=MAX_PARTITIONS)]
Generation = Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)]
Epoch = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Time = Annotated[datetime, msgspec.Meta(tz=True)]
Held = dict[str, list[PartitionNumber] | None]
"""Topic name to partition numbers, in the order given."""

EMPTY, STABLE, DEAD = "Empty", "Stable", "Dead"
"""States of a group, as Kafka prints them."""

GroupType = Literal["classic", "consumer", "share", "streams"]

_TOPIC_ID = re.compile("[A-Za-z0-9_-]{21}[AQgw]")


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What all parts of a document have in common: nobody changes them, an unknown key is refused, null is not written."""


class Partition(Shape):
    """One partition: its offsets, or its lag in their place."""

    begin_offset: Offset | None = None
    end_offset: Offset | None = None
    committed_offset: Offset | None = None
    lag: Offset | None = None
    racks: list[str | None] | None = None


class Topic(Shape):
    """One topic; `partitions` may be a count of partitions about which nothing is known."""

    name: str
    partitions: PartitionCount | list[Partition]
    topic_id: str | None = None

    @property
    def size(self) -> int:
        """Number of partitions."""
        return self.partitions if isinstance(self.partitions, int) else len(self.partitions)


class JoinedWith(Shape):
    """What a classic member sent when it last joined."""

    owned: Held | None = None
    generation: Generation | None = None


class Member(Shape):
    """One member; `owned` is the input of the next rebalance, `current` what it has while that differs."""

    member_id: str
    subscribed: list[str]
    client_id: str | None = None
    host: str | None = None
    instance_id: str | None = None
    rack: str | None = None
    owned: Held | None = None
    generation: Generation | None = None
    current: Held | None = None
    joined_with: JoinedWith | None = None
    subscribed_regex: str | None = None
    epoch: Epoch | None = None


class Document(Shape):
    """One group at one moment, with names."""

    format: str
    group_id: str | None = None
    taken_at: Time | None = None
    auto_offset_reset: str | None = None
    type: GroupType | None = None
    state: str | None = None
    assignor: str | None = None
    group_epoch: Epoch | None = None
    assignment_epoch: Epoch | None = None
    assumed: list[str] | None = None
    topics: list[Topic] | None = None
    members: list[Member] | None = None


def with_partitions(held: Mapping[str, Sequence[int]]) -> dict[str, Sequence[int]]:
    """Return the topics of which there is a partition."""
    return {topic: numbers for topic, numbers in held.items() if numbers}


def in_order(held: Mapping[str, Iterable[int]]) -> dict[str, list[int]]:
    """Return topics by name and the partition numbers of each ascending."""
    return {topic: sorted(held[topic]) for topic in sorted(held)}


_decoder = msgspec.json.Decoder(Document)


def decode(text: bytes | str) -> Document:
    """Read one document.

    Raises
    ------
    SnapshotError
        With the path, the value found and the value expected, on everything that the contract refuses.
    """
    try:
        document = _decoder.decode(text)
    except (ValueError, RecursionError) as error:
        from data.document.refusal import refusal

        raise SnapshotError(refusal(text, error)) from None
    _refuse_doubled_keys(text.encode() if isinstance(text, str) else bytes(text), document)
    _check(document)
    return document


def _refuse_doubled_keys(text: bytes, document: Document):
    doubled = doubled_key(text) if may_be_doubled(text, document) else None
    if doubled:
        raise SnapshotError(f"{doubled}: the key appears twice, expected once")


def _check(document: Document):
    if document.format != FORMAT:
        raise SnapshotError(f'$.format: found "{document.format}", expected "{FORMAT}"')
    _check_time(document.taken_at)
    topics, members = document.topics or [], document.members or []
    _refuse_repeats("topics", "name", [topic.name for topic in topics])
    _refuse_repeats("members", "member_id", [member.member_id for member in members])
    for place, topic in enumerate(topics):
        _check_topic(f"$.topics[{place}]", topic)
    partition_count = sum(topic.size for topic in topics)
    if partition_count > MAX_PARTITIONS:
        raise SnapshotError(f"$.topics: found {partition_count:,} partitions in all, expected at most {MAX_PARTITIONS:,}")


def _check_time(taken_at: datetime | None):
    try:
        taken_at and taken_at.astimezone(UTC)
    except OverflowError:
        raise SnapshotError(f"$.taken_at: found {taken_at.isoformat()}, expected an instant of the years 1 to 9999 in UTC") from None


def _refuse_repeats(array: str, key: str, names: list[str]):
    if len(set(names)) == len(names):
        return
    first: dict[str, int] = {}
    for place, name in enumerate(names):
        if first.setdefault(name, place) != place:
            raise SnapshotError(f'$.{array}[{place}].{key}: "{name}" is the same as in $.{array}[{first[name]}], expected every {key} once')


def _check_topic(path: str, topic: Topic):
    if topic.topic_id is not None and not _TOPIC_ID.fullmatch(topic.topic_id):
        raise SnapshotError(f'{path}.topic_id: found "{topic.topic_id}", expected the 22 characters of base64url that Kafka prints')
    if isinstance(topic.partitions, int):
        return
    for number, partition in enumerate(topic.partitions):
        offsets = (partition.begin_offset, partition.end_offset, partition.committed_offset)
        if partition.lag is not None and offsets != (None, None, None):
            raise SnapshotError(f"{path}.partitions[{number}].lag: found {partition.lag} beside offsets, expected a lag or offsets, not both")
