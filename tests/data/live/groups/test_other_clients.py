"""Our assignors against real groups of kafka-python and of librdkafka.

The leader's own code agrees in every state.
"""

import msgspec
import pytest

from evenkeel.data.live.replay import replay
from tests.brokers.connecting import connected
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.data.live.histories import answer_to, stable_documents, targets

_TOPICS = {"of-others-a": 7, "of-others-b": 4}
_ALL, _FIRST = list(_TOPICS), ["of-others-a"]
_STEPS = {"one": 1, "two": 2, "three": 3, "one left": 2, "one more": 3}
_KAFKA_PYTHON = ["range", "roundrobin", "sticky"]
_LIBRDKAFKA = ["range", "roundrobin", "cooperative-sticky"]
_OF_THE_BROKER = ["uniform", "broker-range"]
_DIFFERING = [
    ("kafka-python", "range"),
    ("kafka-python", "sticky"),
    *(("librdkafka", one) for one in _LIBRDKAFKA),
]
"""kafka-python's roundrobin throws where subscriptions differ."""

_steps = pytest.mark.parametrize("step", _STEPS)


def _groups():
    """Client, assignor, and what is special of each group."""
    equal = [
        *(("kafka-python", one, "equal") for one in _KAFKA_PYTHON),
        *(("librdkafka", one, "equal") for one in (*_LIBRDKAFKA, *_OF_THE_BROKER)),
    ]
    static = [
        (client, one, "static")
        for client in ("kafka-python", "librdkafka")
        for one in ("range", "roundrobin")
    ]
    return [*equal, *((*one, "differing") for one in _DIFFERING), *static]


@pytest.fixture(scope="module")
def history(broker):
    """Documents by (client, assignor, what is special, step). Classic groups live at the same time;
    groups of the broker's assignors follow, and a second time if a member of librdkafka keeps
    partitions that it has to give up: librdkafka 2.16 sometimes does, and goes on for ever.
    """
    connection = connected(broker, "local")
    for topic, size in _TOPICS.items():
        create_topic(connection.admin, topic, size)
    of_the_broker = [group for group in _groups() if group[1] in _OF_THE_BROKER]
    classic = [group for group in _groups() if group not in of_the_broker]
    with OtherConsumers(broker.bootstrap()) as consumers:
        documents = _documents(connection, consumers, classic)
        try:
            documents |= _documents(connection, consumers, of_the_broker, limit_seconds=60)
        except AssertionError:
            documents |= _documents(connection, consumers, of_the_broker, again="-again")
    yield documents
    group_ids = [_group_id(group) for group in _groups()]
    group_ids += [_group_id(group, "-again") for group in of_the_broker]
    groups = connection.admin.delete_consumer_groups(group_ids)
    for done in (*groups.values(), *connection.admin.delete_topics(_ALL).values()):
        done.exception()
    connection.close()


def _documents(connection, consumers, groups, again="", **limit):
    """Three members join one after another, the first leaves, one more joins."""
    documents = {}
    for place, (step, count) in enumerate(_STEPS.items()):
        for group in groups:
            if step == "one left":
                consumers.stop(_name(group, 0, again))
            else:
                _start(consumers, group, min(place, 3), again)
        counts = {_group_id(group, again): count for group in groups}
        stable = stable_documents(connection, counts, **limit)
        documents |= {(*group, step): stable[_group_id(group, again)] for group in groups}
    return documents


@_steps
def test_a_live_group_does_not_say_which_client_leads_it(history, step):
    classic = [one for one in _groups() if one[1] not in _OF_THE_BROKER]

    assert [(one, history[*one, step].leader.client) for one in classic] == [
        (one, one[0]) for one in classic
    ]


@_steps
@pytest.mark.parametrize("assignor", ["range", "roundrobin"])
@pytest.mark.parametrize("client", ["kafka-python", "librdkafka"])
def test_kafka_agrees_with_range_and_roundrobin_of_other_clients(history, client, assignor, step):
    assert replay(history[client, assignor, "equal", step]).agrees


