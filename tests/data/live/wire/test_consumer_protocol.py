"""Bytes as Kafka's clients write them: the vectors follow the message definitions of Kafka's
protocol.
"""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka.protocol.consumer.metadata import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.consumer_protocol import Subscription, assignment, subscription

_JAVA = bytes.fromhex(
    "0003000000010006"
    + b"orders".hex()
    + "ffffffff000000010006"
    + b"orders".hex()
    + "00000002000000000000000700000005000161"
)


def test_version_3_of_a_java_client_is_read_whole():
    assert subscription(_JAVA) == Subscription(3, ["orders"], None, {"orders": [0, 7]}, 5, "a")


@pytest.mark.parametrize(
    ("version", "owned", "generation", "rack"),
    [
        (0, None, None, None),
        (1, {"t": [1]}, None, None),
        (2, {"t": [1]}, 7, None),
        (3, {"t": [1]}, 7, "r"),
    ],
)
def test_an_older_version_leaves_out_what_it_does_not_have(version, owned, generation, rack):
    sent = ConsumerProtocolSubscription(
        topics=["t"],
        user_data=b"u",
        owned_partitions=[("t", [1])],
        generation_id=7,
        rack_id="r",
        version=version,
    ).encode()

    assert subscription(sent) == Subscription(version, ["t"], b"u", owned, generation, rack)


def test_the_empty_rack_of_librdkafka_is_kept():
    assert subscription(_JAVA[:-3] + b"\0\0").rack == ""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "member metadata: ends too early at byte 0 of 0"),
        (b"\0\4", "member metadata: version 4, expected 0 to 3, at byte 2 of 2"),
        (
            b"\0\0\x7f\xff\xff\xff",
            "member metadata: an array of 2147483647 items in 0 bytes at byte 6 of 6",
        ),
        (_JAVA + b"x", "member metadata: 1 bytes left over at byte 49 of 50"),
        (
            b"\0\0\0\0\0\1\0\1\xff\xff\xff\xff\xff",
            "member metadata: a string that is not UTF-8 at byte 9 of 13",
        ),
    ],
)
def test_what_is_not_a_subscription_is_refused_with_its_place(data, message):
    with pytest.raises(SnapshotError) as refused:
        subscription(data)

    assert str(refused.value) == message


NUMBERS = st.integers(0, 2**31 - 1)
OWNED = st.dictionaries(
    st.text(max_size=5), st.lists(NUMBERS, max_size=3, unique=True).map(sorted), max_size=3
)


@given(
    st.integers(0, 3),
    st.lists(st.text(max_size=5), max_size=3),
    st.none() | st.binary(max_size=9),
    OWNED,
    NUMBERS,
    st.none() | st.text(),
)
def test_what_a_client_writes_is_read_back(version, topics, user_data, owned, generation, rack):
    written = ConsumerProtocolSubscription(
        topics=topics,
        user_data=user_data,
        owned_partitions=list(owned.items()),
        generation_id=generation,
        rack_id=rack,
        version=version,
    )
    of_version = [owned, generation, rack][:version] + [None] * (3 - version)

    assert subscription(written.encode()) == Subscription(version, topics, user_data, *of_version)
    assert (
        assignment(
            ConsumerProtocolAssignment(
                assigned_partitions=list(owned.items()), user_data=user_data, version=3
            ).encode()
        )
        == owned
    )


@given(st.binary(max_size=200))
def test_any_bytes_are_decoded_or_refused(data):
    for decode in (subscription, assignment):
        try:
            decode(data)
        except SnapshotError:
            continue


def test_ten_megabytes_of_garbage_are_refused():
    with pytest.raises(SnapshotError, match="an array of 2139062143 items"):
        subscription(struct.pack(">h", 3) + b"\x7f" * 10_000_000)


def test_an_assignment_is_read_in_ascending_order_and_no_bytes_are_nothing():
    sent = ConsumerProtocolAssignment(
        assigned_partitions=[("t", [3, 1]), ("a", [0])], user_data=None, version=3
    ).encode()

    assert assignment(sent) == {"a": [0], "t": [1, 3]}
    assert assignment(b"") == {}


def test_version_1_may_end_behind_the_user_data_as_kafka_go_sends_it():
    sent = b"\0\1" + b"\0\0\0\1" + b"\0\1t" + b"\xff\xff\xff\xff"

    assert subscription(sent) == Subscription(1, ["t"], None)
