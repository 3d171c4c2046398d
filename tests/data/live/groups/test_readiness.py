"""Readiness against Kafka: real groups get their verdicts, joiners are accepted or refused as told, and restarts move what is predicted.

The joiner is librdkafka's; the groups are of Java, librdkafka and kafka-python.
"""

import pytest
from confluent_kafka import Consumer, KafkaError
from msgspec.json import encode

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.rounds.bounces import bounces
from evenkeel.assignors.rounds.mixed import Change
from evenkeel.data.columns import observed_from_document
from evenkeel.data.commands.answers.readiness import answered_live, document_of
from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.document import FORMAT, decode, with_partitions
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.readiness import live_readiness
from evenkeel.data.live.reading.topics import topics
from evenkeel.data.scenarios.leaders import client_of, in_use, led_by
from evenkeel.data.scenarios.run.group_step import remembering
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.data.live.histories import PROTOCOLS, stable_documents
from tests.waiting import until

_SIZE, _CANDIDATES = 6, 8
_CONSUMER = {"group_protocol": "consumer"}
_BOUNCED = {"ready-bounced-range": "range", "ready-bounced-sticky": "sticky", "ready-bounced-cooperative": "cooperative-sticky"}
_KNOWN = {"java": "4.0", "librdkafka": "2.12"}

VERDICTS = {
    "ready-java-range": ("note", "accepts", None, ["timeouts", "co-partitioned"]),
    "ready-java-static": ("note", "accepts", None, ["static", "timeouts"]),
    "ready-librdkafka-range": ("note", "accepts", None, ["timeouts", "co-partitioned"]),
    "ready-librdkafka-sticky": ("blocked", "refuses", "user-data", ["user-data", "timeouts"]),
    "ready-kafka-python": ("blocked", "accepts", None, ["client", "timeouts", "co-partitioned"]),
    "ready-empty": ("ready", "accepts", None, []),
    "ready-done": ("done", "accepts", None, []),
    "ready-mixed": ("note", "accepts", None, ["mixed", "timeouts", "ask-version"]),
}
"""These brokers have heartbeats of their own."""

_JOINED = ("ready-java-range", "ready-librdkafka-range", "ready-librdkafka-sticky", "ready-kafka-python", "ready-empty")


@pytest.fixture(scope="module")
def read(racks, java_consumers):
    """The lines of `--json` by group, what each joiner was told, and the bounced groups: before, and owners by client after each change."""
    names = _topics(racks)
    bootstrap = racks.profile.settings["bootstrap.servers"]
    with OtherConsumers(bootstrap) as others:
        _start(java_consumers, others, names)
        commit(racks.admin, "ready-empty", {(names[0], 0): 0})
        counts = {"ready-librdkafka-sticky": 1, "ready-mixed": 1}
        stable_documents(racks, counts)
        others.start_librdkafka("rs-1", names, "ready-librdkafka-sticky", partition_assignment_strategy="cooperative-sticky")
        java_consumers.start("mixed-1", ",".join(names), group_id="ready-mixed", **_CONSUMER)
        sizes = {name: 3 if name in _BOUNCED or name == "ready-java-range" else 2 for name in (*VERDICTS, *_BOUNCED)}
        sizes |= {"ready-kafka-python": 1, "ready-done": 1}
        before = stable_documents(racks, {name: size for name, size in sizes.items() if name != "ready-empty"})
        lines = _lines(racks, [*VERDICTS, *_BOUNCED])
        found = {name: _joined(bootstrap, name, names) for name in _JOINED}
        done = _bounce(racks, java_consumers, {name: before[name] for name in _BOUNCED}, lines, ",".join(names))
    java_consumers.stop_all()
    yield lines, found, {name: before[name] for name in _BOUNCED}, done
    for deleted in racks.admin.delete_topics([_topic(number) for number in range(_CANDIDATES)]).values():
        deleted.exception()


def test_every_kind_of_group_has_its_verdict(read):
    lines, *_ = read

    found = {
        name: (one["verdict"], one["broker"], one["refusal"], [reason["code"] for reason in one["reasons"]])
        for name, one in lines.items()
        if name in VERDICTS
    }

    assert found == VERDICTS


