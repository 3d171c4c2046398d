"""Nothing is sent to Kafka but questions: the broker's own log of requests is the witness."""

import json
from datetime import UTC, datetime

import pytest
from confluent_kafka import ConsumerGroupTopicPartitions, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec

from evenkeel.data.live.connection import NO_START_VISIBLE, connected
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups, group_list
from evenkeel.data.live.reading.readiness import live_readiness
from evenkeel.data.pipeline.snapshots import planned
from tests.brokers.commits import commit
from tests.brokers.java_consumers import JavaConsumers
from tests.brokers.settings import USERS
from tests.brokers.topics import create_topic
from tests.waiting import until

_QUESTIONS = {
    "API_VERSIONS",
    "SASL_HANDSHAKE",
    "METADATA",
    "DESCRIBE_CLUSTER",
    "DESCRIBE_CONFIGS",
    "DESCRIBE_TOPIC_PARTITIONS",
    "LIST_GROUPS",
    "FIND_COORDINATOR",
    "DESCRIBE_GROUPS",
    "CONSUMER_GROUP_DESCRIBE",
    "SHARE_GROUP_DESCRIBE",
    "DESCRIBE_SHARE_GROUP_OFFSETS",
    "STREAMS_GROUP_DESCRIBE",
    "OFFSET_FETCH",
    "LIST_OFFSETS",
    "FETCH",
}
_JOINING = {"JOIN_GROUP", "SYNC_GROUP", "LEAVE_GROUP"}
_GROUPS = {"classic": {}, "modern": {"group_protocol": "consumer"}, "shared": {"share": "yes"}}
_BEHIND = "read-only-behind"
_READ = [*_GROUPS, _BEHIND]
_TOPIC, _SIZE, _POLLS = "read-only", 4, 40


@pytest.fixture
def groups(broker, tmp_path, monkeypatch):
    """A classic, a KIP-848 and a share group of two members each on a topic with records, and a
    group without members that is behind.

    The configuration names the cluster `local`, whose user is `evenkeel`, and lets it read
    timestamps of records.
    """
    plain = {"bootstrap.servers": broker.bootstrap(), "log_level": 0}
    admin, producer = AdminClient(plain), Producer(plain)
    create_topic(admin, _TOPIC, _SIZE)
    for number in range(40):
        producer.produce(_TOPIC, b"record", partition=number % _SIZE)
    producer.flush()
    settings = (
        f'"bootstrap.servers" = "{broker.bootstrap("SASL")}"\n"security.protocol" ='
        ' "SASL_PLAINTEXT"\n"sasl.mechanism" = "SCRAM-SHA-512"'
    )
    secret = '"sasl.username" = "evenkeel"\n"sasl.password" = {env = "EVENKEEL_TEST_PASSWORD"}'
    (tmp_path / "evenkeel.toml").write_text(
        f"[clusters.local]\n{settings}\n{secret}\nrecord_timestamps = true\n"
    )
    monkeypatch.setenv("EVENKEEL_TEST_PASSWORD", USERS["evenkeel"])
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    commit(admin, _BEHIND, {(_TOPIC, number): number for number in range(_SIZE)})
    with JavaConsumers(broker.bootstrap()) as consumers:
        for group_id, more in _GROUPS.items():
            for number in range(2):
                consumers.start(f"{group_id}-{number}", _TOPIC, group_id=group_id, **more)
        until(lambda: _committed(admin) == {"classic": 40, "modern": 40, _BEHIND: 6} and _stand())
        yield admin


def test_only_questions_are_sent_and_no_group_commit_or_end_offset_changes(broker, groups):
    before, asked_before = _state(groups), _requests(broker)

    for poll in range(_POLLS):
        (_as_list, _as_snapshot, _as_collect, _as_readiness)[poll % 4]()

    assert _state(groups) == before
    asked = _requests(broker)[len(asked_before) :]
    ours = {
        request["requestApiKeyName"]
        for request in asked
        if request["clientId"].startswith("evenkeel")
    }
    assert ours <= _QUESTIONS
    assert {
        "LIST_GROUPS",
        "DESCRIBE_GROUPS",
        "DESCRIBE_CONFIGS",
        "CONSUMER_GROUP_DESCRIBE",
        "SHARE_GROUP_DESCRIBE",
        "DESCRIBE_SHARE_GROUP_OFFSETS",
        "OFFSET_FETCH",
        "LIST_OFFSETS",
        "FETCH",
    } <= ours
    # Consumers that an earlier test of this broker started may still be leaving their groups; their
    # client ids begin with "others-".
    strange = [request for request in asked if not request["clientId"].startswith("others-")]
    assert not [request for request in strange if request["requestApiKeyName"] in _JOINING]


def _as_list():
    with connected("local") as connection:
        assert set(_GROUPS) <= set(group_list(connection)["group_id"].to_pylist())


def _as_snapshot():
    with connected("local") as connection:
        found = live_groups(connection, chosen_groups(connection, _READ), age_seconds=20.0)
    assert all(one.document for one in found)
    assert found[-1].ages.keys() == {(_TOPIC, number) for number in range(_SIZE)}


def _as_readiness():
    with connected("local") as connection:
        found = live_readiness(connection, _READ)
    assert {one.observed.group_id for one in found.groups} == set(_READ)
    assert found.settings


def _as_collect():
    tasks = planned("local", _READ, datetime.now(UTC))
    problem = {
        row["group_id"]: row["problem"] for one in tasks for row in one.readings().to_pylist()
    }
    assert problem.keys() == set(_READ)
    ages = [
        row["lag_seconds"]
        for one in tasks
        for row in one.parsed().offsets.to_pylist()
        if row["group_id"] == _BEHIND
    ]
    assert len(ages) == _SIZE
    assert None not in ages
    # A share group has no start offset before its first acquired record.
    assert {one: problem[one] for one in ("classic", "modern")} == {
        "classic": None,
        "modern": None,
    }
    assert problem["shared"] in (
        None,
        NO_START_VISIBLE,
    )


def _stand():
    with connected("local") as connection:
        documents = {
            one.group_id: one.document
            for one in live_groups(connection, chosen_groups(connection, []))
        }
    members = [member for group_id in _GROUPS for member in documents[group_id].members]
    return (
        len(members) == 6
        and all(documents[group_id].state == "Stable" for group_id in _GROUPS)
        and all(member.owned and not member.current for member in members)
    )


def _state(admin):
    """Return epochs, members with what they have and joined with, commits and end offsets."""
    with connected("local") as connection:
        documents = [
            one.document for one in live_groups(connection, chosen_groups(connection, _READ))
        ]
    ends = admin.list_offsets(
        {TopicPartition(_TOPIC, number): OffsetSpec.latest() for number in range(_SIZE)}
    )
    groups = [(one.state, one.group_epoch, one.assignment_epoch, one.members) for one in documents]
    return groups, _committed(admin), [answer.result().offset for answer in ends.values()]


def _committed(admin):
    found = {}
    for group_id in ("classic", "modern", _BEHIND):
        answer = admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(group_id)])[
            group_id
        ].result()
        found[group_id] = sum(one.offset for one in answer.topic_partitions)
    return found


def _requests(broker):
    lines = broker.requests_log(broker.nodes[0]).read_text().splitlines()
    return [json.loads(line.partition(":")[2])["requestHeader"] for line in lines]
