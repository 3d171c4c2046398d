"""The classic consumer protocol: the subscription that a member sends when it joins, and the
assignment that the leader sends for a member.

Kafka's `ConsumerProtocolSubscription` versions 0 to 3 and `ConsumerProtocolAssignment`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import msgspec

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.clients.client import Layout
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import in_order
from evenkeel.data.live.wire.reader import Reader

_NEWEST = 3


@dataclass(frozen=True)
class Subscription:
    """The metadata of a member.

    `user_data`: data of the member's assignor, None if there is no data. `owned`: partition numbers
    by topic; version 0 has None. `generation`: -1 if the member has no generation; versions 0 and 1
    have None. `rack`: None if the member has no rack; librdkafka sends an empty text instead.
    """

    version: int
    topics: list[str]
    user_data: bytes | None
    owned: dict[str, list[int]] | None = None
    generation: int | None = None
    rack: str | None = None


def subscription(data: bytes) -> Subscription:
    """Decode the metadata of a member.

    Raises
    ------
    SnapshotError
        If the version is unknown, or the bytes do not fit the version.
    """
    reader = Reader(data, "member metadata")
    version = reader.int16()
    if not 0 <= version <= _NEWEST:
        raise reader.refusal(f"version {version}, expected 0 to {_NEWEST},")
    topics, user_data = reader.array(reader.text, 2), reader.nullable_bytes()
    # kafka-go and platformatic 1 write version 1 without owned partitions.
    owned = (
        reader.partitions() if version >= 1 and not (version == 1 and reader.is_at_end) else None
    )
    generation = reader.int32() if version >= 2 else None
    rack = reader.nullable_text() if version >= 3 else None
    reader.end()
    return Subscription(version, topics, user_data, owned, generation, rack)


def assignment(data: bytes) -> dict[str, list[int]]:
    """Decode a member's assignment: partition numbers by topic, ascending. Empty data means an
    assignment without partitions.

    Raises
    ------
    SnapshotError
        If the bytes are not an assignment.
    """
    return in_order(assignment_with_user_data(data)[0])


def assignment_with_user_data(data: bytes) -> tuple[dict[str, list[int]], bytes | None]:
    """Decode a member's assignment: partition numbers by topic, in the order of the bytes, and the
    leader's user data. The user data is None if missing.

    Raises
    ------
    SnapshotError
        If the bytes are not an assignment.
    """
    if not data:
        return {}, None
    reader = Reader(data, "member assignment")
    version = reader.int16()
    if version < 0:
        raise reader.refusal(f"version {version}, expected 0 or more,")
    given, user_data = reader.partitions(), reader.nullable_bytes()
    reader.end()
    return given, user_data


# User data of Evenkeel's own assignors.


class OursLast(msgspec.Struct, frozen=True):
    """The assignment that a member computed when it was last the leader. `kept_topics`: topics
    whose partitions kept their owners, because lags were unknown. `why`: why lags were unknown.
    """

    kept_topics: list[str] = msgspec.field(default_factory=list, name="kept")
    why: str | None = None


class Ours(msgspec.Struct, frozen=True):
    """User data of a member with the package `evenkeel-assignors`. `owned` is empty if the
    subscription has its own field for owned partitions.
    """

    evenkeel: Literal[1]
    owned: dict[str, list[Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]]] = {}
    generation: int = -1
    auto_offset_reset: str | None = None
    last: OursLast = OursLast()


def ours(data: bytes | None) -> Ours | None:
    """Decode the user data of a member with `evenkeel-assignors`, None for any other assignor."""
    try:
        return msgspec.json.decode(data or b"", type=Ours)
    except (msgspec.DecodeError, RecursionError):
        return None


# User data of sticky assignors in each layout, and the generation in Java's `cooperative-sticky`.


class StickyMemory(NamedTuple):
    """The last assignment of a member: partition numbers by topic, and the generation. The
    generation is null if the bytes do not contain it.
    """

    owned: dict[str, list[int]]
    generation: int | None


def sticky(data: bytes, leader: str | None = None) -> StickyMemory:
    """Decode the user data of a `sticky` member. Clients write this data in different layouts; the
    layout that fits all bytes is used.

    `leader`: client of the leader. If `leader` is known, a layout of another client gives an empty
    result, because the leader cannot read this layout.

    Raises
    ------
    SnapshotError
        If no layout fits, or if two layouts fit with different content.
    """
    fitting = {
        layout: fitted
        for layout, read in _READERS.items()
        if (fitted := _fit(read, data)) is not None
    }
    if not fitting:
        raise SnapshotError(
            f"sticky user data: {len(data)} bytes in no known layout (Java's StickyAssignor,"
            " kafka-python's)"
        )
    if leader in CLIENTS and (layouts := CLIENTS[leader].sticky_layouts):
        return next(
            (fitting[layout] for layout in layouts if layout in fitting), StickyMemory({}, None)
        )
    first, *others = fitting.values()
    if any(other.owned != first.owned for other in others):
        raise SnapshotError(
            f"sticky user data: {len(data)} bytes that fit two layouts with different content"
        )
    return first


def cooperative_generation(data: bytes) -> int:
    """Decode the user data of Java's `cooperative-sticky`: the generation.

    Raises
    ------
    SnapshotError
        If the length is not four bytes.
    """
    reader = Reader(data, "cooperative-sticky user data")
    generation = reader.int32()
    reader.end()
    return generation


def _generation_last(reader: Reader) -> StickyMemory:
    return StickyMemory(reader.partitions(), reader.int32())


def _no_generation(reader: Reader) -> StickyMemory:
    return StickyMemory(reader.partitions(), None)


def _version_first(reader: Reader) -> StickyMemory:
    version = reader.int16()
    if version not in (0, 1):
        raise reader.refusal(f"version {version}, expected 0 or 1,")
    return StickyMemory(reader.partitions(), reader.int32() if version else None)


def _fit(read: Callable[[Reader], StickyMemory], data: bytes) -> StickyMemory | None:
    reader = Reader(data, "sticky user data")
    try:
        subscription = read(reader)
        reader.end()
    except SnapshotError:
        return None
    return subscription


_READERS = {
    Layout.GENERATION_LAST: _generation_last,
    Layout.NO_GENERATION: _no_generation,
    Layout.VERSION_FIRST: _version_first,
}
