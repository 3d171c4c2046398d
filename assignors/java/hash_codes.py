"""Hash codes of Kafka's own keys, uint32. Those of strings are in `strings`; that of an Integer is its value."""

import numpy as np

_BITS_OF_VERSION_3 = (0xFFFF_FFFF_FFFF_0FFF, 0x3000)
_BITS_OF_THE_VARIANT = (0x3FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000)


def uuid_hashes(ids: np.ndarray) -> np.ndarray:
    """Return the hash codes of Kafka's Uuid and of java.util.UUID, uint32 (N,); `ids` int64 (N, 2), most significant half first."""
    # Unsigned, although Java shifts the sign in: that changes only the upper 32 bits, which the hash code leaves out.
    halves = (ids[:, 0] ^ ids[:, 1]).astype(np.uint64)
    return (halves ^ (halves >> np.uint64(32))).astype(np.uint32)


def topic_id_partition_hashes(topic_hash: np.ndarray, partition: np.ndarray) -> np.ndarray:
    """Return the hash codes of the broker's TopicIdPartition, uint32; `topic_hash` uint32 of the topic ids."""
    return topic_hash * np.uint32(31) + partition.astype(np.uint32)


def task_id_hashes(subtopology: np.ndarray, partition: np.ndarray) -> np.ndarray:
    """Return the hash codes of Kafka Streams' TaskId without a topology's name, uint32."""
    return (subtopology.astype(np.uint32) + np.uint32(31)) * np.uint32(31 * 31) + partition.astype(np.uint32) * np.uint32(31)


def subtopology_hashes(subtopology: np.ndarray) -> np.ndarray:
    """Return the hash codes of Kafka Streams' Subtopology without a topology's name, uint32."""
    return (subtopology.astype(np.uint32) + np.uint32(31)) * np.uint32(31)


def name_uuid(name: str) -> tuple[int, int]:
    """Return both signed halves of `UUID.nameUUIDFromBytes` of the name in UTF-8, which is version 3 without a name space."""
    import hashlib  # loads OpenSSL, a fortieth of the start of a program that meets no topic without id

    digest = hashlib.md5(name.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
    most, least = int.from_bytes(digest[:8]), int.from_bytes(digest[8:])
    most, least = most & _BITS_OF_VERSION_3[0] | _BITS_OF_VERSION_3[1], least & _BITS_OF_THE_VARIANT[0] | _BITS_OF_THE_VARIANT[1]
    return _signed(most), _signed(least)


def _signed(half: int) -> int:
    return half - (half >> 63 << 64)
