"""Groups that change, or that write what cannot be read, while they are read: one line each, and
the others as before.
"""

import os

import pytest
from confluent_kafka.admin import NewTopic
from kafka import KafkaConsumer
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.protocol.consumer.metadata import ConsumerProtocolSubscription

from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups, group_list
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.connecting import connected
from tests.brokers.topics import create_topics
from tests.waiting import until

_GARBAGE_BYTES = 10 * 2**20


class _Garbage(RangePartitionAssignor):
    name = "sticky"

    def metadata(self, topics):
        return ConsumerProtocolSubscription(0, list(topics), os.urandom(_GARBAGE_BYTES))


@pytest.fixture(scope="module")
def connection():
    """A broker that waits 5 s before the first rebalance of a group and keeps large messages; the
    topics stays and goes.
    """
    with Brokers(
        settings={
            "group.initial.rebalance.delay.ms": "5000",
            "message.max.bytes": str(4 * _GARBAGE_BYTES),
        }
    ) as broker:
        connection = connected(broker, "local")
        create_topics(connection.admin, [NewTopic("stays", 1, 1), NewTopic("goes", 1, 1)])
        for group_id in ("both", "short-lived"):
            commit(connection.admin, group_id, {("goes", 0): 0, ("stays", 0): 0})
        yield connection
        connection.close()


@pytest.fixture
def member(connection):
    """A function (group, settings) -> a consumer of kafka-python that has asked to join; it leaves
    in the end.
    """
    joined = []

    def join(group_id, **settings):
        consumer = KafkaConsumer(
            "stays",
            bootstrap_servers=connection.profile.settings["bootstrap.servers"],
            group_id=group_id,
            **settings,
        )
        joined.append(consumer)
        consumer.poll(1000)
        return consumer

    yield join
    for one in joined:
        one.close(autocommit=False)


def _read(connection, group_id):
    (one,) = live_groups(connection, chosen_groups(connection, [group_id]))
    return one


def _row(connection, group_id):
    return next(row for row in group_list(connection).to_pylist() if row["group_id"] == group_id)


def test_a_group_that_is_deleted_after_it_was_listed_says_so_and_the_others_are_read(connection):
    listed = chosen_groups(connection, ["both", "short-lived"])
    connection.admin.delete_consumer_groups(["short-lived"])["short-lived"].result()

    kept, gone = live_groups(connection, listed)

    assert (gone.document, gone.problems) == (
        None,
        ["GROUP_ID_NOT_FOUND: this group no longer exists"],
    )
    assert (kept.problems, [topic.name for topic in kept.document.topics]) == (
        [],
        ["goes", "stays"],
    )


def test_an_empty_group_has_no_members_and_its_lag(connection):
    row, document = _row(connection, "both"), _read(connection, "both").document

    assert (row["state"], row["member_count"], row["lag"], row["problem"]) == ("Empty", 0, 0, None)
    assert (document.state, document.members) == ("Empty", [])


def test_a_group_in_a_rebalance_is_listed_as_such_and_its_subscriptions_are_assumed(
    connection, member
):
    member("rebalancing")

    one, row = _read(connection, "rebalancing"), _row(connection, "rebalancing")

    assert (row["state"], row["member_count"], row["lag"], row["problem"]) == (
        "PreparingRebalance",
        1,
        None,
        None,
    )
    assert one.problems == [
        "PreparingRebalance: subscriptions are unknown until the rebalance is over"
    ]
    assert one.document.assumed == ["members[*].subscribed"]


def test_ten_megabytes_of_user_data_in_no_known_layout_are_one_line_and_the_assignment_is_read(
    connection, member
):
    consumer = member("garbage", partition_assignment_strategy=[_Garbage])
    until(lambda: (consumer.poll(100), consumer.assignment())[1], pause=0)

    one, row = _read(connection, "garbage"), _row(connection, "garbage")

    (problem,) = one.problems
    assert problem.endswith(
        f": sticky user data: {_GARBAGE_BYTES} bytes in no known layout (Java's StickyAssignor,"
        " kafka-python's)"
    )
    assert [
        (found.subscribed, found.owned, found.joined_with) for found in one.document.members
    ] == [(["stays"], {"stays": [0]}, None)]
    assert (row["state"], row["member_count"], row["partition_count"], row["problem"]) == (
        "Stable",
        1,
        1,
        None,
    )


def test_a_topic_that_is_deleted_between_two_questions_is_one_line_and_its_lag_unknown(
    connection, monkeypatch
):
    describe = connection.raw.topics.described

    def describe_then_delete(names):
        described = describe(names)
        (leader,) = [one.partitions[0].leader_id for one in described[0] if one.name == "goes"]
        connection.admin.delete_topics(["goes"])["goes"].result()
        # The metadata forget a topic before its leader does.
        until(
            lambda: (
                connection.raw.topics.bounds({("goes", 0): leader}, reads_committed=False).refused
            ),
            pause=0,
        )
        return described

    monkeypatch.setattr(connection.raw.topics, "described", describe_then_delete)
    one = _read(connection, "both")

    assert one.problems == [
        "goes: UNKNOWN_TOPIC_OR_PARTITION: this topic or partition no longer exists"
    ]
    assert [(topic.name, topic.partitions[0].end_offset) for topic in one.document.topics] == [
        ("goes", None),
        ("stays", 0),
    ]
