"""Java's hash codes and sort order of strings, hash codes of Kafka's keys, and bucket counts of new
tables.

`put_order(string_hashes(names), set_capacity(len(names), jdk=17))` is the iteration order of a
HashSet made from a list of names.
"""

from collections.abc import Sequence

import numpy as np

_BLOCK = 8192
_INVERSE_OF_31 = pow(31, -1, 1 << 32)
_BITS_OF_VERSION_3 = (0xFFFF_FFFF_FFFF_0FFF, 0x3000)
_BITS_OF_THE_VARIANT = (0x3FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000)

FIRST_CAPACITY = 16
"""Buckets of a map or set made without arguments."""

TREE_CAPACITY = 64
"""With at least this many buckets, a chain at its limit becomes a tree; a smaller table is doubled.
"""

# JDK 19 rounds size / 0.75 up, older JDKs round down and add 1. The bucket counts differ only for
# sizes of 3/4 of a power of two, such as 12, 24, 48.
_NEW_RULE_SINCE = 19
_LOAD_FACTOR = 0.75


# java.lang.String, by UTF-16 code unit


def sort_key(text: str) -> bytes:
    """Return a key with which Python sorts strings like `String.compareTo`.

    Without the key, Python sorts supplementary characters after U+E000..U+FFFF, Java before.
    """
    return text.encode("utf-16-be", "surrogatepass")


def sorted_rows(texts: Sequence[str]) -> np.ndarray:
    """Return the numbers of `texts` in Java's sort order, int32. Equal texts keep their order."""
    # Java and Python sort ASCII in the same order.
    keys = texts if "".join(texts).isascii() else [sort_key(text) for text in texts]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int32)


def string_hashes(texts: Sequence[str]) -> np.ndarray:
    """Return `String.hashCode` of each text, uint32: `31 * hash + unit` for each UTF-16 unit."""
    # In blocks, so that units and weights fit in the processor's cache.
    blocks = [
        _block_hashes(texts[start : start + _BLOCK]) for start in range(0, len(texts), _BLOCK)
    ]
    return np.concatenate(blocks) if blocks else np.empty(0, dtype=np.uint32)


def _block_hashes(texts: Sequence[str]) -> np.ndarray:
    units = np.frombuffer("".join(texts).encode("utf-16-le", "surrogatepass"), dtype="<u2")
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    # A character above U+FFFF has two UTF-16 units, but len counts it once.
    if lengths.sum() != units.size:
        lengths = np.array([len(sort_key(text)) // 2 for text in texts])
    result = np.zeros(len(texts), dtype=np.uint32)
    filled = lengths > 0
    if filled.any():
        end = np.cumsum(lengths)[filled]
        # sum(unit[i] * 31 ** (end - 1 - i)) = 31 ** (end - 1) * sum(unit[i] * 31 ** -i): one row of
        # weights serves every text.
        sums = np.add.reduceat(
            units * _powers(_INVERSE_OF_31, units.size), end - lengths[filled], dtype=np.uint32
        )
        result[filled] = sums * _powers(31, units.size)[end - 1]
    return result


def _powers(base: int, count: int) -> np.ndarray:
    powers = np.full(count, base, dtype=np.uint32)
    powers[0] = 1
    return np.multiply.accumulate(powers, out=powers)


# Kafka's keys. The hash code of an Integer is its value.


def uuid_hashes(ids: np.ndarray) -> np.ndarray:
    """Return the hash codes of Kafka's Uuid or of java.util.UUID, uint32 (N,).

    `ids`: int64 (N, 2), the most significant half first.
    """
    # Unsigned shift. Java's signed shift differs only in the upper 32 bits, which the hash code
    # does not have.
    halves = (ids[:, 0] ^ ids[:, 1]).astype(np.uint64)
    return (halves ^ (halves >> np.uint64(32))).astype(np.uint32)


def topic_id_partition_hashes(topic_hash: np.ndarray, partition: np.ndarray) -> np.ndarray:
    """Return the hash codes of the broker's TopicIdPartition, uint32.

    `topic_hash`: hash codes of the topic ids, uint32.
    """
    return topic_hash * np.uint32(31) + partition.astype(np.uint32)


def task_id_hashes(subtopology: np.ndarray, partition: np.ndarray) -> np.ndarray:
    """Return the hash codes of Kafka Streams' TaskId, uint32. The topology has no name."""
    return (subtopology.astype(np.uint32) + np.uint32(31)) * np.uint32(31 * 31) + partition.astype(
        np.uint32
    ) * np.uint32(31)


def subtopology_hashes(subtopology: np.ndarray) -> np.ndarray:
    """Return the hash codes of Kafka Streams' Subtopology, uint32. The topology has no name."""
    return (subtopology.astype(np.uint32) + np.uint32(31)) * np.uint32(31)


def name_uuid(name: str) -> tuple[int, int]:
    """Return `UUID.nameUUIDFromBytes` of the name in UTF-8, as two signed halves.

    The result is a version 3 UUID without a name space.
    """
    # Imported here, because it loads OpenSSL. Only groups with unknown topic ids need it.
    import hashlib

    digest = hashlib.md5(name.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
    most, least = int.from_bytes(digest[:8]), int.from_bytes(digest[8:])
    most, least = (
        most & _BITS_OF_VERSION_3[0] | _BITS_OF_VERSION_3[1],
        least & _BITS_OF_THE_VARIANT[0] | _BITS_OF_THE_VARIANT[1],
    )
    return _signed(most), _signed(least)


def _signed(half: int) -> int:
    return half - (half >> 63 << 64)


# First capacity of a java.util.HashMap, in buckets


def rounded_capacity(capacity: int) -> int:
    """Return the bucket count of `new HashMap(capacity)`: the smallest power of two that is
    enough.
    """
    return 1 << max(capacity - 1, 0).bit_length()


def threshold(capacity: int) -> int:
    """Return the largest number of entries with which a table of `capacity` buckets is not
    doubled.
    """
    return capacity * 3 // 4


def set_capacity(size: int, jdk: int) -> int:
    """Return the bucket count of `new HashSet(collection)`. `size`: what `collection.size()`
    returns.
    """
    if jdk < _NEW_RULE_SINCE:
        return rounded_capacity(max(_floor(size) + 1, FIRST_CAPACITY))
    return rounded_capacity(_ceiling(max(size, threshold(FIRST_CAPACITY))))


def put_all_capacity(size: int, jdk: int) -> int:
    """Return the bucket count of an empty HashMap after `putAll` of a map with `size` entries."""
    return rounded_capacity(_floor(size) + 1 if jdk < _NEW_RULE_SINCE else _ceiling(size))


def presized_capacity(count: int) -> int:
    """Return the bucket count of `new HashMap((int) (count / 0.75 + 1))`.

    Kafka's code makes a map in this way if it knows the number of entries.
    """
    return rounded_capacity(_floor(count) + 1)


def _floor(count: int) -> int:
    return int(count / _LOAD_FACTOR)


def _ceiling(count: int) -> int:
    return -int(-count // _LOAD_FACTOR)
