"""Leader: whose code assigned a classic group, told by the bytes of the assignments, which the leader has written."""

from collections.abc import Iterable
from typing import Any

from data.document import Leader
from data.errors import SnapshotError
from data.live.wire.consumer_protocol import Subscription, subscription
from data.live.wire.reader import Reader

_JAVA, _LIBRDKAFKA = Leader("java", certain=True), Leader("librdkafka", certain=True)
_LEAST_MEMORY = 8
"""Bytes: librdkafka's cooperative-sticky members send an array and a generation, Java's the generation alone."""


def leader_of(members: Iterable[Any], protocol: str) -> Leader | None:
    """Return who leads, of the members of a DescribeGroups answer; None where the bytes fit neither Java nor librdkafka.

    Java writes version 3 without user data. librdkafka writes version 0 with user data, and its members say so themselves.
    """
    try:
        written = {_written(bytes(one.member_assignment)) for one in members if one.member_assignment}
        sent = [subscription(bytes(one.member_metadata)) for one in members if one.member_metadata]
    except SnapshotError:
        return None
    if written == {(3, False)}:
        return _JAVA
    is_theirs = bool(sent) and all(_is_librdkafka(one, protocol) for one in sent)
    return _LIBRDKAFKA if written == {(0, True)} and is_theirs else None


def _written(data: bytes) -> tuple[int, bool]:
    """Return the version, and whether there is user data."""
    reader = Reader(data, "member assignment")
    version = reader.int16()
    reader.partitions()
    return version, reader.nullable_bytes() is not None


def _is_librdkafka(sent: Subscription, protocol: str) -> bool:
    if sent.version < 1 or sent.user_data is None:
        return False
    return not sent.user_data or (protocol == "cooperative-sticky" and len(sent.user_data) >= _LEAST_MEMORY)
