"""User data of the sticky assignors in each layout, and Java's cooperative generation."""

from collections.abc import Callable
from typing import NamedTuple

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.clients.client import Layout
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
    fitting = {layout: found for layout, read in _READERS.items() if (found := _fit(read, data)) is not None}
    if not fitting:
        raise SnapshotError(f"sticky user data: {len(data)} bytes in no known layout (Java's StickyAssignor, kafka-python's)")
    if leader in CLIENTS and (layouts := CLIENTS[leader].sticky_layouts):
        return next((fitting[layout] for layout in layouts if layout in fitting), Remembered({}, None))
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


def _generation_last(reader: Reader) -> Remembered:
    return Remembered(reader.partitions(), reader.int32())


def _no_generation(reader: Reader) -> Remembered:
    return Remembered(reader.partitions(), None)


def _version_first(reader: Reader) -> Remembered:
    version = reader.int16()
    if version not in (0, 1):
        raise reader.refusal(f"version {version}, expected 0 or 1,")
    return Remembered(reader.partitions(), reader.int32() if version else None)


def _fit(read: Callable[[Reader], Remembered], data: bytes) -> Remembered | None:
    reader = Reader(data, "sticky user data")
    try:
        found = read(reader)
        reader.end()
    except SnapshotError:
        return None
    return found


_READERS = {Layout.GENERATION_LAST: _generation_last, Layout.NO_GENERATION: _no_generation, Layout.VERSION_FIRST: _version_first}
