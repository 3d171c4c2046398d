"""Lags of a share group, which commits nothing: its coordinator says where it starts, and from
Kafka 4.2 on how far it lags.
"""

import pytest
from confluent_kafka import Producer

from evenkeel.data.live.connection import NO_START_SAID
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups, group_list
from tests.brokers.connecting import connected
from tests.brokers.java_consumers import JavaConsumers
from tests.brokers.topics import create_topic
from tests.waiting import until

_API = 90


@pytest.fixture(scope="module")
def connection(broker):
    """A connection to a broker with the share group of-shares: without members, 5 records left in
    the only partition of of-shares.
    """
    opened = connected(broker, "local")
    create_topic(opened.admin, "of-shares", 1)
    with JavaConsumers(broker.bootstrap()) as consumers:
        consumers.start("sharer", "of-shares", group_id="of-shares", share="yes")
        # It starts at the end, and the coordinator knows where that is when a record has been read.
        _until(opened, 0, lambda: _produce(broker, 1))
        consumers.stop("sharer")
    _produce(broker, 5)
    _until(opened, 5, lambda: None)
    yield opened
    opened.close()


@pytest.fixture
def spoken(connection):
    """A function that makes the client take the broker for one that speaks these versions of the
    request, or does not know it.
    """
    known = connection.raw._manager.broker_version_data.api_versions
    all_versions = known[_API]

    def speak(*versions):
        del known[_API]
        if versions:
            known[_API] = versions

    yield speak
    known[_API] = all_versions


def test_the_lag_is_the_broker_s_in_the_list_and_in_the_document(connection):
    assert _row(connection) == (1, 1, 5, 5, 0, None)
    assert _partition(connection) == (5, None, None)


def test_a_broker_that_says_only_where_the_group_starts_gives_the_lag_up_to_the_end(
    connection, spoken
):
    spoken(0, 0)

    lag, start, end = _partition(connection)
    # What is read beyond the start counts here.
    assert (lag, start > 0, end - start >= 5) == (None, True, True)
    assert _row(connection) == (1, 1, end - start, end - start, 0, None)


def test_a_broker_that_does_not_know_the_question_leaves_the_lag_unknown(connection, spoken):
    spoken()

    (found,) = live_groups(connection, chosen_groups(connection, ["of-shares"]))

    assert _row(connection) == (None, None, None, None, None, NO_START_SAID)
    assert (found.problems, found.document.topics) == ([f"offsets: {NO_START_SAID}"], [])


def _row(connection):
    (row,) = [row for row in group_list(connection).to_pylist() if row["group_id"] == "of-shares"]
    return tuple(
        row[column]
        for column in (
            "topic_count",
            "partition_count",
            "lag",
            "max_lag",
            "unknown_lag_count",
            "problem",
        )
    )


def _partition(connection):
    (found,) = live_groups(connection, chosen_groups(connection, ["of-shares"]))
    assert found.problems == []
    (partition,) = found.document.topics[0].partitions
    return partition.lag, partition.committed_offset, partition.end_offset


def _produce(broker, count):
    producer = Producer({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
    for _ in range(count):
        producer.produce("of-shares", b"record", partition=0)
    producer.flush()


def _until(connection, lag, act):
    def is_so():
        rows = group_list(connection).to_pylist()
        return any(row["group_id"] == "of-shares" and row["lag"] == lag for row in rows) or act()

    assert until(is_so, pause=0.5)
