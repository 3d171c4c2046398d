"""Reader: decodes Kafka's primitive types and never reads beyond the end of the bytes."""

import struct
from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from evenkeel.data.errors import SnapshotError

T = TypeVar("T")

_INT8, _INT16, _INT32, _INT64 = map(struct.Struct, (">b", ">h", ">i", ">q"))


class Reader:
    """Decodes bytes from front to back. `content` names the bytes in every error.

    Raises
    ------
    SnapshotError
        From each method: if the bytes end too early, if a length is negative or larger than the
        rest, or if a text is not UTF-8.
    """

    def __init__(self, data: bytes, content: str):
        self._data, self._at, self._what = data, 0, content

    def int8(self) -> int:
        """Read a signed one-byte number."""
        return self._number(_INT8)

    def int16(self) -> int:
        """Read a signed two-byte number."""
        return self._number(_INT16)

    def int32(self) -> int:
        """Read a signed four-byte number."""
        return self._number(_INT32)

    def int64(self) -> int:
        """Read a signed eight-byte number."""
        return self._number(_INT64)

    def uuid(self) -> UUID:
        """Read the 16 bytes of a UUID."""
        return UUID(bytes=self._sized(16))

    def text(self) -> str:
        """Read a string: its length in two bytes, then UTF-8."""
        text = self.nullable_text()
        if text is None:
            raise self.refusal("null, expected a string")
        return text

    def nullable_text(self) -> str | None:
        """Read a string or null. The length of null is -1."""
        data = self._sized(self.int16())
        try:
            return data if data is None else data.decode()
        except UnicodeDecodeError:
            raise self.refusal("a string that is not UTF-8") from None

    def nullable_bytes(self) -> bytes | None:
        """Read bytes or null: a length in four bytes, then the bytes. The length of null is -1."""
        return self._sized(self.int32())

    def array(self, item: Callable[[], T], smallest: int) -> list[T]:
        """Read an array. `smallest`: size in bytes of the smallest possible item. If the count is
        larger than the remaining bytes allow, the array is refused before memory is allocated.
        """
        return [item() for _ in range(self._count(smallest))]

    def numbers(self) -> list[int]:
        """Read an array of signed four-byte numbers."""
        count = self._count(_INT32.size)
        values = struct.unpack_from(f">{count}i", self._data, self._at)
        self._at += count * _INT32.size
        return list(values)

    def runs(self) -> list[tuple[str, list[int]]]:
        """Read an array of topics, each with an array of partition numbers."""
        return self.array(lambda: (self.text(), self.numbers()), 6)

    def partitions(self) -> dict[str, list[int]]:
        """Read partition numbers by topic. If a topic is there twice, its partition numbers are
        joined. Negative numbers are refused.
        """
        topics: dict[str, list[int]] = {}
        for topic, numbers in self.runs():
            if numbers and min(numbers) < 0:
                raise self.refusal(f"partition {min(numbers)}")
            topics.setdefault(topic, []).extend(numbers)
        return topics

    # Flexible versions (KIP-482). A length is a varint: length + 1, or 0 for null. A structure ends
    # with tagged fields.

    def varint(self) -> int:
        """Read an unsigned number of one to five bytes."""
        number = 0
        for shift in range(0, 35, 7):
            octet = self.int8() & 0xFF
            number |= (octet & 0x7F) << shift
            if octet < 0x80:
                return number
        raise self.refusal("a varint of more than five bytes")

    def compact_text(self) -> str:
        """Read a string. Its length is a varint."""
        text = self.compact_nullable_text()
        if text is None:
            raise self.refusal("null, expected a string")
        return text

    def compact_nullable_text(self) -> str | None:
        """Read a string or null. Its length is a varint."""
        data = self.compact_nullable_bytes()
        try:
            return data if data is None else data.decode()
        except UnicodeDecodeError:
            raise self.refusal("a string that is not UTF-8") from None

    def compact_nullable_bytes(self) -> bytes | None:
        """Read bytes or null. Their length is a varint."""
        return self._sized(self.varint() - 1)

    def compact_array(self, item: Callable[[], T], smallest: int) -> list[T]:
        """Read an array. Its count is a varint; null is read as an empty array."""
        count = max(self.varint() - 1, 0)
        if count > (len(self._data) - self._at) // smallest:
            raise self.refusal(f"an array of {count} items in {len(self._data) - self._at} bytes")
        return [item() for _ in range(count)]

    def tags(self) -> dict[int, bytes]:
        """Read the tagged fields at the end of a structure."""
        tags: dict[int, bytes] = {}
        for _ in range(self.varint()):
            tag = self.varint()
            tags[tag] = self._sized(self.varint()) or b""
        return tags

    @property
    def is_at_end(self) -> bool:
        """Whether all bytes are read."""
        return self._at == len(self._data)

    def end(self) -> None:
        """Raise an error if bytes remain."""
        if self._at != len(self._data):
            raise self.refusal(f"{len(self._data) - self._at} bytes left over")

    def refusal(self, problem: str) -> SnapshotError:
        """Return an error that names the problem and the position of the next byte."""
        return SnapshotError(f"{self._what}: {problem} at byte {self._at} of {len(self._data)}")

    def _count(self, smallest: int) -> int:
        count = self.int32()
        if not 0 <= count <= (len(self._data) - self._at) // smallest:
            raise self.refusal(f"an array of {count} items in {len(self._data) - self._at} bytes")
        return count

    def _number(self, form: struct.Struct) -> int:
        try:
            (number,) = form.unpack_from(self._data, self._at)
        except struct.error:
            raise self.refusal("ends too early") from None
        self._at += form.size
        return number

    def _sized(self, size: int) -> bytes | None:
        if size == -1:
            return None
        if size < 0 or self._at + size > len(self._data):
            raise self.refusal(f"a length of {size}")
        self._at += size
        return self._data[self._at - size : self._at]
