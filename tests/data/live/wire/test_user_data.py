"""User data of the sticky assignors, layout by layout."""

import pytest
from hypothesis import given, strategies as st
from kafka.coordinator.assignors.sticky.user_data import StickyAssignorUserData

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.consumer_protocol import Remembered, cooperative_generation, sticky

_PARTITIONS = "000000010001" + b"t".hex() + "000000020000000000000002"


def test_javas_layout_is_an_array_and_the_generation():
    assert sticky(bytes.fromhex(_PARTITIONS + "00000009")) == Remembered({"t": [0, 2]}, 9)


def test_javas_first_layout_has_no_generation():
    assert sticky(bytes.fromhex(_PARTITIONS)) == Remembered({"t": [0, 2]}, None)


def test_the_generation_of_aiokafka_is_minus_one():
    assert sticky(bytes.fromhex(_PARTITIONS + "ffffffff")) == Remembered({"t": [0, 2]}, -1)


def test_kafka_python_puts_a_version_before_the_array():
    assert sticky(StickyAssignorUserData([("t", [0, 2])], 4).encode(version=1)) == Remembered({"t": [0, 2]}, 4)


@pytest.mark.parametrize("data", [b"", b"\0", b"garbage of any kind", b"\x7f" * 10_000])
def test_no_known_layout_is_refused(data):
    with pytest.raises(SnapshotError, match=f"sticky user data: {len(data)} bytes in no known layout"):
        sticky(data)


@given(st.binary(max_size=64))
def test_any_bytes_are_decoded_or_refused(data):
    for decode in (sticky, cooperative_generation):
        try:
            decode(data)
        except SnapshotError:
            continue


def test_a_cooperative_generation_is_four_bytes():
    assert cooperative_generation(b"\0\0\1\0") == 256
    with pytest.raises(SnapshotError, match="cooperative-sticky user data: 1 bytes left over at byte 4 of 5"):
        cooperative_generation(b"\0\0\0\7x")
