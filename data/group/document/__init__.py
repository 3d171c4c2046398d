"""The group document and the streams document: their shapes, how they are decoded, and what they
refuse.
"""

from evenkeel.data.group.document.application import (
    STREAMS_FORMAT,
    Application,
    decode_application,
    task_number,
)
from evenkeel.data.group.document.shape import (
    DEAD,
    EMPTY,
    FORMAT,
    GROUP_FACTS,
    MAX_PARTITIONS,
    STABLE,
    STATES,
    Document,
    GroupType,
    Held,
    JoinedWith,
    Leader,
    Member,
    Partition,
    Topic,
    decode,
    in_order,
    with_partitions,
)

__all__ = [
    "DEAD",
    "EMPTY",
    "FORMAT",
    "GROUP_FACTS",
    "MAX_PARTITIONS",
    "STABLE",
    "STATES",
    "STREAMS_FORMAT",
    "Application",
    "Document",
    "GroupType",
    "Held",
    "JoinedWith",
    "Leader",
    "Member",
    "Partition",
    "Topic",
    "decode",
    "decode_application",
    "in_order",
    "task_number",
    "with_partitions",
]
