"""Lags of a live cluster where offsets are not plain: deleted records, no commit, records and
commits of an open transaction.
"""

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups, group_list
from tests.brokers.commits import commit
from tests.brokers.topics import create_topics
from tests.waiting import until


@pytest.fixture(scope="module")
def cluster(broker):
    """An admin client, and the topic cut: 10 records in each of 2 partitions, those before 7
    deleted in the first.
    """
    plain = {"bootstrap.servers": broker.bootstrap(), "log_level": 0}
    admin, producer = AdminClient(plain), Producer(plain)
    create_topics(admin, [NewTopic("cut", 2, 1), NewTopic("open", 1, 1)])
    for number in range(20):
        producer.produce("cut", b"record", partition=number % 2)
    producer.flush()
    for done in admin.delete_records([TopicPartition("cut", 0, 7)]).values():
        done.result()
    return admin


@pytest.fixture
def connected(broker):
    """A function of settings -> connection; it is closed in the end."""
    opened = []

    def open_one(**settings):
        opened.append(
            Connection(
                Profile(
                    "local",
                    {"bootstrap.servers": broker.bootstrap()}
                    | {name.replace("_", "."): value for name, value in settings.items()},
                )
            )
        )
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def _lag(connection, group_id):
    return next(
        (row["lag"], row["unknown_lag_count"])
        for row in group_list(connection).to_pylist()
        if row["group_id"] == group_id
    )


def _partitions(connection, group_id):
    (one,) = live_groups(connection, chosen_groups(connection, [group_id]))
    return [
        (part.begin_offset, part.end_offset, part.committed_offset)
        for topic in one.document.topics
        for part in topic.partitions
    ]


def _problems(connection, group_id):
    return live_groups(connection, chosen_groups(connection, [group_id]))[0].problems


def test_records_deleted_after_the_commit_are_no_lag_and_a_partition_without_commit_has_none_known(
    cluster, connected
):
    commit(cluster, "behind", {("cut", 0): 4})
    connection = connected()

    assert _lag(connection, "behind") == (3, 0)
    assert _partitions(connection, "behind") == [(7, 10, 4), (0, 10, None)]


def test_records_of_an_open_transaction_count_unless_the_cluster_is_read_committed(
    cluster, broker, connected
):
    writer = Producer(
        {"bootstrap.servers": broker.bootstrap(), "transactional.id": "open", "log_level": 0}
    )
    writer.init_transactions()
    writer.begin_transaction()
    for _ in range(5):
        writer.produce("open", b"record")
    writer.flush()
    commit(cluster, "transactional", {("open", 0): 0})

    uncommitted, committed = connected(), connected(isolation_level="read_committed")

    assert (_lag(uncommitted, "transactional"), _lag(committed, "transactional")) == (
        (5, 0),
        (0, 0),
    )
    assert (_partitions(uncommitted, "transactional"), _partitions(committed, "transactional")) == (
        [(0, 5, 0)],
        [(0, 0, 0)],
    )
    writer.abort_transaction()


def test_a_commit_that_an_open_transaction_will_replace_counts_unless_require_stable_is_set(
    cluster, broker, connected
):
    plain = {"bootstrap.servers": broker.bootstrap(), "log_level": 0}
    commit(cluster, "half-done", {("cut", 0): 8, ("cut", 1): 2})
    writer, reader = (
        Producer(plain | {"transactional.id": "half-done"}),
        Consumer(plain | {"group.id": "half-done"}),
    )
    writer.init_transactions()
    writer.begin_transaction()
    writer.send_offsets_to_transaction(
        [TopicPartition("cut", 0, 9)], reader.consumer_group_metadata()
    )

    as_it_was, stable = connected(), connected(require_stable="true")

    assert (_lag(as_it_was, "half-done"), _lag(stable, "half-done")) == ((2 + 8, 0), (8, 1))
    assert (_partitions(as_it_was, "half-done"), _partitions(stable, "half-done")) == (
        [(7, 10, 8), (0, 10, 2)],
        [(None, None, None), (0, 10, 2)],
    )
    assert _problems(stable, "half-done") == [
        "cut-0: UNSTABLE_OFFSET_COMMIT: an open transaction is about to replace the commit"
    ]

    writer.commit_transaction()
    reader.close()
    assert until(lambda: not _problems(stable, "half-done"), seconds=240)
    assert _lag(stable, "half-done") == (1 + 8, 0)
