"""What a user with the least rights sees, and what each missing right does: one line that names it, and all else as before."""

import json
import os
import subprocess
import sys
import time

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AclBinding, AclBindingFilter, AclOperation, AclPermissionType, AdminClient, NewTopic, ResourcePatternType, ResourceType

from data.commands.main import main
from tests.kafka.broker import Brokers
from tests.kafka.commits import commit
from tests.kafka.settings import USERS

_TOPIC = "TOPIC_AUTHORIZATION_FAILED: the right DESCRIBE on a topic is missing"
_GROUP = "GROUP_AUTHORIZATION_FAILED: the right DESCRIBE on the group is missing"
_NO_COMMIT = "no commit is visible: there is none, or the right DESCRIBE on its topics is missing"
_LEFT_OUT = "cluster local: groups that this user may not describe are left out: the right DESCRIBE on the cluster is missing"
_NONE = "cluster local: no group is visible to this user: there is none, or the right DESCRIBE on the cluster or on groups is missing"
_RUN = "import sys; from data.commands.main import main; sys.exit(main())"
_ANY = AclBindingFilter(ResourceType.ANY, None, ResourcePatternType.ANY, None, None, AclOperation.ANY, AclPermissionType.ANY)
_CLUSTER, _GROUPS, _TOPICS, _ORDERS = (ResourceType.BROKER, "kafka-cluster"), (ResourceType.GROUP, "*"), (ResourceType.TOPIC, "*"), (ResourceType.TOPIC, "orders")


@pytest.fixture(scope="module")
def guarded():
    """A broker that checks rights; orders and hidden of one partition with 10 records each. The groups classic, modern (KIP-848) and idle, which has no members, have committed 4 in both,
    secret in hidden alone."""
    with Brokers(with_acls=True) as broker:
        plain = {"bootstrap.servers": broker.bootstrap(), "log_level": 0}
        admin, producer = AdminClient(plain), Producer(plain)
        for made in admin.create_topics([NewTopic("orders", 1, 1), NewTopic("hidden", 1, 1)]).values():
            made.result()
        for number in range(20):
            producer.produce(("orders", "hidden")[number % 2], b"record", partition=0)
        producer.flush()
        consumers = [_member(plain | {"group.id": "classic"}), _member(plain | {"group.id": "modern", "group.protocol": "consumer"})]
        commit(admin, "idle", {("orders", 0): 4, ("hidden", 0): 4})
        commit(admin, "secret", {("hidden", 0): 4})
        yield broker, admin
        for one in consumers:
            one.close()


@pytest.fixture
def seen(guarded, tmp_path, monkeypatch, capsys):
    """A function (right, ...) -> what `evenkeel groups` and `evenkeel snapshot` give user evenkeel who has these alone: code, output lines, complaints of each."""
    broker, admin = guarded
    monkeypatch.setenv("EVENKEEL_TEST_PASSWORD", USERS["evenkeel"])
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    settings = f'"bootstrap.servers" = "{broker.bootstrap("SASL")}"\n"security.protocol" = "SASL_PLAINTEXT"\n"sasl.mechanism" = "PLAIN"'
    (tmp_path / "evenkeel.toml").write_text(f'[clusters.local]\n{settings}\n"sasl.username" = "evenkeel"\n"sasl.password" = {{env = "EVENKEEL_TEST_PASSWORD"}}\n')

    def grant(*rights):
        _grant(admin, rights)
        return _ran(capsys, "groups", "--json"), _ran(capsys, "snapshot")

    return grant


def test_describe_on_cluster_groups_and_topics_is_enough(seen):
    (code, groups, complaints), (_, documents, more) = seen(_CLUSTER, _GROUPS, _TOPICS)

    assert (code, complaints, more) == (0, [], [])
    assert _lags(groups) == {"classic": (12, 0, None), "modern": (12, 0, None), "idle": (12, 0, None), "secret": (6, 0, None)}
    assert _offsets(documents) == {name: {"hidden": [(10, 4)], "orders": [(10, 4)]} for name in ("classic", "modern", "idle")} | {"secret": {"hidden": [(10, 4)]}}


def test_without_the_right_on_the_cluster_one_line_says_that_groups_may_be_left_out(seen):
    (code, groups, complaints), (_, documents, more) = seen(_GROUPS, _TOPICS)

    assert (code, complaints, more) == (0, [f"evenkeel groups: {_LEFT_OUT}"], [f"evenkeel: {_LEFT_OUT}"])
    assert {lag for lag, _, _ in _lags(groups).values()} == {12, 6}
    assert len(documents) == 4


