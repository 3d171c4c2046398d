"""RawRecords: timestamps of the records at given offsets, fetched without a group.

It has its own client: if a quota slows fetches, only these connections wait.
"""

import struct
from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any, NamedTuple

import pyarrow as pa
from kafka import errors
from kafka.admin import KafkaAdminClient
from kafka.protocol.consumer import FetchRequest
from kafka.record.util import decode_varint

from evenkeel.data.live.wire.raw_topics import COMMITTED, UNCOMMITTED, UNREACHABLE, Place

Record = tuple[Place, int]
"""A partition and an offset."""

# The first partition of an answer has a whole batch, even if it is too large. The other partitions
# have only what fits (KIP-74).
_PARTITIONS_A_REQUEST, _BYTES_A_PARTITION, _BYTES_A_REQUEST = 64, 4096, 2**22
_ONE_BATCH = 1
_AT_ONCE = 5
_REFUSED_SECONDS = 600.0
_TIMEOUT_MS = 5000


class Times(NamedTuple):
    """`written`: milliseconds since 1970 by record. A record is missing if its timestamp could not
    be read in time. `refused`: error codes by topic.
    """

    written: dict[Record, int]
    refused: dict[str, int]


class _RecordSearch(NamedTuple):
    """The search for the timestamp of a record. `offset`: where the search continues. `is_large`:
    the batch at this offset is so large that it needs its own request.
    """

    record: Record
    node: int
    offset: int
    is_large: bool = False


_Request = dict[Place, _RecordSearch]
"""The searches in a request to a broker. A partition is only once in a request."""


class RawRecords:
    """A client for Kafka 0.11 and newer. It blocks and is thread-safe.

    Parameters
    ----------
    settings : dict
        Settings of kafka-python, by kafka-python's names.
    """

    def __init__(self, settings: Mapping[str, Any]):
        self._client = KafkaAdminClient(**{**settings, "request_timeout_ms": _TIMEOUT_MS})
        self._manager = self._client._manager
        self._refused: dict[str, tuple[int, float]] = {}

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def times(self, leaders: Mapping[Record, int], reads_committed: bool, seconds: float) -> Times:
        """Return the timestamps of records. `leaders`: for each record the broker to which the
        request is sent. The first records are requested first. The search ends after `seconds`.

        A topic that was refused is not requested again for ten minutes, because each refusal adds a
        line to the broker's log.
        """
        deadline = monotonic() + seconds
        refused = {
            topic: code for topic, (code, until) in self._refused.items() if until > monotonic()
        }
        asks = [
            _RecordSearch(record, node, record[1])
            for record, node in leaders.items()
            if record[0][0] not in refused
        ]
        times = Times({}, refused | {})
        self._manager.run(
            self._times, asks, COMMITTED if reads_committed else UNCOMMITTED, deadline, times
        )
        self._refused |= {
            topic: (code, monotonic() + _REFUSED_SECONDS)
            for topic, code in times.refused.items()
            if topic not in refused
        }
        return times

    async def _times(
        self, asks: list[_RecordSearch], isolation: int, deadline: float, times: Times
    ) -> None:
        if any(self._manager.cluster.broker_metadata(ask.node) is None for ask in asks):
            await self._manager.cluster.refresh_metadata()
        while asks and monotonic() < deadline:
            requests, asks = _requests(asks)
            answers = [
                (some, self._manager.send(_fetching(some, isolation), node_id=_node(some)))
                for some in requests
            ]
            for some, answer in answers:
                try:
                    response = await self._manager.wait_for(
                        answer, max(deadline - monotonic(), 0) * 1000
                    )
                except UNREACHABLE:
                    continue
                asks += _read(some, response, times)


def _requests(asks: list[_RecordSearch]) -> tuple[list[_Request], list[_RecordSearch]]:
    """Return the next requests, and the searches that must wait for later requests."""
    requests: dict[int, list[_Request]] = {}
    left = []
    for ask in asks:
        place, of_node = ask.record[0], requests.setdefault(ask.node, [])
        request = next((some for some in of_node if _has_room(some, ask)), None)
        if request is None and len(of_node) < _AT_ONCE:
            of_node.append({place: ask})
        elif request is None:
            left.append(ask)
        else:
            request[place] = ask
    return [some for of_node in requests.values() for some in of_node], left


def _node(some: _Request) -> int:
    return next(iter(some.values())).node


def _has_room(some: _Request, ask: _RecordSearch) -> bool:
    is_small = not ask.is_large and not next(iter(some.values())).is_large
    return is_small and len(some) < _PARTITIONS_A_REQUEST and ask.record[0] not in some


def _read(some: _Request, response: Any, times: Times) -> Iterator[_RecordSearch]:
    """Add the timestamps of a response to `times`. Yield the searches that must continue."""
    answers = {
        (topic.topic, partition.partition_index): partition
        for topic in response.responses
        for partition in topic.partitions
    }
    for place, ask in some.items():
        answer = answers.get(place)
        if answer is not None and answer.error_code == errors.TopicAuthorizationFailedError.errno:
            times.refused[place[0]] = answer.error_code
        if answer is None or answer.error_code:
            continue
        time = written(bytes(answer.records or b""), ask.offset)
        if time.timestamp is not None:
            times.written[ask.record] = time.timestamp
        elif time.next_offset is not None and (time.next_offset > ask.offset or not ask.is_large):
            yield ask._replace(offset=time.next_offset, is_large=time.next_offset == ask.offset)


