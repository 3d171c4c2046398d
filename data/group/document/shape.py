"""The fields of the group document `evenkeel.group/1`.

Null is the same as a missing key: absent or unknown, never 0.
"""

import re
from collections.abc import Iterable, Mapping, Sized
from datetime import datetime
from typing import Annotated, Literal, TypeVar

import msgspec

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.protocol import GroupType
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document.parsing import Kind, parsed, refuse_repeats, shown

FORMAT = "evenkeel.group/1"
MAX_PARTITIONS = 10_000_000
"""Partitions of all topics together; more would need too much memory for an answer."""

Offset = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
PartitionNumber = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
PartitionCount = Annotated[int, msgspec.Meta(ge=0, le=MAX_PARTITIONS)]
Generation = Annotated[int, msgspec.Meta(ge=-1, le=2**31 - 1)]
Epoch = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Time = Annotated[datetime, msgspec.Meta(tz=True)]
SizedT = TypeVar("SizedT", bound=Sized)
Held = Mapping[str, list[PartitionNumber] | None]
"""Topic name to partition numbers, in the given order."""

EMPTY, STABLE, DEAD = "Empty", "Stable", "Dead"
_CLASSIC = (STABLE, EMPTY, DEAD, "PreparingRebalance", "CompletingRebalance", "AwaitingSync")
STATES = (*_CLASSIC, "Assigning", "Reconciling", "NotReady", "Initializing", "Unknown")
"""All states of a group that Kafka prints."""

MemberProtocol = Literal["classic", "consumer"]
ByteCount = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


# gc=False: there are no cycles, so the garbage collector need not visit a million partitions.
class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """The base of all parts of a document: immutable, no unknown keys; null is not written."""


class Partition(Shape, frozen=True):
    """A partition: offsets, and a lag if the source has no end offset or no committed offset."""

    begin_offset: Offset | None = None
    end_offset: Offset | None = None
    committed_offset: Offset | None = None
    lag: Offset | None = None
    racks: list[str | None] | None = None


class Topic(Shape, frozen=True):
    """A topic; `partitions` is a number if nothing else is known."""

    name: str
    partitions: PartitionCount | list[Partition]
    topic_id: str | None = None

    @property
    def size(self) -> int:
        """Number of partitions."""
        return self.partitions if isinstance(self.partitions, int) else len(self.partitions)


class JoinedWith(Shape, frozen=True):
    """The data that a classic member sent at its last join."""

    owned: Held | None = None
    generation: Generation | None = None


class Member(Shape, frozen=True):
    """A member.

    `owned`: partitions that the assignor gets as owned. `current`: current partitions, if
    different. `protocol`: the member's protocol in a broker's group. `assignment_user_data`: number
    of bytes that the leader's assignor added.
    """

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
    protocol: MemberProtocol | None = None
    assignment_user_data: ByteCount | None = None


class Leader(Shape, frozen=True):
    """The client whose code assigns a classic group, a key of `CLIENTS`.

    `certain`: whether the group's bytes prove which client it is; otherwise the client is a guess.
    """

    client: str
    certain: bool = False


class Document(Shape, frozen=True):
    """A group at one time, with names."""

    format: str
    group_id: str | None = None
    taken_at: Time | None = None
    auto_offset_reset: str | None = None
    type: GroupType | None = None
    protocol_type: str | None = None
    state: str | None = None
    assignor: str | None = None
    group_epoch: Epoch | None = None
    assignment_epoch: Epoch | None = None
    leader: Leader | None = None
    assumed: list[str] | None = None
    topics: list[Topic] | None = None
    members: list[Member] | None = None


GROUP_FACTS = ("protocol_type", "assignor", "group_epoch", "assignment_epoch")
"""Keys of a document; a column of MEMBERS and an attribute of ObservedGroup have the same names."""


def with_partitions(held: Mapping[str, SizedT | None]) -> dict[str, SizedT]:
    """Return only the topics that have partition numbers."""
    return {topic: numbers for topic, numbers in held.items() if numbers}


def in_order(held: Mapping[str, Iterable[int] | None]) -> dict[str, list[int]]:
    """Return topics by name, with ascending partition numbers."""
    return {topic: sorted(held[topic] or ()) for topic in sorted(held)}


# Decoding: text becomes a group document, or is refused with a reason.


# 22 characters are 132 bits and an id has 128 bits, so the last character ends in four zero bits.
TOPIC_ID = re.compile("[A-Za-z0-9_-]{21}[AQgw]")

_GROUP = Kind(FORMAT, "group document", Document)


def decode(text: bytes | str) -> Document:
    """Read a group document.

    Raises
    ------
    SnapshotError
        If the document is invalid; the message has the path, the value and the expected value.
    """
    document = parsed(text, _GROUP)
    if document.leader:
        require_client("$.leader.client", document.leader.client)
    topics, members = document.topics or [], document.members or []
    refuse_repeats("name", [topic.name for topic in topics], "$.topics")
    refuse_repeats("member_id", [member.member_id for member in members], "$.members")
    for place, topic in enumerate(topics):
        _check_topic(f"$.topics[{place}]", topic)
    partition_count = sum(topic.size for topic in topics)
    if partition_count > MAX_PARTITIONS:
        raise SnapshotError(
            f"$.topics: found {partition_count:,} partitions in all, expected at most"
            f" {MAX_PARTITIONS:,}"
        )
    return document


def require_client(path: str, client: str):
    """Refuse a client that is not in `CLIENTS`."""
    if client not in CLIENTS:
        raise SnapshotError(f"{path}: found {shown(client)}, expected one of {', '.join(CLIENTS)}")


def _check_topic(path: str, topic: Topic):
    if topic.topic_id is not None and not TOPIC_ID.fullmatch(topic.topic_id):
        raise SnapshotError(
            f'{path}.topic_id: found "{topic.topic_id}", expected the 22 characters of base64url'
            " that Kafka prints"
        )
    if isinstance(topic.partitions, int):
        return
    for number, partition in enumerate(topic.partitions):
        has_offsets = None not in (partition.end_offset, partition.committed_offset)
        if partition.lag is not None and has_offsets:
            raise SnapshotError(
                f"{path}.partitions[{number}].lag: found {partition.lag} together with end_offset"
                " and committed_offset, expected a lag only if one of them is missing"
            )