def test_a_collector_says_first_that_groups_may_be_left_out(seen, tmp_path):
    seen(_GROUPS, _TOPICS)

    command = [sys.executable, "-c", _RUN, "collect", "--cluster", "local", "--out", str(tmp_path / "lake"), "--count", "1"]
    said = subprocess.run(command, env=os.environ, capture_output=True, text=True, timeout=120, check=False).stderr

    assert said.splitlines()[0] == f"evenkeel collect: {_LEFT_OUT}"


def test_without_the_right_on_groups_each_is_listed_with_that_reason_and_no_lag(seen):
    (code, groups, _), (_, documents, complaints) = seen(_CLUSTER, _TOPICS)

    assert code == 0
    assert _lags(groups) == dict.fromkeys(("classic", "modern", "idle", "secret"), (None, 0, _GROUP))
    assert documents == []
    assert sorted(complaints) == [f"evenkeel: {name}: {_GROUP}" for name in ("classic", "idle", "modern", "secret")]


def test_without_a_right_on_cluster_and_groups_one_line_says_that_none_is_visible(seen):
    listed, read = seen(_TOPICS)

    assert listed == (0, [], [f"evenkeel groups: {_NONE}"])
    assert read == (2, [], [f"evenkeel snapshot: {_NONE}"])


def test_without_the_right_on_topics_no_lag_is_known_and_each_group_says_why(seen):
    (code, groups, _), (_, documents, complaints) = seen(_CLUSTER, _GROUPS)

    assert code == 0
    assert _lags(groups) == {"classic": (None, 2, f"hidden-0: {_TOPIC}"), "modern": (None, 0, _TOPIC), "idle": (None, 0, _NO_COMMIT), "secret": (None, 0, _NO_COMMIT)}
    assert _offsets(documents) == {"classic": {"hidden": 1, "orders": 1}, "idle": {}, "secret": {}}
    assert sorted(complaints) == [
        f"evenkeel: classic: hidden: {_TOPIC}",
        f"evenkeel: classic: orders: {_TOPIC}",
        f"evenkeel: idle: {_NO_COMMIT}",
        f"evenkeel: modern: {_TOPIC}",
        f"evenkeel: secret: {_NO_COMMIT}",
    ]


def test_one_hidden_topic_is_named_its_lag_unknown_and_the_rest_known(seen):
    (code, groups, _), (_, documents, complaints) = seen(_CLUSTER, _GROUPS, _ORDERS)

    assert code == 0
    assert _lags(groups) == {"classic": (6, 1, f"hidden-0: {_TOPIC}"), "modern": (6, 0, _TOPIC), "idle": (6, 0, None), "secret": (None, 0, _NO_COMMIT)}
    assert _offsets(documents) == {"classic": {"hidden": 1, "orders": [(10, 4)]}, "idle": {"orders": [(10, 4)]}, "secret": {}}
    assert [json.loads(one).get("assumed") for one in documents if json.loads(one)["group_id"] == "classic"] == [["topics[0].partitions"]]
    assert sorted(complaints) == [f"evenkeel: classic: hidden: {_TOPIC}", f"evenkeel: modern: {_TOPIC}", f"evenkeel: secret: {_NO_COMMIT}"]


def _member(settings):
    consumer = Consumer(settings | {"enable.auto.commit": False})
    consumer.subscribe(["orders", "hidden"])
    while len(consumer.assignment()) < 2:
        consumer.poll(0.1)
    consumer.commit(offsets=[TopicPartition("orders", 0, 4), TopicPartition("hidden", 0, 4)], asynchronous=False)
    return consumer


def _grant(admin, rights):
    for gone in admin.delete_acls([_ANY]).values():
        gone.result()
    made = [AclBinding(kind, name, ResourcePatternType.LITERAL, "User:evenkeel", "*", AclOperation.DESCRIBE, AclPermissionType.ALLOW) for kind, name in rights]
    for one in admin.create_acls(made).values():
        one.result()
    while {(one.restype, one.name) for one in admin.describe_acls(_ANY).result()} != set(rights):
        time.sleep(0.05)


def _ran(capsys, command, *more):
    code = main([command, "--cluster", "local", *more])
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err.splitlines()


def _lags(lines):
    return {row["group_id"]: (row["lag"], row["unknown_lag_count"], row["problem"]) for row in map(json.loads, lines)}


def _offsets(documents):
    return {
        one["group_id"]: {
            topic["name"]: topic["partitions"] if isinstance(topic["partitions"], int) else [(part["end_offset"], part["committed_offset"]) for part in topic["partitions"]]
            for topic in one["topics"]
        }
        for one in map(json.loads, documents)
    }
