"""How a group goes over to an assignor, client by client. The clients themselves say whether they
take the settings.
"""

from itertools import permutations, product

import pytest
from confluent_kafka import Consumer
from evenkeel_assignors.kafka_python import CooperativeLagAssignor, LagAssignor
from kafka.coordinator.assignors.abstract import AbstractPartitionAssignor
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor

from evenkeel.assignors import ASSIGNORS, JAVA
from evenkeel.data.scenarios.switch_steps import OLD, clients, steps

LIBRDKAFKA, KAFKA_PYTHON, AIOKAFKA = "librdkafka", "kafka-python", "aiokafka"
CLASSIC = [name for name, assignor in ASSIGNORS.items() if assignor.group_type == "classic"]
_CLASSES = (
    RangePartitionAssignor,
    RoundRobinPartitionAssignor,
    StickyPartitionAssignor,
    CooperativeStickyAssignor,
)
OF_KAFKA_PYTHON = {one.__name__: one for one in (*_CLASSES, LagAssignor, CooperativeLagAssignor)}
CONSUMER = "org.apache.kafka.clients.consumer."


def settings(client, name, now=None, group_type="classic"):
    return [
        step.setting
        for step in steps(client, ASSIGNORS[name], ASSIGNORS.get(now), group_type)
        if step.setting
    ]


def test_range_to_cooperative_sticky_takes_two_rolling_restarts_of_java_members():
    assert settings(JAVA, "cooperative-sticky", "range") == [
        f"partition.assignment.strategy={CONSUMER}CooperativeStickyAssignor,{CONSUMER}RangeAssignor",
        f"partition.assignment.strategy={CONSUMER}CooperativeStickyAssignor",
    ]
    assert (
        "they need only the second restart"
        in steps(JAVA, ASSIGNORS["cooperative-sticky"], ASSIGNORS["range"], "classic")[0].text
    )


def test_between_eager_assignors_the_new_one_stands_first_while_both_are_listed():
    assert settings(LIBRDKAFKA, "roundrobin", "range") == [
        "partition.assignment.strategy=roundrobin,range",
        "partition.assignment.strategy=roundrobin",
    ]
    assert settings(KAFKA_PYTHON, "sticky", "range") == [
        "partition_assignment_strategy=[StickyPartitionAssignor, RangePartitionAssignor]",
        "partition_assignment_strategy=[StickyPartitionAssignor]",
    ]


@pytest.mark.parametrize("client", [LIBRDKAFKA, KAFKA_PYTHON])
@pytest.mark.parametrize("now", ["range", None])
def test_clients_that_refuse_both_kinds_in_one_list_stop_all_members(client, now):
    stop, start = steps(client, ASSIGNORS["cooperative-sticky"], ASSIGNORS.get(now), "classic")

    assert stop.text.startswith("Stop all members")
    assert "A static member stays in the group until its session.timeout.ms" in stop.text
    assert start == (
        "Set this and start all members.",
        settings(client, "cooperative-sticky", now)[0],
    )


@pytest.mark.parametrize("client", clients())
def test_kafka_streams_takes_no_setting(client):
    assert (
        settings(client, "sticky", None, "streams")
        == settings(client, "uniform", None, "streams")
        == []
    )


@pytest.mark.parametrize(
    ("client", "name"),
    [(LIBRDKAFKA, "sticky"), (LIBRDKAFKA, "lag"), (AIOKAFKA, "cooperative-sticky")],
)
def test_a_client_without_the_assignor_says_so(client, name):
    (step,) = steps(client, ASSIGNORS[name], ASSIGNORS["range"], "classic")

    assert step == (
        (
            f"{client} has no assignor {name}: the group cannot use it while it has members of this"
            " client."
        ),
        "",
    )


def test_what_is_set_now_has_a_stand_in_where_it_is_not_known():
    first, second = steps(JAVA, ASSIGNORS["roundrobin"], None, None)

    assert first.setting.endswith(f"RoundRobinAssignor,{OLD}")
    assert f"{OLD} is the present setting" in first.text
    assert OLD not in second.setting


def test_an_assignor_that_is_not_in_kafka_starts_with_its_jar():
    first, *rest = steps(JAVA, ASSIGNORS["lag"], ASSIGNORS["range"], "classic")

    assert "jar" in first.text
    assert (
        rest[0].setting
        == f"partition.assignment.strategy=com.github.grantneale.kafka.LagBasedPartitionAssignor,"
        f"{CONSUMER}RangeAssignor"
    )


@pytest.mark.parametrize(
    ("client", "now", "protocol", "module", "lists"),
    [
        (
            KAFKA_PYTHON,
            "range",
            "range",
            "kafka_python",
            ("LagAssignor(settings)", "RangePartitionAssignor"),
        ),
        (
            KAFKA_PYTHON,
            "cooperative-sticky",
            None,
            "kafka_python",
            ("CooperativeLagAssignor(settings)", "CooperativeStickyAssignor"),
        ),
        (
            AIOKAFKA,
            "roundrobin",
            "roundrobin",
            "aio_kafka",
            ("LagAssignor(settings)", "RoundRobinPartitionAssignor"),
        ),
        (AIOKAFKA, None, None, "aio_kafka", ("LagAssignor(settings)", OLD)),
    ],
)
def test_lag_takes_the_package_a_check_two_rolling_restarts_and_has_a_way_back(
    client, now, protocol, module, lists
):
    new, old = lists

    found = [
        step.setting
        for step in steps(client, ASSIGNORS["lag"], ASSIGNORS.get(now), "classic", protocol)
    ]

    assert found == [
        "pip install evenkeel-assignors",
        "python -m evenkeel_assignors check --bootstrap-server HOST:PORT --group GROUP",
        f"from evenkeel_assignors.{module} import {new.partition('(')[0]}",
        f"partition_assignment_strategy=[{new}, {old}]",
        f"partition_assignment_strategy=[{new}]",
        f"partition_assignment_strategy=[{old}, {new}]",
    ]


