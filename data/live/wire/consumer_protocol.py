"""The classic consumer protocol: what a member sends when it joins, and what its leader gives it.

Kafka's `ConsumerProtocolSubscription` versions 0 to 3 and `ConsumerProtocolAssignment`.
"""

from dataclasses import dataclass

from evenkeel.data.document import in_order
from evenkeel.data.live.wire.reader import Reader

_NEWEST = 3


@dataclass(frozen=True)
class Subscription:
    """One member's metadata.

    `user_data`: what its assignor put in, null where nothing. `owned`: partition numbers by topic, null before version 1. `generation`: -1
    is none, null before version 2. `rack`: null where the client has none or cannot say; librdkafka sends an empty text for none.
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
        For an unknown version and for bytes that do not fit the version.
    """
    reader = Reader(data, "member metadata")
    version = reader.int16()
    if not 0 <= version <= _NEWEST:
        raise reader.refusal(f"version {version}, expected 0 to {_NEWEST},")
    topics, user_data = reader.array(reader.text, 2), reader.nullable_bytes()
    # kafka-go and platformatic 1 say version 1 and end here.
    owned = reader.partitions() if version >= 1 and not (version == 1 and reader.is_at_end) else None
    generation = reader.int32() if version >= 2 else None
    rack = reader.nullable_text() if version >= 3 else None
    reader.end()
    return Subscription(version, topics, user_data, owned, generation, rack)


def assignment(data: bytes) -> dict[str, list[int]]:
    """Decode a member's assignment: partition numbers by topic, ascending. No bytes mean no partitions.

    Raises
    ------
    SnapshotError
        For bytes that are not an assignment.
    """
    return in_order(assignment_with_user_data(data)[0])


def assignment_with_user_data(data: bytes) -> tuple[dict[str, list[int]], bytes | None]:
    """Decode a member's assignment: partition numbers by topic as written, and what the leader's assignor put in, null where nothing.

    Raises
    ------
    SnapshotError
        For bytes that are not an assignment.
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
