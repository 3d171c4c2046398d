"""Decoding: text becomes a group document, or is refused with the reason."""

import re

from evenkeel.assignors import CLIENTS
from evenkeel.data.document.parsing import parsed, refuse_repeats
from evenkeel.data.document.refusal import Kind, shown
from evenkeel.data.document.shape import FORMAT, MAX_PARTITIONS, Document, Topic
from evenkeel.data.errors import SnapshotError

# 22 characters hold 132 bits and an id has 128: the last character ends in four zero bits.
TOPIC_ID = re.compile("[A-Za-z0-9_-]{21}[AQgw]")

_GROUP = Kind(FORMAT, "group document", Document)


def decode(text: bytes | str) -> Document:
    """Read one document.

    Raises
    ------
    SnapshotError
        Where the document breaks the contract: with the path, the value found and the value expected.
    """
    document = parsed(text, _GROUP)
    if document.leader:
        require_client("$.leader.client", document.leader.client)
    topics, members = document.topics or [], document.members or []
    refuse_repeats("name", [topic.name for topic in topics], "$.topics")
    refuse_repeats("member_id", [member.member_id for member in members], "$.members")
    for place, topic in enumerate(topics):
        _check_topic(f"$.topics[{place}]", topic)
    partition_count = sum(topic.size for topic in topics)
    if partition_count > MAX_PARTITIONS:
        raise SnapshotError(f"$.topics: found {partition_count:,} partitions in all, expected at most {MAX_PARTITIONS:,}")
    return document


def require_client(path: str, client: str):
    """Refuse a client whose code is not known."""
    if client not in CLIENTS:
        raise SnapshotError(f"{path}: found {shown(client)}, expected one of {', '.join(CLIENTS)}")


def _check_topic(path: str, topic: Topic):
    if topic.topic_id is not None and not TOPIC_ID.fullmatch(topic.topic_id):
        raise SnapshotError(f'{path}.topic_id: found "{topic.topic_id}", expected the 22 characters of base64url that Kafka prints')
    if isinstance(topic.partitions, int):
        return
    for number, partition in enumerate(topic.partitions):
        offsets = (partition.begin_offset, partition.end_offset, partition.committed_offset)
        if partition.lag is not None and offsets != (None, None, None):
            raise SnapshotError(
                f"{path}.partitions[{number}].lag: found {partition.lag} beside offsets, expected a lag or offsets, not both"
            )
