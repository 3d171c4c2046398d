"""Record batches: the time of the first record at an offset or behind it, against batches that
kafka-python's own builder makes.
"""

import struct

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka.record.default_records import DefaultRecordBatchBuilder

from evenkeel.data.live.wire.raw_records import UNREADABLE, RecordTime, written

_ATTRIBUTES, _HEADER = 21, 61
_GZIP = 1


def _batch(records, base=0, compression=0, attributes=0, last=None) -> bytes:
    """Return records {offset: milliseconds} as a batch; `last`: its last offset, where compaction
    has removed the record.
    """
    builder = DefaultRecordBatchBuilder(2, compression, False, -1, -1, -1, 10**6)
    for offset, time in records.items():
        builder.append(offset - base, time, b"key", b"value" * 3, [("header", b"x")])
    octets = bytearray(builder.build())
    struct.pack_into(">q", octets, 0, base)
    struct.pack_into(
        ">h", octets, _ATTRIBUTES, struct.unpack_from(">h", octets, _ATTRIBUTES)[0] | attributes
    )
    struct.pack_into(">i", octets, _ATTRIBUTES + 2, (max(records) if last is None else last) - base)
    return bytes(octets)


def _compressed(octets: bytes, number: int, records: bytes) -> bytes:
    head = bytearray(octets[:_HEADER])
    struct.pack_into(">i", head, 8, _HEADER - 12 + len(records))
    struct.pack_into(">h", head, _ATTRIBUTES, number)
    return bytes(head) + records


@given(
    st.lists(
        st.dictionaries(st.integers(0, 200), st.integers(0, 2**42), min_size=1, max_size=20).map(
            lambda one: dict(sorted(one.items()))
        ),
        min_size=1,
        max_size=3,
    ),
    st.integers(0, 700),
    st.sampled_from([0, _GZIP]),
)
def test_the_first_record_at_the_offset_or_behind_it_is_found_across_holes_and_batches(
    batches, offset, compression
):
    octets, times = b"", {}
    for number, records in enumerate(batches):
        shifted = {1000 * number + own: time for own, time in records.items()}
        octets += _batch(shifted, 1000 * number, compression, last=1000 * number + 300)
        times |= shifted

    behind = [own for own in times if own >= offset]

    expected = (
        RecordTime(times[min(behind)], None)
        if behind
        else RecordTime(None, max(1000 * (len(batches) - 1) + 301, offset))
    )
    assert written(octets, offset) == expected


@pytest.mark.parametrize(
    ("number", "press"),
    [
        (2, lambda raw: pa.compress(raw, codec="snappy", asbytes=True)),
        (2, lambda raw: b"\x82SNAPPY\0" + struct.pack(">ii", 1, 1) + b"".join(_blocks(raw))),
        (3, lambda raw: pa.compress(raw, codec="lz4", asbytes=True)),
        (4, lambda raw: pa.compress(raw, codec="zstd", asbytes=True)),
    ],
    ids=["snappy of librdkafka", "snappy of Java", "lz4", "zstd"],
)
def test_every_compression_is_read(number, press):
    plain = _batch({7: 100, 8: 90, 9: 110}, base=7)

    assert written(_compressed(plain, number, press(plain[_HEADER:])), 8) == RecordTime(90, None)


def test_where_the_broker_gives_the_time_all_records_of_a_batch_have_it():
    assert written(_batch({0: 100, 1: 900, 2: 300}, attributes=0x08), 0) == RecordTime(900, None)


def test_markers_of_transactions_are_no_records():
    octets = _batch({0: 100}) + _batch({1: 200}, base=1, attributes=0x20) + _batch({2: 300}, base=2)

    assert written(octets, 1) == RecordTime(300, None)
    assert written(octets[: 2 * len(octets) // 3], 1) == RecordTime(None, 2)


def test_a_batch_that_is_cut_off_is_asked_for_again_from_its_beginning():
    one = _batch({0: 100, 1: 200})

    assert written(one[:-1], 1) == RecordTime(None, 1) == written(b"", 1)
    assert written(one + _batch({2: 300}, base=2)[:-1], 2) == RecordTime(None, 2)


@pytest.mark.parametrize(
    "octets",
    [
        _batch({0: 100})[:16] + b"\1" + _batch({0: 100})[17:],
        _batch({0: -1}),
        _compressed(_batch({0: 100}), 7, b"abc"),
        _compressed(_batch({0: 100}), 4, b"no zstd at all"),
        _compressed(_batch({0: 100}), 2, b"\xff\xff\xff\xff\x7f"),
    ],
    ids=[
        "older format",
        "no timestamp",
        "unknown compression",
        "broken compression",
        "a block that grows beyond all bounds",
    ],
)
def test_what_cannot_be_read_is_unreadable(octets):
    assert written(octets, 0) == UNREADABLE


def _blocks(raw: bytes):
    for start in range(0, len(raw), 10):
        block = pa.compress(raw[start : start + 10], codec="snappy", asbytes=True)
        yield struct.pack(">i", len(block)) + block
