"""Record batches: when the first record at an offset or behind it was written. Nothing else of a record is looked at.

Source: Kafka's `DefaultRecordBatch` and `DefaultRecord` (magic 2); `SnappyOutputStream` of snappy-java.
"""

import struct
from typing import NamedTuple

import pyarrow as pa
from kafka.record.util import decode_varint

_HEADER = struct.Struct(">qiibIhiqqqhii")
_LENGTH_END = 12
_MAGIC = 2
_COMPRESSION, _IS_APPEND_TIME, _IS_CONTROL = 0x07, 0x08, 0x20
_CODECS = {1: "gzip", 3: "lz4", 4: "zstd"}
_SNAPPY = 2
_XERIAL = b"\x82SNAPPY\0"
_XERIAL_HEADER = 16

_MOST_BYTES = 64 * 2**20
"""Of one batch, decompressed: what it grows to is what its producer says."""

NO_TIMESTAMP = -1


class Written(NamedTuple):
    """`timestamp`: milliseconds since 1970, as the record or the broker has it; None where there is no such record here.

    `next_offset`: where the search goes on in that case, the same offset where no batch was whole; None where nothing can be read.
    """

    timestamp: int | None
    next_offset: int | None


UNREADABLE = Written(None, None)


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


def written(octets: bytes, offset: int) -> Written:
    """Return when the first record at `offset` or behind it was written.

    Compaction leaves holes, and transactions markers, which are no records: what comes next counts. The last batch of an answer may be
    cut off; a batch of an older format (before Kafka 0.11) or of unknown compression cannot be read.
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
                # Arrow's errors are ValueError or OSError.
                return UNREADABLE
            if timestamp is not None:
                return Written(timestamp, None) if timestamp != NO_TIMESTAMP else UNREADABLE
        place, following = end, max(last + 1, offset)
    return Written(None, following)


def _timestamp(batch: _Batch, records: bytes, offset: int) -> int | None:
    """Return the timestamp of the first record at the offset or behind it, None where compaction has left none."""
    if batch.attributes & _IS_APPEND_TIME:
        return batch.max_timestamp if batch.record_count else None
    records, place = _decompressed(records, batch.attributes & _COMPRESSION), 0
    for _ in range(batch.record_count):
        length, place = decode_varint(records, place)
        # Between the length and the two differences stands a byte of attributes.
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
    """Java's clients write blocks with their lengths behind a header, librdkafka one block alone."""
    if not records.startswith(_XERIAL):
        return _block(records)
    place, blocks = _XERIAL_HEADER, []
    while place < len(records):
        (length,) = struct.unpack_from(">i", records, place)
        blocks.append(_block(records[place + 4 : place + 4 + length]))
        place += 4 + length
    return b"".join(blocks)


def _block(block: bytes) -> bytes:
    """A block of Snappy begins with its size, seven bits a byte, the lowest first."""
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