@pytest.mark.parametrize(
    ("protocol", "name", "old"),
    [
        ("lag", "range", "LagAssignor(settings)"),
        ("cooperative-lag", "cooperative-sticky", "CooperativeLagAssignor(settings)"),
    ],
)
def test_the_way_back_from_lag_lists_the_assignor_that_the_group_runs(protocol, name, old):
    first, second = steps(KAFKA_PYTHON, ASSIGNORS[name], ASSIGNORS["lag"], "classic", protocol)

    assert first.setting == second.setting.replace("]", f", {old}]")


@pytest.mark.parametrize("client", [JAVA, LIBRDKAFKA])
def test_a_classic_group_becomes_a_consumer_group_in_one_rolling_restart(client):
    assert settings(client, "broker-range", "range") == [
        "group.protocol=consumer\ngroup.remote.assignor=range"
    ]
    text = steps(client, ASSIGNORS["uniform"], None, "classic")[1].text
    assert (
        "remove partition.assignment.strategy, session.timeout.ms and heartbeat.interval.ms" in text
    )


def test_kafka_python_does_not_speak_the_consumer_protocol():
    assert (
        "does not support the consumer protocol"
        in steps(KAFKA_PYTHON, ASSIGNORS["uniform"], None, "classic")[0].text
    )


def test_a_consumer_group_changes_its_assignor_or_goes_back_in_one_rolling_restart():
    assert settings(JAVA, "broker-range", "uniform", "consumer") == ["group.remote.assignor=range"]
    assert settings(JAVA, "broker-range", "uniform", None) == ["group.remote.assignor=range"]
    assert settings(LIBRDKAFKA, "range", "uniform", "consumer") == [
        "group.protocol=classic\npartition.assignment.strategy=range"
    ]


def test_a_share_group_has_a_setting_of_the_brokers():
    assert settings(JAVA, "simple", None, "share") == ["group.share.assignors=simple"]


def test_librdkafka_takes_every_setting():
    pairs = [
        *product(ASSIGNORS, CLASSIC, ["classic"]),
        *product(ASSIGNORS, ["uniform", "broker-range"], ["consumer"]),
    ]
    found = {
        setting
        for name, now, group_type in pairs
        if ASSIGNORS[name].group_type != "share" and name != "evenkeel-weighted"
        for setting in settings(LIBRDKAFKA, name, now, group_type)
    }

    for setting in found:
        protocol = {"group.protocol": "consumer"} if setting.startswith("group.remote") else {}
        settings_of_it = dict(line.split("=") for line in setting.splitlines())
        Consumer(
            {"bootstrap.servers": "127.0.0.1:1", "group.id": "g", "log_level": 0}
            | protocol
            | settings_of_it
        ).close()
    assert len(found) >= 8


def test_classes_of_kafka_python_exist_and_are_all_eager_or_all_cooperative_in_a_list():
    found = {
        setting
        for name, now in permutations(CLASSIC, 2)
        for setting in settings(KAFKA_PYTHON, name, now)
    }
    lists = {setting for setting in found if setting.startswith("partition_assignment_strategy=")}

    for setting in lists:
        known = OF_KAFKA_PYTHON | {"settings": {"group_id": "g"}}
        made = [
            one if isinstance(one, AbstractPartitionAssignor) else one()
            for one in eval(setting.partition("=")[2], known)
        ]
        assert set.intersection(*(set(one.supported_protocols()) for one in made))
    assert len(lists) == 20


@pytest.mark.parametrize("client", clients())
def test_every_switch_says_something_of_every_client(client):
    for name, now, group_type in product(
        ASSIGNORS, [None, *ASSIGNORS], [None, "classic", "consumer"]
    ):
        assert steps(client, ASSIGNORS[name], ASSIGNORS.get(now), group_type)


def test_the_brokers_jar_is_never_named_by_members_and_has_a_way_back():
    there = steps(JAVA, ASSIGNORS["evenkeel-weighted"], ASSIGNORS["uniform"], "consumer")

    assert [step.setting for step in there if step.setting] == [
        "evenkeel weights --cluster NAME --out /etc/kafka/evenkeel-weights.json --every 60s",
        "group.consumer.assignors=dev.evenkeel.WeightedUniformAssignor,uniform,range\nevenkeel.weights.file=/etc/kafka/evenkeel-weights.json",
        "group.consumer.assignors=uniform,range",
    ]
    assert not any("group.remote.assignor=" in step.setting for step in there)
    assert "restart one broker after another" in there[-1].text


def test_a_classic_group_changes_its_protocol_before_the_brokers_jar_serves_it():
    assert "group.protocol=consumer" in settings(JAVA, "evenkeel-weighted", "range")
