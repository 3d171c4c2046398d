"""Our assignors against real groups of librdkafka: Kafka agrees, or the replay says which client answers otherwise, and where."""

import pytest

from data.clusters.connection import Connection
from data.clusters.profile import Profile
from data.live.replay import replay
from tests.data.live.histories import answer_to, stable_documents, targets
from tests.kafka.other_consumers import OtherConsumers
from tests.kafka.topics import create_topic

_TOPICS = {"of-others-a": 7, "of-others-b": 4}
_ALL, _FIRST = list(_TOPICS), ["of-others-a"]
_STEPS = {"one": 1, "two": 2, "three": 3, "one left": 2, "one more": 3}
_LIBRDKAFKA = ["range", "roundrobin", "cooperative-sticky"]
_OF_THE_BROKER = ["uniform", "broker-range"]
_EQUAL = "the group's leader is librdkafka or kafka-python, whose assignor of this name goes its own way where all members subscribe to the same topics"
_STATIC = "the group's leader is librdkafka, which orders members by their ids where Kafka puts static members first"
_steps = pytest.mark.parametrize("step", _STEPS)


def _groups():
    """Client, assignor, and what is special of each group."""
    equal = [("librdkafka", one, "equal") for one in (*_LIBRDKAFKA, *_OF_THE_BROKER)]
    differing = [("librdkafka", one, "differing") for one in _LIBRDKAFKA]
    return [*equal, *differing, *(("librdkafka", one, "static") for one in ("range", "roundrobin"))]


@pytest.fixture(scope="module")
def history(broker):
    """Documents by (client, assignor, what is special, step): three join one after another, the first leaves, one more joins; the groups live at the same time."""
    connection = Connection(Profile("local", {"bootstrap.servers": broker.bootstrap()}))
    for topic, size in _TOPICS.items():
        create_topic(connection.admin, topic, size)
    with OtherConsumers(broker.bootstrap()) as consumers:
        found = {}
        actions = [lambda one, number=number: _start(consumers, one, number) for number in range(3)]
        actions += [lambda one: consumers.stop(_name(one, 0)), lambda one: _start(consumers, one, 3)]
        for (step, count), act in zip(_STEPS.items(), actions, strict=True):
            for one in _groups():
                act(one)
            documents = stable_documents(connection, {_group_id(one): count for one in _groups()})
            found |= {(*one, step): documents[_group_id(one)] for one in _groups()}
    yield found
    groups = connection.admin.delete_consumer_groups([_group_id(one) for one in _groups()])
    for done in (*groups.values(), *connection.admin.delete_topics(_ALL).values()):
        done.exception()
    connection.close()


@_steps
@pytest.mark.parametrize("assignor", ["range", "roundrobin"])
def test_kafka_agrees_with_range_and_roundrobin_of_librdkafka(history, assignor, step):
    assert replay(history["librdkafka", assignor, "equal", step]).agrees


@_steps
@pytest.mark.parametrize("assignor", _LIBRDKAFKA)
def test_kafka_agrees_with_librdkafka_where_subscriptions_differ(history, assignor, step):
    assert replay(history["librdkafka", assignor, "differing", step]).agrees


@_steps
def test_a_cooperative_sticky_group_of_librdkafka_with_equal_subscriptions_agrees_or_the_likeliest_reason_is_that_client(history, step):
    found = replay(history["librdkafka", "cooperative-sticky", "equal", step])

    assert found.agrees if step == "one" else found.agrees or found.reasons[0] == _EQUAL


@_steps
@pytest.mark.parametrize("assignor", ["range", "roundrobin"])
def test_librdkafka_s_order_of_static_members_is_recognised(history, assignor, step):
    found = replay(history["librdkafka", assignor, "static", step])

    assert found.agrees if step in ("one", "two") else found.reasons == (_STATIC,)


@_steps
@pytest.mark.parametrize("assignor", _OF_THE_BROKER)
def test_the_broker_s_target_for_members_of_librdkafka_is_our_answer_to_the_target_before(history, assignor, step):
    group, place = ("librdkafka", assignor, "equal"), list(_STEPS).index(step)
    before = history[*group, list(_STEPS)[place - 1]] if place else None

    assert answer_to(history[*group, step], assignor, before) == targets(history[*group, step])


def _start(consumers, group, number):
    _, assignor, special = group
    topics = _FIRST if special == "differing" and number == 1 else _ALL
    is_static = special == "static" and number == 2
    settings = {"partition_assignment_strategy": assignor}
    if assignor in _OF_THE_BROKER:
        settings = {"group_protocol": "consumer", "group_remote_assignor": assignor.removeprefix("broker-")}
    if is_static:
        settings["group_instance_id"] = "static"
    consumers.start_librdkafka(_name(group, number), topics, _group_id(group), **settings)


def _name(group, number):
    return f"{_group_id(group)}-{number}"


def _group_id(group):
    return "-".join(("others", *group))
