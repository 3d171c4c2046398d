"""What a user with the least rights sees, and what each missing right does: one line that names it,
and all else as before.
"""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic, ResourceType
from evenkeel_assignors.__main__ import main as check
from evenkeel_assignors.kafka_lags import KafkaPythonReads

from evenkeel.data.commands.main import main
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.connection import connected
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups
from evenkeel.data.pipeline import session
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.settings import USERS
from tests.brokers.topics import create_topics
from tests.data.live.access.rights import (
    CLUSTER,
    GROUPS,
    NO_GROUP,
    NO_TOPIC,
    ORDERS,
    TOPICS,
    allow_reading,
    commands_of_user,
    lags,
    partitions,
)
from tests.waiting import until

_NO_COMMIT = (
    "no commit is visible: nothing is committed, or the right DESCRIBE on its topics is missing"
)
_LEFT_OUT = (
    "cluster local: groups that this user may not describe are left out, because the right DESCRIBE"
    " on the cluster is missing"
)
_NONE = (
    "cluster local: no group is visible to this user. Either the cluster has no groups, or the"
    " right DESCRIBE on the cluster or on groups is missing, or the brokers have just started and"
    " have not loaded their groups yet"
)


@pytest.fixture(scope="module")
def guarded():
    """A broker that checks rights, with the topics orders and hidden of one partition with 10
    records each.

    The groups classic, modern (KIP-848) and idle, which has no members, have committed 4 in both;
    the group secret in hidden alone.
    """
    with Brokers(with_acls=True) as broker:
        plain = {"bootstrap.servers": broker.bootstrap(), "log_level": 0}
        admin, producer = AdminClient(plain), Producer(plain)
        create_topics(admin, [NewTopic("orders", 1, 1), NewTopic("hidden", 1, 1)])
        for number in range(20):
            producer.produce(("orders", "hidden")[number % 2], b"record", partition=0)
        producer.flush()
        consumers = [
            _member(plain | {"group.id": "classic"}),
            _member(plain | {"group.id": "modern", "group.protocol": "consumer"}),
        ]
        commit(admin, "idle", {("orders", 0): 4, ("hidden", 0): 4})
        commit(admin, "secret", {("hidden", 0): 4})
        yield broker
        for one in consumers:
            one.close()


@pytest.fixture
def seen(guarded, tmp_path, monkeypatch, capsys):
    """A function (right, ...) -> what `evenkeel groups` and `evenkeel snapshot` do for user
    evenkeel who has these alone.
    """
    return commands_of_user(guarded, tmp_path, monkeypatch, capsys)


def test_describe_on_cluster_groups_and_topics_is_enough(seen):
    (code, groups, complaints), (_, documents, more) = seen(CLUSTER, GROUPS, TOPICS)

    assert (code, complaints, more) == (0, [], [])
    assert lags(groups) == {
        "classic": (12, 0, None),
        "modern": (12, 0, None),
        "idle": (12, 0, None),
        "secret": (6, 0, None),
    }
    assert _offsets(documents) == {
        name: {"hidden": [(10, 4)], "orders": [(10, 4)]} for name in ("classic", "modern", "idle")
    } | {"secret": {"hidden": [(10, 4)]}}


def test_without_the_right_to_read_settings_readiness_says_so_and_takes_them_from_a_person(
    seen, capsys
):
    seen(CLUSTER, GROUPS, TOPICS)
    given = ["group.consumer.migration.policy=bidirectional", "group.consumer.max.size=2147483647"]
    given.append("group.coordinator.rebalance.protocols=classic,consumer")

    (_, unread, complaints), (_, known, _) = (
        (main(["readiness", "--cluster", "local", "--json", *words]), *_said(capsys))
        for words in ([], ["--broker-config", *given])
    )

    assert complaints == [
        "evenkeel readiness: cluster local: settings of the brokers cannot be read,"
        " CLUSTER_AUTHORIZATION_FAILED: DESCRIBE_CONFIGS is missing"
    ]
    assert _verdicts(unread) == {
        "classic": "unknown",
        "modern": "done",
        "idle": "unknown",
        "secret": "unknown",
    }
    assert _verdicts(known) == {
        "classic": "note",
        "modern": "done",
        "idle": "ready",
        "secret": "ready",
    }


