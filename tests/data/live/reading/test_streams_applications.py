"""Applications whose bytes or topology cannot be read: the group stays, and a line says why."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from kafka.protocol.consumer.metadata import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document.application import StreamsConsumer
from evenkeel.data.live.reading.applications import broker_application, is_application
from evenkeel.data.live.reading.threads import OneThread, one_thread, processes_of, thread_of
from evenkeel.data.live.reading.topics import LiveTopic
from evenkeel.data.live.reading.topology import SourcePartition, topology_of

_NOW = datetime(2026, 11, 20, tzinfo=UTC)
_PROCESS = "6ba7b8109dad11d180b400c04fd430c8"
_SENT = bytes.fromhex(
    f"0000000b0000000b{_PROCESS}00000000000000000000000000 00000000".replace(" ", "")
)
_GIVEN = (
    "0000000b0000000b00000001000000000000000300000000000000000000000000000000000000000000000"
    "{}7fffffffffffffff"
)


def member(given: bytes, partitions: list[int], sent: bytes = _SENT) -> SimpleNamespace:
    """Return a member of a DescribeGroups answer that reads partitions of `orders`."""
    return SimpleNamespace(
        member_id="wc-1-x",
        client_id="wc-1-StreamThread-1-consumer",
        client_host="/127.0.0.1",
        member_metadata=ConsumerProtocolSubscription(
            topics=["orders"],
            user_data=sent,
            owned_partitions=[],
            generation_id=1,
            rack_id="a",
            version=3,
        ).encode(),
        member_assignment=ConsumerProtocolAssignment(
            assigned_partitions=[("orders", partitions)], user_data=given, version=3
        ).encode(),
    )


def test_a_partition_is_an_input_of_the_task_at_its_place():
    thread = thread_of(member(bytes.fromhex(_GIVEN.format(0)), [3]))

    assert thread.inputs == {"0_3": [("orders", 3)]}
    (process,) = processes_of([one_thread(thread, StreamsConsumer("wc-1-x"))])
    assert (process.process_id, process.client_id, process.rack) == (
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "wc-1",
        "a",
    )


def test_a_consumer_keeps_its_place_in_the_coordinators_list():
    listed = [(1, "a"), (2, "b"), (1, "c")]

    processes = processes_of(
        OneThread(f"{process:08d}", StreamsConsumer(member), *[None] * 4)
        for process, member in listed
    )

    assert [
        [(each.member_id, each.order) for each in process.consumers] for process in processes
    ] == [[("a", 0), ("c", 2)], [("b", 1)]]


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (
            member(bytes.fromhex(_GIVEN.format(0)), [3, 4]),
            (
                "wc-1-x: AssignmentInfo: 1 active tasks for 2 assigned partitions, expected one for"
                " each"
            ),
        ),
        (
            member(bytes.fromhex(_GIVEN.format(1)), [3]),
            "wc-1-x: the leader assigned nothing: INCOMPLETE_SOURCE_TOPIC_METADATA",
        ),
        (
            member(bytes.fromhex(_GIVEN.format(9)), [3]),
            "wc-1-x: the leader assigned nothing: error 9",
        ),
        (member(b"", [3]), "wc-1-x: AssignmentInfo: ends too early at byte 0 of 0"),
        (
            member(bytes.fromhex(_GIVEN.format(0)), [3], b"\0\0\0\x0c"),
            "wc-1-x: SubscriptionInfo: version 12, expected 1 to 11, at byte 4 of 4",
        ),
    ],
)
def test_bytes_that_are_not_those_of_kafka_streams_are_refused_with_the_member(one, message):
    with pytest.raises(SnapshotError) as refused:
        thread_of(one)

    assert str(refused.value) == message


def test_a_group_is_an_application_by_its_protocol_or_type_once_it_has_members_and_is_stable():
    def classic(**more):
        return SimpleNamespace(
            **({"protocol_data": "stream", "group_state": "Stable", "members": [1]} | more)
        )

    assert is_application(classic())
    assert is_application(SimpleNamespace(topology=None, members=[1]))
    assert not is_application(classic(protocol_data="range"))
    assert not is_application(classic(group_state="PreparingRebalance"))
    assert not is_application(classic(members=[]))
    assert not is_application(SimpleNamespace(group_state="Stable", members=[1]))


def test_a_topology_has_a_task_for_each_partition_of_its_largest_topic_read_or_not():
    seen = {
        "orders": LiveTopic("", [[None]] * 4, [1] * 4),
        "prices": LiveTopic("", [[None]] * 2, [1] * 2),
    }

    (one,) = topology_of(
        [SourcePartition("0_1", "orders", 1), SourcePartition("0_0", "prices", 0)], seen
    ).values()

    assert one.task_count == 4
    assert [one.inputs(partition, seen) for partition in (1, 3)] == [
        {"orders": [1], "prices": [1]},
        {"orders": [3]},
    ]


def test_a_topic_that_cannot_be_seen_ends_with_the_last_task_that_read_it():
    (one,) = topology_of([SourcePartition("0_5", "orders", 5)], {}).values()

    assert (one.task_count, one.inputs(2, {})) == (6, {"orders": [2]})


@pytest.mark.parametrize(
    ("topology", "message"),
    [
        (None, "the group has no topology yet"),
        (
            SimpleNamespace(
                subtopologies=[
                    SimpleNamespace(
                        subtopology_id="one",
                        source_topics=["t"],
                        repartition_source_topics=[],
                        state_changelog_topics=[],
                    )
                ]
            ),
            'subtopology "one", expected a number',
        ),
    ],
)
def test_a_streams_group_without_numbered_subtopologies_is_refused(topology, message):
    with pytest.raises(SnapshotError) as refused:
        broker_application("app", SimpleNamespace(topology=topology, members=[]), {}, {}, _NOW)

    assert str(refused.value) == message
