"""Handwriting: whose code wrote the assignments of a group, by their version, their user data and their order."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from evenkeel.data.live.wire.reader import Reader


class Written(NamedTuple):
    """One assignment. `is_sorted`: topics and partition numbers ascend. `is_echo`: its user data are those of the member's subscription."""

    version: int
    user_data: bytes | None
    is_sorted: bool
    is_echo: bool


def written(data: bytes, sent: bytes | None) -> Written:
    """Decode an assignment; `sent`: the user data of the member's subscription.

    Raises
    ------
    SnapshotError
        For bytes that are not an assignment.
    """
    reader = Reader(data, "member assignment")
    version = reader.int16()
    runs = reader.array(lambda: (reader.text(), reader.array(reader.int32, 4)), 6)
    topics = [topic for topic, _ in runs]
    is_sorted = topics == sorted(set(topics)) and all(numbers == sorted(numbers) for _, numbers in runs)
    user_data = reader.nullable_bytes()
    return Written(version, user_data, is_sorted, user_data == sent)


def _null_3(one: Written, _protocol: str) -> bool:
    return (one.version, one.user_data) == (3, None)


def _null_0(one: Written, _protocol: str) -> bool:
    return (one.version, one.user_data) == (0, None)


def _sorted_0(one: Written, protocol: str) -> bool:
    return _null_0(one, protocol) and one.is_sorted


def _empty_0(one: Written, _protocol: str) -> bool:
    return (one.version, one.user_data) == (0, b"")


def _kafka_python(one: Written, protocol: str) -> bool:
    return (one.version, one.user_data) == (int(protocol == "cooperative-sticky"), b"")


def _librdkafka(one: Written, _protocol: str) -> bool:
    # The leader copies the user data of the member's own subscription.
    return one.version == 0 and one.is_echo


def _sarama(one: Written, protocol: str) -> bool:
    return one.version == 0 and bool(one.user_data) if protocol == "sticky" else _null_0(one, protocol)


def _platformatic(one: Written, protocol: str) -> bool:
    # Round-robin of 1.x writes an empty text, that of 2.x null.
    return _null_3(one, protocol) if protocol == "cooperative-sticky" else _empty_0(one, protocol) or _sorted_0(one, protocol)


_HANDS: dict[str, Callable[[Written, str], bool]] = {
    "java": _null_3,
    "librdkafka": _librdkafka,
    "kafkajs": _empty_0,
    "kafka-python": _kafka_python,
    "aiokafka": _empty_0,
    "franz-go": _sorted_0,
    "sarama": _sarama,
    "kafka-go": lambda one, _protocol: (one.version, one.user_data) == (1, None),
    "platformatic": _platformatic,
}


def clients_that_write(assignments: Iterable[Written], protocol: str) -> list[str]:
    """Return the clients whose leader can have written all of these, the most used ones first."""
    every = list(assignments)
    return [client for client, writes in _HANDS.items() if all(writes(one, protocol) for one in every)]
