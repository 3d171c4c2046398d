"""User data of Kafka Streams, written by the classes of Kafka 4.3.1;
`tests/judge/test_streams_bytes.py` asks them for every version.
"""

import struct
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.streams_user_data import (
    AssignmentInfo,
    SubscriptionInfo,
    assignment_info,
    subscription_info,
)

_PROCESS = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
_IN_HEXADECIMAL = _PROCESS.replace("-", "")
_SENT = bytes.fromhex(
    f"0000000b0000000b{_IN_HEXADECIMAL}00000003683a310000000200000001000000000000000000000384ffff"
    "0000000000000003fffffffffffffffeffff030000000000000001000000047a6f6e650000000178"
)
_SENT_6 = bytes.fromhex(
    f"000000060000000b{_IN_HEXADECIMAL}00000001000000000000000300000001000000010000000000000003683a31"
)
_GIVEN = bytes.fromhex(
    "0000000b0000000b0000000100000000000000030000000000000001000000010000000000000000000000010001740000000000000001000000000001740000"
    "000100016800001f900000000100000000000000010000000000000000000001a0c4506c00"
)


def test_version_11_has_the_process_the_sums_and_the_tags():
    assert subscription_info(_SENT) == SubscriptionInfo(
        11, _PROCESS, {"1_0": 900, "0_3": -2}, 0, {"zone": "x"}
    )


def test_before_version_7_a_running_task_has_minus_2_and_a_standby_minus_3():
    assert subscription_info(_SENT_6) == SubscriptionInfo(6, _PROCESS, {"1_0": -3, "0_3": -2})


def test_an_assignment_has_its_tasks_and_the_time_of_the_next_rebalance():
    assert assignment_info(_GIVEN) == AssignmentInfo(
        11, ["0_3"], {"1_0": [("t", 0)]}, 0, 1_790_000_000_000
    )


@pytest.mark.parametrize(
    ("decode", "data", "message"),
    [
        (
            subscription_info,
            b"\0\0\0\x0c",
            "SubscriptionInfo: version 12, expected 1 to 11, at byte 4 of 4",
        ),
        (
            assignment_info,
            b"\0\0\0\0",
            "AssignmentInfo: version 0, expected 1 to 11, at byte 4 of 4",
        ),
        (subscription_info, _SENT[:30], "SubscriptionInfo: a length of 3 at byte 28 of 30"),
        (subscription_info, _SENT + b"x", "SubscriptionInfo: 1 bytes left over at byte 93 of 94"),
        (
            subscription_info,
            _SENT.replace(b"\xfe\xff\xff", b"\xff\xff\xff"),
            "SubscriptionInfo: offset sum -1 at byte 69 of 93",
        ),
        (
            subscription_info,
            _SENT[:31] + b"\x7f\xff\xff\xff",
            "SubscriptionInfo: an array of 2147483647 items in 0 bytes at byte 35 of 35",
        ),
        (
            assignment_info,
            _GIVEN[:12] + b"\xff" * 4 + _GIVEN[16:],
            "AssignmentInfo: task -1_3 at byte 20 of 101",
        ),
        (
            assignment_info,
            _GIVEN[:23] + b"\1\0x" + _GIVEN[24:],
            'AssignmentInfo: named topology "x", expected none, at byte 26 of 103',
        ),
    ],
)
def test_what_is_not_user_data_of_kafka_streams_is_refused_with_its_place(decode, data, message):
    with pytest.raises(SnapshotError) as refused:
        decode(data)

    assert str(refused.value) == message


NUMBERS = st.integers(0, 2**31 - 1)
TASKS = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4, unique=True)


@given(
    st.integers(1, 11),
    st.uuids(),
    TASKS,
    st.integers(0, 2**63 - 1),
    st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2),
)
def test_what_a_thread_sends_is_read_back(version, process, tasks, offset_sum, tags):
    sent = subscription_info(_sent(version, process, tasks, offset_sum, tags))

    # Version 6 and earlier name tasks without sums: -2 means running.
    sums = {
        f"{subtopology}_{partition}": offset_sum if version >= 7 else -2
        for subtopology, partition in tasks
    }
    assert sent == SubscriptionInfo(
        version, str(process), sums, 7 if version >= 9 else 0, tags if version >= 11 else None
    )


@given(st.integers(1, 11), TASKS, st.text(max_size=4), st.integers(0, 2**63 - 1))
def test_what_a_leader_gives_is_read_back(version, tasks, topic, next_rebalance):
    given = assignment_info(_given(version, tasks, topic.encode(), next_rebalance))

    active = [f"{subtopology}_{partition}" for subtopology, partition in tasks]
    standby = {task: [(topic, 3)] for task in active}
    assert given == AssignmentInfo(
        version, active, standby, 7 if version >= 4 else 0, next_rebalance if version >= 7 else None
    )


def _array(parts):
    return struct.pack(">i", len(parts)) + b"".join(parts)


def _octets(text):
    return struct.pack(">i", len(text.encode())) + text.encode()


def _version(version):
    return struct.pack(">i", version) + (struct.pack(">i", 11) if version >= 3 else b"")


def _sent(version, process: UUID, tasks, offset_sum, tags):
    """Fields in the order of Kafka's `SubscriptionInfo.json`."""
    running = [struct.pack(">ii", *task) for task in tasks]
    if version >= 10:
        sums = _array([struct.pack(">iiqh", *task, offset_sum, -1) for task in tasks])
    else:
        sums = _array(
            [
                struct.pack(">iiiq", subtopology, 1, partition, offset_sum)
                for subtopology, partition in tasks
            ]
        )
    return b"".join(
        (
            _version(version),
            process.bytes,
            _array(running) + _array([]) if version < 7 else b"",
            _octets("host:1") if version >= 2 else b"",
            sums if version >= 7 else b"",
            b"\1" if version >= 8 else b"",
            struct.pack(">i", 7) if version >= 9 else b"",
            _array([_octets(key) + _octets(value) for key, value in tags.items()])
            if version >= 11
            else b"",
        )
    )


def _given(version, tasks, topic, next_rebalance):
    """Fields in the order of `AssignmentInfo.encode`; nobody serves interactive queries."""
    ids = [struct.pack(">ii", *task) + (_array([]) if version >= 10 else b"") for task in tasks]
    place = _array([struct.pack(">h", len(topic)) + topic + struct.pack(">i", 3)])
    hosts = 0 if version < 2 else 1 if version < 5 else 2 if version == 5 else 3
    return b"".join(
        (
            _version(version),
            _array(ids),
            _array([task + place for task in ids]),
            _array([]) * hosts,
            struct.pack(">i", 7) if version >= 4 else b"",
            struct.pack(">q", next_rebalance) if version >= 7 else b"",
        )
    )


@given(st.binary(max_size=200), st.integers(1, 11))
def test_any_bytes_are_decoded_or_refused(data, version):
    for decode in (subscription_info, assignment_info):
        try:
            decode(version.to_bytes(4) + data)
        except SnapshotError:
            continue