@_steps
@pytest.mark.parametrize(("client", "assignor"), _DIFFERING)
def test_kafka_agrees_with_other_clients_where_subscriptions_differ(
    history, client, assignor, step
):
    assert replay(history[client, assignor, "differing", step]).agrees


@_steps
@pytest.mark.parametrize("kind", ["equal", "differing"])
def test_librdkafka_agrees_with_its_own_cooperative_sticky(history, kind, step):
    found = replay(history["librdkafka", "cooperative-sticky", kind, step])

    assert (found.agrees, found.client) == (True, "librdkafka")


@_steps
def test_kafka_python_agrees_with_its_own_sticky(history, step):
    assert replay(history["kafka-python", "sticky", "equal", step]).agrees


def test_what_kafka_python_sent_is_read_and_its_sticky_answer_to_a_second_member_is_its_own(
    history,
):
    before, document = (
        history["kafka-python", "sticky", "equal", "one"],
        history["kafka-python", "sticky", "equal", "two"],
    )

    joined = {member.client_id: member.joined_with for member in document.members}
    found = replay(document)

    assert {name.rpartition("-")[2]: one.owned for name, one in joined.items()} == {
        "0": {"of-others-a": [0, 1, 2, 3, 4, 5, 6], "of-others-b": [0, 1, 2, 3]},
        "1": {},
    }
    assert [member.owned for member in before.members] == [
        joined[_name(("kafka-python", "sticky", "equal"), 0)].owned
    ]
    assert (found.agrees, found.client) == (True, "kafka-python")


@_steps
@pytest.mark.parametrize("assignor", ["range", "roundrobin"])
def test_librdkafka_agrees_with_its_own_order_of_static_members(history, assignor, step):
    found = replay(history["librdkafka", assignor, "static", step])

    assert (found.agrees, found.client) == (True, "librdkafka")


@_steps
@pytest.mark.parametrize("assignor", ["range", "roundrobin"])
def test_kafka_python_agrees_also_where_it_leaves_static_members_out(history, assignor, step):
    assert replay(history["kafka-python", assignor, "static", step]).agrees


@_steps
@pytest.mark.parametrize("assignor", _OF_THE_BROKER)
def test_the_broker_s_target_for_members_of_librdkafka_is_our_answer_to_the_target_before(
    history, assignor, step
):
    group, place = ("librdkafka", assignor, "equal"), list(_STEPS).index(step)
    before = history[*group, list(_STEPS)[place - 1]] if place else None

    assert answer_to(history[*group, step], assignor, before) == targets(history[*group, step])


def _as_sent(document):
    """Return the document with what each member sent when it joined."""
    members = [
        msgspec.structs.replace(
            one, owned=one.joined_with.owned, generation=one.joined_with.generation
        )
        for one in document.members
    ]
    return msgspec.structs.replace(document, members=members)


def _start(consumers, group, number, again=""):
    client, assignor, special = group
    topics = _FIRST if special == "differing" and number == 1 else _ALL
    is_static = special == "static" and number == 2
    if client == "kafka-python":
        consumers.start_kafka_python(
            _name(group, number, again),
            topics,
            _group_id(group, again),
            assignor,
            "static" if is_static else None,
        )
        return
    settings = {"partition_assignment_strategy": assignor}
    if assignor in _OF_THE_BROKER:
        settings = {
            "group_protocol": "consumer",
            "group_remote_assignor": assignor.removeprefix("broker-"),
        }
    if is_static:
        settings["group_instance_id"] = "static"
    name, group_id = _name(group, number, again), _group_id(group, again)
    consumers.start_librdkafka(name, topics, group_id, **settings)


def _name(group, number, again=""):
    return f"{_group_id(group, again)}-{number}"


def _group_id(group, again=""):
    return "-".join(("others", *group)) + again
