"""Decoding: text becomes a group document, or is refused with the reason."""

import re
from datetime import UTC, datetime

import msgspec

from data.document.doubled_keys import doubled_key, may_be_doubled
from data.document.refusal import refusal
from data.document.shape import FORMAT, MAX_PARTITIONS, Document, Topic
from data.errors import SnapshotError

# 22 characters hold 132 bits and an id has 128: the last character ends in four zero bits.
TOPIC_ID = re.compile("[A-Za-z0-9_-]{21}[AQgw]")

_decoder = msgspec.json.Decoder(Document)


def decode(text: bytes | str) -> Document:
    """Read one document.

    Raises
    ------
    SnapshotError
        Where the document breaks the contract: with the path, the value found and the value expected.
    """
    try:
        document = _decoder.decode(text)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(refusal(text, error)) from None
    _refuse_doubled_keys(text.encode() if isinstance(text, str) else bytes(text), document)
    _check(document)
    return document


def _refuse_doubled_keys(text: bytes, document: Document):
    doubled = doubled_key(text) if may_be_doubled(text, document) else None
    if doubled:
        raise SnapshotError(f"{doubled}: the key appears twice, expected once")


def _check(document: Document):
    if document.format != FORMAT:
        raise SnapshotError(f'$.format: found "{document.format}", expected "{FORMAT}"')
    _check_time(document.taken_at)
    topics, members = document.topics or [], document.members or []
    _refuse_repeats("topics", "name", [topic.name for topic in topics])
    _refuse_repeats("members", "member_id", [member.member_id for member in members])
    for place, topic in enumerate(topics):
        _check_topic(f"$.topics[{place}]", topic)
    partition_count = sum(topic.size for topic in topics)
    if partition_count > MAX_PARTITIONS:
        raise SnapshotError(f"$.topics: found {partition_count:,} partitions in all, expected at most {MAX_PARTITIONS:,}")


def _check_time(taken_at: datetime | None):
    try:
        taken_at and taken_at.astimezone(UTC)
    except OverflowError:
        raise SnapshotError(f"$.taken_at: found {taken_at.isoformat()}, expected an instant of the years 1 to 9999 in UTC") from None


def _refuse_repeats(array: str, key: str, names: list[str]):
    if len(set(names)) == len(names):
        return
    first: dict[str, int] = {}
    for place, name in enumerate(names):
        if first.setdefault(name, place) != place:
            raise SnapshotError(f'$.{array}[{place}].{key}: "{name}" is the same as in $.{array}[{first[name]}], expected every {key} once')


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