def _said(capsys):
    said = capsys.readouterr()
    return said.out.splitlines(), said.err.splitlines()


def _verdicts(lines):
    return {one["group_id"]: one["verdict"] for one in map(json.loads, lines[:-1])}


def test_without_the_right_on_the_cluster_one_line_says_that_groups_may_be_left_out(seen):
    (code, groups, complaints), (_, documents, more) = seen(GROUPS, TOPICS)

    assert (code, complaints, more) == (
        0,
        [f"evenkeel groups: {_LEFT_OUT}"],
        [f"evenkeel: {_LEFT_OUT}"],
    )
    assert {lag for lag, _, _ in lags(groups).values()} == {12, 6}
    assert len(documents) == 4


def test_a_collector_says_first_that_groups_may_be_left_out(seen, tmp_path, monkeypatch, capsys):
    def refuse(*_, **settings):
        raise SnapshotError("Spark is not needed for this")

    seen(GROUPS, TOPICS)
    monkeypatch.setattr(session, "session", refuse)

    assert (
        main(["collect", "--cluster", "local", "--out", str(tmp_path / "lake"), "--count", "1"])
        == 2
    )

    assert capsys.readouterr().err.splitlines() == [
        f"evenkeel collect: {_LEFT_OUT}",
        "evenkeel collect: Spark is not needed for this",
    ]


def test_without_the_right_on_groups_each_is_listed_with_that_reason_and_no_lag(seen):
    (code, groups, _), (_, documents, complaints) = seen(CLUSTER, TOPICS)

    assert code == 0
    assert lags(groups) == dict.fromkeys(
        ("classic", "modern", "idle", "secret"), (None, None, NO_GROUP)
    )
    assert documents == []
    assert sorted(complaints) == [
        f"evenkeel: {name}: {NO_GROUP}" for name in ("classic", "idle", "modern", "secret")
    ]


def test_without_a_right_on_cluster_and_groups_one_line_says_that_none_is_visible(seen):
    listed, read = seen(TOPICS)

    assert listed == (0, [], [f"evenkeel groups: {_NONE}"])
    assert read == (2, [], [f"evenkeel snapshot: {_NONE}"])


def test_without_the_right_on_topics_no_lag_is_known_and_each_group_says_why(seen):
    (code, groups, _), (_, documents, complaints) = seen(CLUSTER, GROUPS)

    assert code == 0
    assert lags(groups) == {
        "classic": (None, 2, f"hidden-0: {NO_TOPIC}"),
        "modern": (None, None, NO_TOPIC),
        "idle": (None, None, _NO_COMMIT),
        "secret": (None, None, _NO_COMMIT),
    }
    assert _offsets(documents) == {"classic": {"hidden": 1, "orders": 1}, "idle": {}, "secret": {}}
    assert sorted(complaints) == [
        f"evenkeel: classic: hidden: {NO_TOPIC}",
        f"evenkeel: classic: orders: {NO_TOPIC}",
        f"evenkeel: idle: {_NO_COMMIT}",
        f"evenkeel: modern: {NO_TOPIC}",
        f"evenkeel: secret: {_NO_COMMIT}",
    ]


def test_one_hidden_topic_is_named_its_lag_unknown_and_the_rest_known(seen):
    (code, groups, _), (_, documents, complaints) = seen(CLUSTER, GROUPS, ORDERS)

    assert code == 0
    assert lags(groups) == {
        "classic": (6, 1, f"hidden-0: {NO_TOPIC}"),
        "modern": (6, 0, NO_TOPIC),
        "idle": (6, 0, None),
        "secret": (None, None, _NO_COMMIT),
    }
    assert _offsets(documents) == {
        "classic": {"hidden": 1, "orders": [(10, 4)]},
        "idle": {"orders": [(10, 4)]},
        "secret": {},
    }
    assert [
        json.loads(one).get("assumed")
        for one in documents
        if json.loads(one)["group_id"] == "classic"
    ] == [["topics[0].partitions"]]
    assert sorted(complaints) == [
        f"evenkeel: classic: hidden: {NO_TOPIC}",
        f"evenkeel: modern: {NO_TOPIC}",
        f"evenkeel: secret: {_NO_COMMIT}",
    ]