def _fetching(some: _Request, isolation: int) -> FetchRequest:
    kind = FetchRequest.FetchTopic
    topics: dict[str, list] = {}
    for (topic, number), ask in some.items():
        most = _ONE_BATCH if ask.is_large else _BYTES_A_PARTITION
        topics.setdefault(topic, []).append(
            kind.FetchPartition(partition=number, fetch_offset=ask.offset, partition_max_bytes=most)
        )
    wanted = [kind(topic=topic, partitions=partitions) for topic, partitions in topics.items()]
    # Since version 4, batches have a timestamp of each record. Since version 13, topics have ids
    # instead of names.
    return FetchRequest(
        max_wait_ms=0,
        min_bytes=0,
        max_bytes=_BYTES_A_REQUEST,
        isolation_level=isolation,
        session_id=0,
        session_epoch=-1,
        topics=wanted,
        forgotten_topics_data=[],
        rack_id="",
        min_version=4,
        max_version=12,
    )


# Record batches: the timestamp of the first record at an offset or after it. Nothing else of a
# record is decoded. Source: Kafka's `DefaultRecordBatch` and `DefaultRecord` (magic 2);
# `SnappyOutputStream` of snappy-java.


_HEADER = struct.Struct(">qiibIhiqqqhii")
_LENGTH_END = 12
_MAGIC = 2
_COMPRESSION, _IS_APPEND_TIME, _IS_CONTROL = 0x07, 0x08, 0x20
_CODECS = {1: "gzip", 3: "lz4", 4: "zstd"}
_SNAPPY = 2
_XERIAL = b"\x82SNAPPY\0"
_XERIAL_HEADER = 16

_MOST_BYTES = 64 * 2**20
"""Most decompressed bytes of a batch, because its producer decides its size."""

NO_TIMESTAMP = -1


class RecordTime(NamedTuple):
    """`timestamp`: milliseconds since 1970, set by the producer or the broker; None if the record
    is not in these bytes.

    `next_offset`: offset at which the search continues if `timestamp` is None: the same offset if
    no batch was complete, None if the bytes cannot be read.
    """

    timestamp: int | None
    next_offset: int | None


UNREADABLE = RecordTime(None, None)


class _Batch(NamedTuple):
    base_offset: int
    length: int
    leader_epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    record_count: int


def written(octets: bytes, offset: int) -> RecordTime:
    """Return the timestamp of the first record at or after `offset`.

    The record at `offset` may be missing: it was deleted by compaction, or `offset` is a
    transaction marker. The last batch in `octets` may be cut off. Batches from before Kafka 0.11
    and batches of unknown compression cannot be read.
    """
    place, following = 0, offset
    while len(octets) - place >= _HEADER.size:
        batch = _Batch(*_HEADER.unpack_from(octets, place))
        end = place + _LENGTH_END + batch.length
        if batch.magic != _MAGIC or batch.length < _HEADER.size - _LENGTH_END:
            return UNREADABLE
        if end > len(octets):
            break
        last = batch.base_offset + batch.last_offset_delta
        if last >= offset and not batch.attributes & _IS_CONTROL:
            try:
                timestamp = _timestamp(batch, octets[place + _HEADER.size : end], offset)
            except (IndexError, ValueError, OSError, struct.error):
                # pyarrow raises ValueError or OSError.
                return UNREADABLE
            if timestamp is not None:
                return RecordTime(timestamp, None) if timestamp != NO_TIMESTAMP else UNREADABLE
        place, following = end, max(last + 1, offset)
    return RecordTime(None, following)


def _timestamp(batch: _Batch, records: bytes, offset: int) -> int | None:
    """Return the timestamp of the first record of the batch at or after `offset`. None if
    compaction has deleted all these records.
    """
    if batch.attributes & _IS_APPEND_TIME:
        return batch.max_timestamp if batch.record_count else None
    records, place = _decompressed(records, batch.attributes & _COMPRESSION), 0
    for _ in range(batch.record_count):
        length, place = decode_varint(records, place)
        # A record has its length, one byte of attributes, and its differences in time and offset.
        later, at = decode_varint(records, place + 1)
        further, _ = decode_varint(records, at)
        if batch.base_offset + further >= offset:
            return batch.base_timestamp + later
        place += length
    return None


def _decompressed(records: bytes, compression: int) -> bytes:
    if not compression:
        return records
    if compression == _SNAPPY:
        return _unsnapped(records)
    if compression not in _CODECS:
        raise ValueError(f"compression {compression}")
    with pa.input_stream(pa.py_buffer(records), compression=_CODECS[compression]) as stream:
        return stream.read(_MOST_BYTES)


def _unsnapped(records: bytes) -> bytes:
    """Return the decompressed bytes. Java's clients write a header, then several blocks, and before
    each block the length of the block. librdkafka writes only one block.
    """
    if not records.startswith(_XERIAL):
        return _block(records)
    place, blocks = _XERIAL_HEADER, []
    while place < len(records):
        (length,) = struct.unpack_from(">i", records, place)
        blocks.append(_block(records[place + 4 : place + 4 + length]))
        place += 4 + length
    return b"".join(blocks)


def _block(block: bytes) -> bytes:
    """Decompress a Snappy block. It starts with the size of the decompressed data: seven bits in
    each byte, lowest bits first.
    """
    size = shift = place = 0
    while True:
        octet = block[place]
        size |= (octet & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if not octet & 0x80:
            break
    if size > _MOST_BYTES:
        raise ValueError(f"a block of {size} bytes")
    return pa.decompress(block, decompressed_size=size, codec="snappy", asbytes=True)
