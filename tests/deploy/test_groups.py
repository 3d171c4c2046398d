"""Real groups that run Evenkeel's assignors: every assignment is the answer of `evenkeel assign` to inputs that are read independently."""

import json
from typing import NamedTuple

import msgspec
import pytest
from confluent_kafka import Producer

from evenkeel.assignors import ASSIGNORS
from evenkeel.data.columns import assignment_by_name, observed_from_document
from evenkeel.data.commands.assign import answer
from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.live.connection import Connection
from tests.brokers.commits import commit
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.data.live.histories import stable_documents, targets

_TOPICS = {"by-lag-a": 7, "by-lag-b": 4}
_ALL, _FIRST = list(_TOPICS), ["by-lag-a"]
_STEPS = {"one": 1, "two": 2, "three": 3, "lags changed, the leader left": 2, "one more": 3, "one left": 2}


class _Kind(NamedTuple):
    """A group; `clients`: of its members in the order in which they join. `reset`: where nothing is committed."""

    name: str
    clients: str
    assignor: str = "lag"
    reset: str | None = None
    is_special: bool = False


_KINDS = [
    _Kind("kafka-python", "kkkk"),
    _Kind("cooperative", "kkkk", "cooperative-lag"),
    _Kind("aiokafka", "aaaa"),
    _Kind("both clients", "kaak"),
    _Kind("without commits, differing, static", "kkka", reset="earliest", is_special=True),
    _Kind("without commits, from the end", "akka", reset="latest"),
]


@pytest.fixture(scope="module")
def connection(broker):
    found = Connection(Profile("local", {"bootstrap.servers": broker.bootstrap()}))
    for topic, size in _TOPICS.items():
        create_topic(found.admin, topic, size)
    yield found
    for done in found.admin.delete_topics(_ALL).values():
        done.exception()
    found.close()


@pytest.fixture(scope="module")
def walk(broker, connection, tmp_path_factory):
    """Documents by kind and step, and the journal of each kind; the groups live at the same time."""
    folder, found = tmp_path_factory.mktemp("journals"), {}
    _produce(broker, lambda place: 7 + 13 * place % 40)
    for kind in _KINDS:
        if kind.reset is None:
            commit(connection.admin, kind.name, {(topic, one): one for topic, size in _TOPICS.items() for one in range(size)})
    with OtherConsumers(broker.bootstrap()) as consumers:
        for step, count in _STEPS.items():
            if step == "lags changed, the leader left":
                _produce(broker, lambda place: 11 * place % 60)
            for kind in _KINDS:
                _act(consumers, kind, step, folder)
            found |= {(kind.name, step): one for kind, one in _documents(connection, count)}
    return found, {kind.name: [json.loads(line) for line in (folder / kind.name).open()] for kind in _KINDS}


def _documents(connection, count):
    documents = stable_documents(connection, {kind.name: count for kind in _KINDS})
    return [(kind, documents[kind.name]) for kind in _KINDS]


def _act(consumers, kind, step, folder):
    if step in ("lags changed, the leader left", "one left"):
        # A static member would leave without a word.
        consumers.stop(f"{kind.name}-{0 if step.startswith('lags') else 1}")
        return
    number = {"one": 0, "two": 1, "three": 2, "one more": 3}[step]
    topics = _FIRST if kind.is_special and number == 1 else _ALL
    start = consumers.start_kafka_python if kind.clients[number] == "k" else consumers.start_aiokafka
    settings = {"auto_offset_reset": kind.reset} if kind.reset else {}
    more = {"settings": settings, "journal": str(folder / kind.name)}
    start(f"{kind.name}-{number}", topics, kind.name, kind.assignor, instance_id="s" if kind.is_special and number == 2 else None, **more)


def _produce(broker, count):
    producer = Producer({"bootstrap.servers": broker.bootstrap(), "linger.ms": 5})
    places = [(topic, one) for topic, size in _TOPICS.items() for one in range(size)]
    for number, (topic, partition) in enumerate(places):
        for _ in range(count(number)):
            producer.produce(topic, b"x", partition=partition)
    assert producer.flush(60) == 0


def _by_lag(document):
    observed = observed_from_document(document)
    return assignment_by_name(observed, ASSIGNORS["lag"]().assign(observed.snapshot))


@pytest.mark.parametrize("step", _STEPS)
@pytest.mark.parametrize("kind", _KINDS, ids=lambda kind: kind.name)
def test_a_group_has_what_evenkeel_assign_answers(walk, kind, step):
    document = walk[0][kind.name, step]

    assert document.assignor == kind.assignor
    assert targets(document) == _by_lag(msgspec.structs.replace(document, auto_offset_reset=kind.reset or "latest"))


@pytest.mark.parametrize("kind", _KINDS, ids=lambda kind: kind.name)
def test_every_line_of_the_journal_is_what_evenkeel_assign_answers(walk, kind):
    lines = walk[1][kind.name]

    assert len(lines) >= len(_STEPS)
    assert [(line["kept"], line["why"]) for line in lines] == [([], None)] * len(lines)
    assert [answer(json.dumps(line["request"]).encode()).assignment for line in lines] == [line["assignment"] for line in lines]
