"""What a missing right hides of share groups: members (ShareGroupDescribe) and lags
(DescribeShareGroupOffsets).

One line names the right; what is unknown is never a 0.
"""

import json
import time

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import ResourceType

from evenkeel.data.live.reading.group_list import group_list
from tests.brokers.broker import Brokers
from tests.brokers.connecting import connected
from tests.brokers.java_consumers import JavaConsumers
from tests.brokers.topics import create_topic
from tests.data.live.access.rights import (
    CLUSTER,
    GROUPS,
    NO_GROUP,
    NO_TOPIC,
    ORDERS,
    TOPICS,
    commands_of_user,
    lags,
    partitions,
)
from tests.data.live.histories import QUICK_HEARTBEATS

_SHARED = (ResourceType.GROUP, "shared")
_NO_START = (
    "no start offset is visible: none is set, or the right DESCRIBE on its topics is missing"
)
_LIMIT_SECONDS = 240


@pytest.fixture(scope="module")
def guarded():
    """A broker that checks rights, with the topics orders and hidden of one partition.

    The share group sharing has one member and has read all. The share group shared has no members
    and has left 5 records in each topic.
    """
    with (
        Brokers(with_acls=True, settings=QUICK_HEARTBEATS) as broker,
        JavaConsumers(broker.bootstrap()) as consumers,
    ):
        connection = connected(broker, "local")
        for topic in ("orders", "hidden"):
            create_topic(connection.admin, topic, 1)
        for group_id in ("sharing", "shared"):
            consumers.start(group_id, "orders,hidden", group_id=group_id, share="yes")
        # They start at the end, and the coordinator knows where that is when a record has been
        # read.
        _until(
            connection,
            lambda found: len(found) == 2 and None not in found.values(),
            lambda: _produce(broker, 1),
        )
        _until(connection, lambda found: found == {"sharing": 0, "shared": 0})
        consumers.stop("shared")
        _produce(broker, 5)
        _until(connection, lambda found: found == {"sharing": 0, "shared": 10})
        connection.close()
        yield broker


@pytest.fixture
def seen(guarded, tmp_path, monkeypatch, capsys):
    """A function (right, ...) -> what `evenkeel groups` and `evenkeel snapshot` do for user
    evenkeel who has these alone.
    """
    return commands_of_user(guarded, tmp_path, monkeypatch, capsys)


def test_describe_on_cluster_groups_and_topics_shows_lags_and_members(seen):
    (code, groups, complaints), (_, documents, more) = seen(CLUSTER, GROUPS, TOPICS)

    assert (code, complaints, more) == (0, [], [])
    assert lags(groups) == {"sharing": (0, 0, None), "shared": (10, 0, None)}
    assert _member_counts(groups) == {"sharing": 1, "shared": 0}
    assert partitions(documents, "lag") == {
        "sharing": {"hidden": [(0,)], "orders": [(0,)]},
        "shared": {"hidden": [(5,)], "orders": [(5,)]},
    }
    assert _members(documents) == {
        "sharing": [(["hidden", "orders"], {"hidden": [0], "orders": [0]})],
        "shared": [],
    }


def test_without_the_right_on_topics_neither_members_nor_a_lag_are_known_and_each_group_says_why(
    seen,
):
    (code, groups, _), (_, documents, complaints) = seen(CLUSTER, GROUPS)

    assert code == 0
    assert lags(groups) == {"sharing": (None, None, NO_TOPIC), "shared": (None, None, _NO_START)}
    assert _member_counts(groups) == {"sharing": None, "shared": 0}
    assert partitions(documents) == {"shared": {}}
    assert sorted(complaints) == [
        f"evenkeel: shared: {_NO_START}",
        f"evenkeel: sharing: {NO_TOPIC}",
    ]


def test_a_hidden_topic_hides_members_and_its_lag_and_is_missing_from_a_group_without_members(
    seen,
):
    (code, groups, _), (_, documents, complaints) = seen(CLUSTER, GROUPS, ORDERS)

    assert code == 0
    assert lags(groups) == {"sharing": (0, 0, NO_TOPIC), "shared": (5, 0, None)}
    assert _member_counts(groups) == {"sharing": None, "shared": 0}
    assert partitions(documents, "lag") == {"shared": {"orders": [(5,)]}}
    assert complaints == [f"evenkeel: sharing: {NO_TOPIC}"]


def test_without_the_right_on_one_group_it_is_listed_with_that_reason_and_the_other_as_ever(seen):
    (code, groups, _), (_, documents, complaints) = seen(CLUSTER, _SHARED, TOPICS)

    assert code == 0
    assert lags(groups) == {"sharing": (None, None, NO_GROUP), "shared": (10, 0, None)}
    assert _member_counts(groups) == {"sharing": None, "shared": 0}
    assert partitions(documents, "lag") == {"shared": {"hidden": [(5,)], "orders": [(5,)]}}
    assert complaints == [f"evenkeel: sharing: {NO_GROUP}"]


def _member_counts(lines):
    return {row["group_id"]: row["member_count"] for row in map(json.loads, lines)}


def _members(documents):
    return {
        one["group_id"]: [
            (member["subscribed"], member["owned"]) for member in one.get("members", ())
        ]
        for one in map(json.loads, documents)
    }


def _until(connection, holds, act=lambda: None):
    """Wait until this holds of the lags by group, null where not both partitions' are known."""
    deadline, found = time.monotonic() + _LIMIT_SECONDS, {}
    while not holds(found):
        assert time.monotonic() < deadline, f"{found} after {_LIMIT_SECONDS} s"
        act()
        time.sleep(0.5)
        rows = group_list(connection).to_pylist()
        found = {
            row["group_id"]: row["lag"]
            if (row["partition_count"], row["unknown_lag_count"]) == (2, 0)
            else None
            for row in rows
        }


def _produce(broker, count):
    producer = Producer({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
    for number in range(2 * count):
        producer.produce(("orders", "hidden")[number % 2], b"record", partition=0)
    producer.flush()
