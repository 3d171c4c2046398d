"""User data of the sticky assignors, layout by layout."""

import struct
from types import SimpleNamespace

import pytest
from evenkeel_assignors.user_data import MemberReport, encode
from hypothesis import given
from hypothesis import strategies as st
from kafka.coordinator.assignors.sticky.user_data import StickyAssignorUserData
from kafka.protocol.consumer.metadata import ConsumerProtocolSubscription

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.reading.described import package_facts
from evenkeel.data.live.wire.consumer_protocol import (
    StickyMemory,
    cooperative_generation,
    ours,
    sticky,
    subscription,
)

_PARTITIONS = "000000010001" + b"t".hex() + "000000020000000000000002"


def test_javas_layout_is_an_array_and_the_generation():
    assert sticky(bytes.fromhex(_PARTITIONS + "00000009")) == StickyMemory({"t": [0, 2]}, 9)


def test_javas_first_layout_has_no_generation():
    assert sticky(bytes.fromhex(_PARTITIONS)) == StickyMemory({"t": [0, 2]}, None)


def test_the_generation_of_aiokafka_is_minus_one():
    assert sticky(bytes.fromhex(_PARTITIONS + "ffffffff")) == StickyMemory({"t": [0, 2]}, -1)


def test_kafka_python_puts_a_version_before_the_array():
    assert sticky(StickyAssignorUserData([("t", [0, 2])], 4).encode(version=1)) == StickyMemory(
        {"t": [0, 2]}, 4
    )


@pytest.mark.parametrize("data", [b"", b"\0", b"garbage of any kind", b"\x7f" * 10_000])
def test_no_known_layout_is_refused(data):
    with pytest.raises(
        SnapshotError, match=f"sticky user data: {len(data)} bytes in no known layout"
    ):
        sticky(data)


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=5),
        st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=3),
        min_size=1,
        max_size=3,
    ),
    st.integers(-1, 2**31 - 1),
)
def test_what_a_member_writes_is_read_back(owned, generation):
    array = struct.pack(">i", len(owned)) + b"".join(
        _topic(name.encode(), numbers) for name, numbers in owned.items()
    )
    last = struct.pack(">i", generation)

    assert sticky(array + last) == StickyMemory(owned, generation)
    assert sticky(array) == StickyMemory(owned, None)
    assert sticky(
        StickyAssignorUserData(list(owned.items()), generation).encode(version=1)
    ) == StickyMemory(owned, generation)
    assert cooperative_generation(last) == generation


def _topic(name, numbers):
    return (
        struct.pack(">h", len(name))
        + name
        + struct.pack(f">i{len(numbers)}i", len(numbers), *numbers)
    )


@given(st.binary(max_size=64))
def test_any_bytes_are_decoded_or_refused(data):
    for decode in (sticky, cooperative_generation):
        try:
            decode(data)
        except SnapshotError:
            continue


def test_a_cooperative_generation_is_four_bytes():
    assert cooperative_generation(b"\0\0\1\0") == 256
    with pytest.raises(
        SnapshotError, match="cooperative-sticky user data: 1 bytes left over at byte 4 of 5"
    ):
        cooperative_generation(b"\0\0\0\7x")


@given(
    st.dictionaries(
        st.text(), st.lists(st.integers(0, 2**31 - 1), unique=True).map(sorted), max_size=3
    ),
    st.integers(-1, 2**31 - 1),
    st.none() | st.text(),
    st.lists(st.text(), max_size=2),
    st.none() | st.text(),
)
def test_what_members_with_evenkeel_s_package_send_is_read_as_they_mean_it(
    owned, generation, reset, kept, why
):
    told = ours(encode(MemberReport(owned, generation, reset, tuple(kept), why)))

    assert (
        told.owned,
        told.generation,
        told.auto_offset_reset,
        told.last.kept_topics,
        told.last.why,
    ) == (
        owned,
        generation,
        reset,
        kept,
        why,
    )


def test_of_a_member_that_tells_much_a_line_says_20_topics_and_200_characters():
    told = encode(
        MemberReport({}, 1, None, tuple(f"t{number:03d}" for number in range(300)), "x" * 9_000)
    )
    sent = ConsumerProtocolSubscription(["t"], told, []).encode(version=0)

    _, (line,) = package_facts([SimpleNamespace(member_id="a")], [subscription(sent)])

    named = ", ".join(f"t{number:03d}" for number in range(20))
    assert (
        line
        == f"a: as leader it kept the owners of {named}, and 280 more, because lags were unknown:"
        f" {'x' * 200}"
    )


@pytest.mark.parametrize(
    "data",
    [
        None,
        b"",
        b"{}",
        b"[" * 100_000,
        b'{"evenkeel":2}',
        b'{"evenkeel":1,"owned":{"t":[-1]}}',
        bytes.fromhex(_PARTITIONS),
    ],
)
def test_user_data_of_another_assignor_are_not_ours(data):
    assert ours(data) is None


@given(st.binary(max_size=64))
def test_any_bytes_are_ours_or_not(data):
    ours(data)
    ours(b'{"evenkeel":1,' + data)
