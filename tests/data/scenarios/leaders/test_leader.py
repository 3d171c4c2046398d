"""Whose code assigns a group."""

import pytest

from evenkeel.assignors import ASSIGNORS, CLIENTS
from evenkeel.assignors.protocol import Gap
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import Document, Leader, Member, Topic
from evenkeel.data.scenarios.leaders import client_of, families, in_use, led_by, possible_leaders

AIOKAFKA = Leader("aiokafka", certain=True)


def observed(*members: Member, **facts):
    return observed_from_document(
        Document("evenkeel.group/1", topics=[Topic("t", 2)], members=list(members), **facts)
    )


@pytest.mark.parametrize(
    ("leader", "chosen", "client"),
    [
        (None, None, "java"),
        (AIOKAFKA, None, "aiokafka"),
        (AIOKAFKA, "java", "java"),
        (None, "sarama", "sarama"),
    ],
)
def test_the_chosen_client_answers_else_the_leader_else_java(leader, chosen, client):
    assert client_of(leader, chosen) == client


def test_a_client_that_does_not_exist_is_refused():
    with pytest.raises(
        SnapshotError, match='settings.client: found "spring", expected one of java, librdkafka'
    ):
        client_of(None, "spring")


def test_a_client_has_its_own_classes_and_gaps_and_shares_all_others():
    led = led_by("kafka-go")

    assert list(led) == list(ASSIGNORS)
    assert led["range"] is CLIENTS["kafka-go"].assignors["range"]
    assert isinstance(led["sticky"], Gap)
    assert {name for name, made in led.items() if made is ASSIGNORS[name]} == set(ASSIGNORS) - set(
        CLIENTS["java"].assignors
    )


def test_a_protocol_that_one_client_calls_otherwise_is_the_assignor_in_use():
    group = observed(
        Member("a", ["t"]),
        type="classic",
        assignor="RoundRobinAssigner",
        leader=Leader("kafkajs", certain=True),
    )

    assert in_use(group) == "roundrobin"


def test_the_family_of_a_member_shows_in_an_empty_rack_and_in_a_client_id_that_nobody_has_set():
    ids = [
        "payments",
        "rdkafka",
        "kgo",
        "kafkajs",
        "consumer-g-1",
        "aiokafka-0.14.0",
        "kafka-python-3.0.12",
        "app@h (github.com/segmentio/kafka-go)",
    ]
    group = observed(
        Member("m", ["t"], client_id="payments", rack=""),
        *(Member(name, ["t"], client_id=name) for name in ids),
        leader=AIOKAFKA,
    )

    found = [
        "librdkafka",
        None,
        "librdkafka",
        "franz-go",
        "kafkajs",
        "java",
        "aiokafka",
        "kafka-python",
        "kafka-go",
    ]
    assert list(families(group)) == found
    assert possible_leaders(group) == [
        "aiokafka",
        "librdkafka",
        "franz-go",
        "kafkajs",
        "java",
        "kafka-python",
        "kafka-go",
    ]
