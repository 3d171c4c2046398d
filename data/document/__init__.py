"""The group document: its shape, how it is decoded, and what it refuses."""

from data.document.decoding import decode
from data.document.shape import (
    DEAD,
    EMPTY,
    FORMAT,
    MAX_PARTITIONS,
    STABLE,
    Document,
    GroupType,
    Held,
    JoinedWith,
    Leader,
    Member,
    Partition,
    Topic,
    in_order,
    with_partitions,
)

__all__ = [
    "DEAD",
    "EMPTY",
    "FORMAT",
    "MAX_PARTITIONS",
    "STABLE",
    "Document",
    "GroupType",
    "Held",
    "JoinedWith",
    "Leader",
    "Member",
    "Partition",
    "Topic",
    "decode",
    "in_order",
    "with_partitions",
]