def test_the_broker_accepts_and_refuses_as_told(read):
    lines, joined, *_ = read

    assert joined == {name: lines[name]["broker"] for name in _JOINED}


def test_a_member_that_the_broker_tells_is_classic_or_consumer(read):
    line = read[0]["ready-mixed"]

    assert [(one["client_id"], one["stopped"]["type"]) for one in line["steps"]] == [("mixed-0", "consumer")]


@pytest.mark.parametrize("name", _BOUNCED)
def test_every_stop_and_start_moves_what_is_predicted_for_the_ids_that_members_got(read, name):
    _, _, documents, done = read
    observed = observed_from_document(documents[name])
    order = [observed.client_id.index(client) for client in done[name].order]
    ids = {observed.client_id.index(client): member_id for client, member_id in done[name].ids.items()}
    before = remembering(led_by(client_of(observed.leader))[in_use(observed)](), observed)
    change = Change(before, ASSIGNORS["uniform"]())

    way = bounces(observed.snapshot, observed.current, change, order, ids=ids, draws=1)

    assert [_by_client(observed, one.owner) for bounce in way for one in (bounce.stopped, bounce.started)] == done[name].owners


@pytest.mark.parametrize("name", _BOUNCED)
def test_what_is_certain_beforehand_happens_and_as_many_partitions_move(read, name):
    lines, _, _, done = read
    clients = {one["member_id"]: one["client_id"] for one in lines[name]["clients"]}
    told = [one[key] for one in lines[name]["steps"] for key in ("stopped", "started")]
    certain = [place for place, one in enumerate(told) if one["certain"]]

    owners = [{clients[member]: topics for member, topics in told[place]["owners"].items() if topics} for place in certain]

    assert 0 in certain
    assert owners == [done[name].owners[place] for place in certain]
    assert [one["moved"] for one in told] == done[name].moved


class _Done:
    """What happened to a group: clients in the order of their restarts, their new member ids, owners by client, moves."""

    def __init__(self, order, document):
        self.order, self.ids, self.owners, self.moved = order, {}, [], []
        self._last = _owners(document)

    def add(self, document):
        """Add the owners after a change."""
        now = _owners(document)
        had, has = _places(self._last), _places(now)
        self.owners.append(now)
        self.moved.append(sum(has[place] != had[place] for place in has.keys() & had.keys()))
        self._last = now


def _topic(number):
    return f"readiness-{number}"


def _topics(connection):
    """Create topics; return three whose ids share no bucket of Java's maps: there the leader's own order of topics counts, which no answer tells."""
    names = [_topic(number) for number in range(_CANDIDATES)]
    for name in names:
        create_topic(connection.admin, name, _SIZE)
    found, _ = until(lambda: (some := topics(connection, names)) and len(some[0]) == _CANDIDATES and some)
    group = observed_from_document(
        decode(encode({"format": FORMAT, "members": [], "topics": [_document(name, found[name]) for name in names]}))
    )
    hashes = group.snapshot.topic_uuid_hash
    buckets = {int((one ^ (one >> 16)) & 15): name for one, name in zip(hashes.tolist(), group.snapshot.topic_name, strict=True)}
    return sorted(buckets.values())[:3]


def _document(name, topic):
    return {"name": name, "partitions": len(topic.racks), "topic_id": topic.topic_id}


def _start(java, others, topics):
    names = ",".join(topics)
    for number in range(3):
        java.start(f"java-range-{number}", names, group_id="ready-java-range", **PROTOCOLS["range"])
        for name, protocol in _BOUNCED.items():
            java.start(f"{name}-{number}", names, group_id=name, **PROTOCOLS[protocol])
    for number in range(2):
        instance = {"group_instance_id": f"static-{number}"}
        java.start(f"java-static-{number}", names, group_id="ready-java-static", **PROTOCOLS["range"], **instance)
        others.start_librdkafka(f"rr-{number}", topics, "ready-librdkafka-range", partition_assignment_strategy="range")
    others.start_librdkafka("rs-0", topics, "ready-librdkafka-sticky", partition_assignment_strategy="cooperative-sticky")
    others.start_kafka_python("kp-0", topics, "ready-kafka-python", "range")
    java.start("done-0", names, group_id="ready-done", **_CONSUMER)
    java.start("mixed-0", names, group_id="ready-mixed", **PROTOCOLS["range"])