def test_without_the_right_read_each_group_says_so_once_and_a_granted_right_is_used_at_once(
    guarded, seen, tmp_path
):
    seen(CLUSTER, GROUPS, TOPICS)
    with (tmp_path / "evenkeel.toml").open("a") as configuration:
        configuration.write("record_timestamps = true\n")
    no_read = (
        "TOPIC_AUTHORIZATION_FAILED: the right READ on the topic is missing; time lags are"
        " estimated from offsets"
    )

    hidden, _ = _ages_of("idle"), allow_reading(guarded, "orders")
    shown = _ages_of("idle")

    assert hidden == ({}, f"records of hidden and orders: {no_read}")
    assert (shown[0].keys(), shown[1]) == ({("orders", 0)}, f"records of hidden: {no_read}")


@pytest.mark.parametrize("client", ["kafka-python", "aiokafka"])
@pytest.mark.parametrize(
    ("rights", "code", "said"),
    [
        ((GROUPS, TOPICS), 0, "rights suffice"),
        (
            (TOPICS,),
            1,
            "classic: the right DESCRIBE on the group is missing: GroupAuthorizationFailed",
        ),
        (
            (GROUPS, ORDERS),
            1,
            "classic: the right DESCRIBE on its topics is missing: TopicAuthorizationFailed",
        ),
    ],
)
def test_a_check_of_the_assignors_that_run_in_groups_names_the_right_that_is_missing(
    guarded, seen, tmp_path, capsys, client, rights, code, said
):
    settings = {
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": "PLAIN",
        "sasl_plain_username": "evenkeel",
    }
    (tmp_path / "consumer.json").write_text(
        json.dumps(settings | {"sasl_plain_password": USERS["evenkeel"]})
    )
    words = [
        "--bootstrap-server",
        guarded.bootstrap("SASL"),
        "--group",
        "classic",
        "--settings",
        str(tmp_path / "consumer.json"),
    ]
    seen(*rights)

    # A browser's event loop may run in this thread.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(check, ["check", *words, "--client", client]).result() == code

    assert said in capsys.readouterr().out


def test_an_assignor_of_kafka_python_knows_all_lags_except_those_of_a_hidden_topic(guarded, seen):
    sasl = {
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": "PLAIN",
        "sasl_plain_username": "evenkeel",
    }
    settings = sasl | {
        "sasl_plain_password": USERS["evenkeel"],
        "bootstrap_servers": guarded.bootstrap("SASL"),
        "group_id": "classic",
    }
    seen(GROUPS, ORDERS)
    reads = KafkaPythonReads(settings, 10.0)

    try:
        assert reads.read({"hidden": [0], "orders": [0]}) == {("orders", 0): 6}
    finally:
        reads.close()


def _ages_of(group_id):
    with connected("local") as connection:
        (found,) = live_groups(connection, chosen_groups(connection, [group_id]), age_seconds=20.0)
    return found.ages, found.unread


def _member(settings):
    consumer = Consumer(settings | {"enable.auto.commit": False})
    consumer.subscribe(["orders", "hidden"])
    until(lambda: (consumer.poll(0.1), len(consumer.assignment()) == 2)[1], pause=0)
    consumer.commit(
        offsets=[TopicPartition("orders", 0, 4), TopicPartition("hidden", 0, 4)], asynchronous=False
    )
    return consumer


def _offsets(documents):
    return partitions(documents, "end_offset", "committed_offset")


def test_the_topic_of_coordinators_needs_only_read_and_without_it_two_other_ways_are_named(
    guarded, tmp_path, monkeypatch, capsys
):
    run = commands_of_user(guarded, tmp_path, monkeypatch, capsys)
    run((ResourceType.TOPIC, "__consumer_offsets"))

    refused = (
        main(["rebalances", "--cluster", "local", "--group", "classic"]),
        capsys.readouterr().err,
    )
    allow_reading(guarded, "__consumer_offsets")
    until(lambda: main(["rebalances", "--cluster", "local", "--group", "classic", "--json"]) == 0)

    assert refused[0] == 2
    assert (
        "TOPIC_AUTHORIZATION_FAILED: the right READ on the topic __consumer_offsets is missing. Two"
        " other ways" in refused[1]
    )
    assert "evenkeel rebalances --cluster local --group GROUP --json" in refused[1]
    assert '"cause":"member_joined"' in capsys.readouterr().out
