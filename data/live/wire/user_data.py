"""User data of the sticky assignors: Java's and aiokafka's, kafka-python's, and Java's cooperative generation."""

from collections.abc import Callable
from typing import NamedTuple

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.reader import Reader


class Remembered(NamedTuple):
    """What a member remembers of its last assignment: partition numbers by topic, and the generation, null where the layout has none."""

    owned: dict[str, list[int]]
    generation: int | None


def sticky(data: bytes, leader: str | None = None) -> Remembered:
    """Decode the user data of a `sticky` member, in the layout that takes all of its bytes.

    `leader`: the client that leads. It takes another client's layout to mean nothing.

    Raises
    ------
    SnapshotError
        Where no layout fits, or two with different content.
    """
    fitting = {layout: found for layout in (_java, _java_without_generation, _kafka_python) if (found := _fit(layout, data)) is not None}
    if not fitting:
        raise SnapshotError(f"sticky user data: {len(data)} bytes in no known layout (Java's StickyAssignor, kafka-python's)")
    if leader in _READ_BY:
        return next((fitting[layout] for layout in _READ_BY[leader] if layout in fitting), Remembered({}, None))
    first, *others = fitting.values()
    if any(found.owned != first.owned for found in others):
        raise SnapshotError(f"sticky user data: {len(data)} bytes that fit two layouts with different content")
    return first


def cooperative_generation(data: bytes) -> int:
    """Decode the user data of Java's `cooperative-sticky`: one number.

    Raises
    ------
    SnapshotError
        For any other length than four bytes.
    """
    reader = Reader(data, "cooperative-sticky user data")
    generation = reader.int32()
    reader.end()
    return generation


def _java(reader: Reader) -> Remembered:
    return Remembered(reader.partitions(), reader.int32())


def _java_without_generation(reader: Reader) -> Remembered:
    # Clients before Kafka 2.3: KIP-341 added the generation.
    return Remembered(reader.partitions(), None)


def _kafka_python(reader: Reader) -> Remembered:
    version = reader.int16()
    if version not in (0, 1):
        raise reader.refusal(f"version {version}, expected 0 or 1,")
    return Remembered(reader.partitions(), reader.int32() if version else None)


def _fit(layout: Callable[[Reader], Remembered], data: bytes) -> Remembered | None:
    reader = Reader(data, "sticky user data")
    try:
        found = layout(reader)
        reader.end()
    except SnapshotError:
        return None
    return found


_READ_BY = {
    "java": (_java, _java_without_generation),
    "franz-go": (_java, _java_without_generation),
    "aiokafka": (_java,),
    "kafka-python": (_kafka_python,),
}
"""The layouts that each client's leader reads."""
