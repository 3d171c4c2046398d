"""Ages of records on a real broker: by their own timestamps, without a group."""

import time

import pytest
from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups
from evenkeel.data.live.reading.tables import parsed_groups
from evenkeel.data.live.wire import raw_records
from tests.brokers.commits import commit
from tests.brokers.connecting import connected
from tests.brokers.topics import create_topics

_TOPIC, _APPENDED, _MARKED = "aged", "appended", "marked"
_GROUP = "ages"
_SLACK = 30.0
"""Seconds that a busy machine may take from producing to reading."""


@pytest.fixture(scope="module")
def began(broker):
    """When the records were written. The record n of a partition says that it was written 1,000 - n
    seconds before.

    aged-0: offsets 0 to 99, those before 40 deleted. aged-1: one record of 1 MB, then more. aged-2:
    empty. aged-3: 5 and 600 seconds in the future. appended-0: the broker gives the time. marked-0:
    a record, the marker of its transaction, a record.
    """
    plain = {"bootstrap.servers": broker.bootstrap(), "log_level": 0, "linger.ms": 50}
    admin, producer, began = (
        AdminClient(plain),
        Producer(plain | {"enable.idempotence": True}),
        time.time(),
    )
    topics = [
        NewTopic(_TOPIC, 4, 1),
        NewTopic(_APPENDED, 1, 1, config={"message.timestamp.type": "LogAppendTime"}),
        NewTopic(_MARKED, 1, 1),
    ]
    create_topics(admin, topics)

    def write(topic, partition, age, size=20, by=producer):
        by.produce(topic, b"x" * size, partition=partition, timestamp=int((began - age) * 1000))

    for number in range(100):
        write(_TOPIC, 0, 1000 - number)
    for number in range(3):
        write(_TOPIC, 1, 1000 - number, 900_000 if number == 0 else 20)
        write(_APPENDED, 0, 1000)
    producer.flush()
    for age in (-5, -600):
        write(_TOPIC, 3, age)
        producer.flush()
    writer = Producer(plain | {"transactional.id": "marked"})
    writer.init_transactions()
    for age in (800, 700):
        writer.begin_transaction()
        write(_MARKED, 0, age, by=writer)
        writer.commit_transaction()
    for done in admin.delete_records([TopicPartition(_TOPIC, 0, 40)]).values():
        done.result()
    # A broker that has just started answers for groups only after a while.
    commit(admin, _GROUP, {(_TOPIC, 0): 0})
    yield began
    # Other tests of this broker look at the group that is furthest behind.
    for done in admin.delete_consumer_groups([_GROUP]).values():
        done.result()


@pytest.fixture
def read(broker, began):
    """A function of commits by place -> ages by place, as seconds before the records were
    written.
    """
    admin = AdminClient({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
    connection = Connection(
        Profile("local", {"bootstrap.servers": broker.bootstrap(), "record_timestamps": True})
    )

    def ages(offsets, seconds=20.0):
        commit(admin, _GROUP, offsets)
        (found,) = live_groups(connection, chosen_groups(connection, [_GROUP]), age_seconds=seconds)
        return {place: age for place, age in found.ages.items() if place in offsets}

    yield ages
    connection.close()


def _since(began, age):
    """An age that was so many seconds when the records were written."""
    return pytest.approx(age + time.time() - began, abs=_SLACK)


@pytest.mark.parametrize(
    ("place", "offset", "age"),
    [
        ((_TOPIC, 0), 70, 930),
        ((_TOPIC, 0), 10, 960),
        ((_TOPIC, 1), 0, 1000),
        ((_TOPIC, 1), 2, 998),
        ((_APPENDED, 0), 1, 0),
        ((_MARKED, 0), 1, 700),
    ],
    ids=[
        "a record",
        "deleted, the first that is left",
        "a batch of its own",
        "behind a large one",
        "the broker's time",
        "a marker, the next",
    ],
)
def test_the_age_is_that_of_the_next_record_that_the_group_reads(read, began, place, offset, age):
    assert read({place: offset}) == {place: _since(began, age)}


def test_nothing_is_read_where_nothing_is_behind_or_only_a_marker_is(read):
    assert read({(_TOPIC, 0): 100, (_TOPIC, 2): 0, (_MARKED, 0): 3}) == {}


def test_a_record_of_the_near_future_counts_as_just_written_and_one_far_ahead_is_not_believed(read):
    assert read({(_TOPIC, 3): 0}) == {(_TOPIC, 3): pytest.approx(0, abs=_SLACK)}
    assert read({(_TOPIC, 3): 1}) == {}


def test_several_partitions_are_read_together_and_stored_beside_their_offsets(broker, read, began):
    assert read({(_TOPIC, 0): 70, (_TOPIC, 1): 0, (_APPENDED, 0): 0}).keys() == {
        (_TOPIC, 0),
        (_TOPIC, 1),
        (_APPENDED, 0),
    }

    connection = Connection(
        Profile("local", {"bootstrap.servers": broker.bootstrap(), "record_timestamps": True})
    )
    groups = live_groups(connection, chosen_groups(connection, [_GROUP]), age_seconds=20.0)
    connection.close()
    offsets = parsed_groups("local", list(enumerate(groups, 1))).offsets.to_pylist()
    stored = {(row["topic"], row["partition"]): row["lag_seconds"] for row in offsets}

    assert stored[_TOPIC, 0] == _since(began, 930)
    assert stored[_TOPIC, 1] == _since(began, 1000)
    assert stored[_TOPIC, 2] is None


def test_what_does_not_come_in_time_is_left_out_and_no_other_figure_waits(read, monkeypatch):
    monkeypatch.setattr(raw_records, "monotonic", iter([0.0, 0.0, 9.0]).__next__)

    assert read({(_TOPIC, 0): 70}, seconds=5.0) == {}


def test_no_record_is_read_unless_the_configuration_says_so(broker, began):
    connection = connected(broker, "local")
    (found,) = live_groups(connection, chosen_groups(connection, [_GROUP]), age_seconds=20.0)
    connection.close()

    assert (found.ages, found.unread, connection._records) == ({}, None, None)