def _lines(connection, names):
    found = live_readiness(connection, names)
    return {one["group_id"]: one for one in map(document_of, answered_live(found, {}, _KNOWN))}


def _joined(bootstrap, group_id, topics):
    """Let a member of the consumer protocol join; return what the broker does."""
    joiner = Consumer({"bootstrap.servers": bootstrap, "group.id": group_id, "group.protocol": "consumer", "log_level": 0})
    joiner.subscribe(topics)

    def told():
        message = joiner.poll(0.2)
        if message is not None and message.error() and message.error().code() == KafkaError._FATAL:
            return "refuses"
        return "accepts" if joiner.assignment() else None

    try:
        return until(told)
    finally:
        joiner.close()


def _bounce(connection, java, before, lines, names):
    """Restart every member as a consumer, one at a time in each group, all groups at once."""
    done = {name: _Done([one["client_id"] for one in lines[name]["steps"]], document) for name, document in before.items()}
    for place in range(3):
        for name, one in done.items():
            java.stop(one.order[place])
        for name, document in stable_documents(connection, dict.fromkeys(done, 2)).items():
            done[name].add(document)
        for name, one in done.items():
            java.start(one.order[place], names, group_id=name, **_CONSUMER)
        for name, document in stable_documents(connection, dict.fromkeys(done, 3)).items():
            client = done[name].order[place]
            done[name].ids[client] = next(one.member_id for one in document.members if one.client_id == client)
            done[name].add(document)
    return done


def _owners(document):
    owned = {one.client_id: {topic: sorted(numbers) for topic, numbers in sorted((one.owned or {}).items())} for one in document.members}
    return {client: dict(with_partitions(topics)) for client, topics in owned.items() if any(topics.values())}


def _places(owners):
    return {(topic, number): client for client, topics in owners.items() for topic, numbers in topics.items() for number in numbers}


def _by_client(observed, owner):
    group, found = observed.snapshot, {}
    for tp in range(group.tp_count):
        if owner[tp] >= 0:
            topics = found.setdefault(observed.client_id[owner[tp]], {})
            topics.setdefault(group.topic_name[group.tp_topic[tp]], []).append(int(group.tp_partition[tp]))
    return found


# A broker with other settings: what it says of itself decides, and it does as told.


def test_a_broker_that_allows_no_upgrade_refuses_whatever_the_group_is_and_takes_an_empty_one():
    settings = {"group.consumer.migration.policy": "downgrade", "group.consumer.max.size": "1"}
    with Brokers(settings=settings) as brokers, OtherConsumers(brokers.bootstrap()) as others:
        connection = Connection(Profile("other", {"bootstrap.servers": brokers.bootstrap()}))
        create_topic(connection.admin, "readiness-0", 2)
        for number in range(2):
            others.start_librdkafka(f"other-{number}", ["readiness-0"], "other", partition_assignment_strategy="range")
        commit(connection.admin, "other-empty", {("readiness-0", 0): 0})
        stable_documents(connection, {"other": 2})
        lines = _lines(connection, ["other", "other-empty"])
        told = {name: _joined(brokers.bootstrap(), name, ["readiness-0"]) for name in lines}
        connection.close()

    assert (lines["other"]["refusal"], [one["code"] for one in lines["other"]["reasons"]]) == ("policy", ["policy", "size"])
    assert told == {name: one["broker"] for name, one in lines.items()} == {"other": "refuses", "other-empty": "accepts"}


def test_a_broker_without_the_protocol_says_so_although_it_lists_its_requests():
    with Brokers(settings={"group.coordinator.rebalance.protocols": "classic"}) as brokers:
        connection = Connection(Profile("off", {"bootstrap.servers": brokers.bootstrap()}))
        create_topic(connection.admin, "readiness-0", 2)
        commit(connection.admin, "off", {("readiness-0", 0): 0})
        lines = _lines(connection, ["off"])
        connection.close()

    assert (lines["off"]["verdict"], lines["off"]["broker"], lines["off"]["refusal"]) == ("blocked", "refuses", "protocol-off")
