"""Readiness against Kafka: real groups get their verdicts, joiners are accepted or refused as told,
and restarts move what is predicted.

The joiner is librdkafka's; the groups are of Java, librdkafka and kafka-python.
"""

from contextlib import ExitStack
from itertools import count
from typing import NamedTuple

import pytest
from confluent_kafka import Consumer, KafkaError
from msgspec.json import encode

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.readiness.bounces import bounces
from evenkeel.assignors.rounds.mixed import Change
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import FORMAT, decode, with_partitions
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.readiness import live_readiness
from evenkeel.data.live.reading.topics import topics
from evenkeel.data.readiness.groups import answered_live, document_of
from evenkeel.data.scenarios.leaders import client_of, in_use, led_by
from evenkeel.data.scenarios.run.group_step import remembering
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit
from tests.brokers.connecting import connected
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.raw_members import RawMembers, assignment, subscription
from tests.brokers.topics import create_topic
from tests.data.live.histories import PROTOCOLS, QUICK_HEARTBEATS, stable_documents
from tests.waiting import until

_SIZE, _CANDIDATES = 6, 8
_PATTERN = "^readiness-.*"
_CONSUMER = {"group_protocol": "consumer"}
_RACKS = "ready-bounced-racks"
_BOUNCED = {
    "ready-bounced-range": "range",
    "ready-bounced-sticky": "sticky",
    "ready-bounced-cooperative": "cooperative-sticky",
    _RACKS: "range",
}
_KNOWN = {"java": "4.0", "librdkafka": "2.12"}

VERDICTS = {
    "ready-java-range": ("note", "accepts", None, ["timeouts", "co-partitioned"]),
    "ready-java-static": ("note", "accepts", None, ["static", "timeouts"]),
    "ready-librdkafka-range": ("note", "accepts", None, ["timeouts", "co-partitioned"]),
    "ready-librdkafka-sticky": ("blocked", "refuses", "user-data", ["user-data", "timeouts"]),
    "ready-kafka-python": ("blocked", "accepts", None, ["client", "timeouts", "co-partitioned"]),
    "ready-empty": ("ready", "accepts", None, []),
    "ready-done": ("done", "accepts", None, []),
    "ready-mixed": ("note", "accepts", None, ["mixed", "regex", "timeouts", "ask-version"]),
    "ready-aiokafka": ("blocked", "accepts", None, ["client", "timeouts", "co-partitioned"]),
    "ready-java-pattern": ("note", "accepts", None, ["timeouts", "co-partitioned"]),
    "ready-connect": ("blocked", "refuses", "protocol-type", ["protocol-type"]),
    "ready-custom-data": (
        "blocked",
        "refuses",
        "user-data",
        ["user-data", "timeouts", "co-partitioned", "ask-version"],
    ),
    "ready-custom": ("note", "accepts", None, ["timeouts", "co-partitioned", "ask-version"]),
    "ready-malformed": ("blocked", "refuses", "malformed", ["malformed", "client", "timeouts"]),
    "ready-rebalancing": (
        "unknown",
        "accepts",
        None,
        ["rebalancing", "timeouts", "co-partitioned"],
    ),
    _RACKS: ("note", "accepts", None, ["timeouts", "co-partitioned", "racks"]),
}
"""These brokers have heartbeats of their own."""

_SIZES = dict.fromkeys(
    ("ready-kafka-python", "ready-done", "ready-aiokafka", "ready-custom-data", "ready-custom"), 1
)
_SIZES |= {
    "ready-java-range": 3,
    "ready-java-static": 2,
    "ready-librdkafka-range": 2,
    "ready-librdkafka-sticky": 2,
}
_SIZES |= {"ready-mixed": 2, "ready-java-pattern": 2}
"""Members of the groups that come to rest."""

_CLIENTS = ("ready-librdkafka-sticky", "ready-librdkafka-range")
"""What a client hears is tried with these alone: it takes its time."""

_SAYS = {
    None: (0, None),
    "policy": (69, "because online upgrade is disabled"),
    "protocol-type": (69, "because the group does not use the consumer embedded protocol"),
    "size": (69, "because the group size exceeds the consumer group maximum size"),
    "malformed": (69, "because the embedded consumer protocol is malformed"),
    "user-data": (69, "because an unsupported custom assignor is in use"),
    "first-rebalance": (-1, None),
    "protocol-off": (35, None),
}
"""The broker's error code and its words, by refusal."""


@pytest.fixture(scope="module")
def read(racks, java_consumers):
    """What the brokers have of each kind of group, and what they and a client then did."""
    names, bootstrap = _topics(racks), racks.profile.settings["bootstrap.servers"]
    with OtherConsumers(bootstrap) as others, RawMembers(bootstrap) as raw:
        _start(java_consumers, others, raw, names)
        commit(racks.admin, "ready-empty", {(names[0], 0): 0})
        stable_documents(
            racks, {"ready-librdkafka-sticky": 1, "ready-mixed": 1, "ready-rebalancing": 1}
        )
        others.start_librdkafka(
            "rs-1",
            names,
            "ready-librdkafka-sticky",
            partition_assignment_strategy="cooperative-sticky",
        )
        others.start_librdkafka("mixed-1", [_PATTERN], "ready-mixed", group_protocol="consumer")
        raw.begin("ready-rebalancing", "consumer", "range", subscription(names))
        before = stable_documents(racks, {**dict.fromkeys(_BOUNCED, 3), **_SIZES})
        lines = _lines(racks, [*VERDICTS, *_BOUNCED])
        told = {name: raw.joins(name, names) for name in VERDICTS if name not in _BOUNCED}
        clients = {name: _joined(bootstrap, name, names) for name in _CLIENTS}
        done = _bounce(
            racks, java_consumers, {name: before[name] for name in _BOUNCED}, lines, ",".join(names)
        )
    java_consumers.stop_all()
    yield _Read(lines, told, clients, {name: before[name] for name in _BOUNCED}, done)
    for deleted in racks.admin.delete_topics(
        [_topic(number) for number in range(_CANDIDATES)]
    ).values():
        deleted.exception()


class _Read(NamedTuple):
    """The lines of `--json` by group; what the broker said to a raw member, and what a client
    heard; bounced groups before and after.
    """

    lines: dict
    told: dict
    clients: dict
    documents: dict
    done: dict


def test_every_kind_of_group_has_its_verdict(read):
    found = {
        name: (one["verdict"], one["broker"], one["refusal"], _codes(one))
        for name, one in read.lines.items()
        if name in VERDICTS
    }
    # What a consumer member and a classic one have in common is chance.
    found["ready-mixed"][-1][:] = [
        code for code in found["ready-mixed"][-1] if code != "co-partitioned"
    ]

    assert found == VERDICTS


def test_the_broker_accepts_and_refuses_for_the_reason_that_is_told(read):
    _assert_told(read.lines, read.told)


def test_a_client_hears_only_that_it_is_refused(read):
    assert read.clients == {name: read.lines[name]["broker"] for name in _CLIENTS}


def test_a_member_that_the_broker_tells_is_classic_or_consumer(read):
    line = read.lines["ready-mixed"]

    assert [(one["client_id"], one["stopped"]["type"]) for one in line["steps"]] == [
        ("mixed-0", "consumer")
    ]


@pytest.mark.parametrize("name", _BOUNCED)
def test_every_stop_and_start_moves_what_is_predicted_for_the_ids_that_members_got(read, name):
    done = read.done[name]
    observed = observed_from_document(read.documents[name])
    order = [observed.client_id.index(client) for client in done.order]
    ids = {observed.client_id.index(client): member_id for client, member_id in done.ids.items()}
    before = remembering(led_by(client_of(observed.leader))[in_use(observed)](), observed)
    change = Change(before, ASSIGNORS["uniform"]())

    way = bounces(observed.snapshot, observed.current, change, order, ids=ids, draws=1)

    assert [
        _by_client(observed, one.owner)
        for bounce in way
        for one in (bounce.stopped, bounce.started)
    ] == done.owners


@pytest.mark.parametrize("name", _BOUNCED)
def test_what_is_certain_beforehand_happens_and_as_many_partitions_move(read, name):
    line, done = read.lines[name], read.done[name]
    clients = {one["member_id"]: one["client_id"] for one in line["clients"]}
    told = [one[key] for one in line["steps"] for key in ("stopped", "started")]
    certain = [place for place, one in enumerate(told) if one["certain"]]

    owners = [
        {clients[member]: topics for member, topics in told[place]["owners"].items() if topics}
        for place in certain
    ]

    assert 0 in certain
    assert owners == [done.owners[place] for place in certain]
    # What moves later depends on who got what before.
    least, most = told[1]["moved_between"]
    assert told[0]["moved"] == done.moved[0]
    assert least <= done.moved[1] <= most


def test_partitions_in_the_racks_of_their_readers_are_counted_as_the_brokers_have_them(read):
    document = read.documents[_RACKS]
    near = {
        (topic.name, number): one.racks
        for topic in document.topics
        for number, one in enumerate(topic.partitions)
    }
    read_near = [
        one.rack in near[topic, number]
        for one in document.members
        for topic, some in one.owned.items()
        for number in some
    ]

    told = read.lines[_RACKS]["switch"]["racks"]["local"]["before"]

    assert len(read_near) == 3 * _SIZE
    assert 0 < told == sum(read_near)


class _Done:
    """What happened to a group: clients in the order of their restarts, their new member ids,
    owners by client, moves.
    """

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
    """Create topics; return three whose ids share no bucket of Java's maps: there the leader's own
    order of topics counts, which no answer tells.
    """
    names = [_topic(number) for number in range(_CANDIDATES)]
    for name in names:
        create_topic(connection.admin, name, _SIZE)
    found, _ = until(
        lambda: (some := topics(connection, names)) and len(some[0]) == _CANDIDATES and some
    )
    group = observed_from_document(
        decode(
            encode(
                {
                    "format": FORMAT,
                    "members": [],
                    "topics": [_document(name, found[name]) for name in names],
                }
            )
        )
    )
    hashes = group.snapshot.topic_uuid_hash
    buckets = {
        int((one ^ (one >> 16)) & 15): name
        for one, name in zip(hashes.tolist(), group.snapshot.topic_name, strict=True)
    }
    return sorted(buckets.values())[:3]


def _document(name, topic):
    return {"name": name, "partitions": len(topic.racks), "topic_id": topic.topic_id}


def _start(java, others, raw, topics):
    names = ",".join(topics)
    for number in range(3):
        java.start(f"java-range-{number}", names, group_id="ready-java-range", **PROTOCOLS["range"])
        for name, protocol in _BOUNCED.items():
            java.start(
                f"{name}-{number}",
                names,
                group_id=name,
                **PROTOCOLS[protocol],
                **_rack(name, number),
            )
    for number in range(2):
        instance = {"group_instance_id": f"static-{number}"}
        java.start(
            f"java-static-{number}",
            names,
            group_id="ready-java-static",
            **PROTOCOLS["range"],
            **instance,
        )
        java.start(
            f"java-pattern-{number}", _PATTERN, group_id="ready-java-pattern", **PROTOCOLS["range"]
        )
        others.start_librdkafka(
            f"rr-{number}", topics, "ready-librdkafka-range", partition_assignment_strategy="range"
        )
    others.start_librdkafka(
        "rs-0",
        topics,
        "ready-librdkafka-sticky",
        partition_assignment_strategy="cooperative-sticky",
    )
    others.start_kafka_python("kp-0", topics, "ready-kafka-python", "range")
    others.start_aiokafka("ak-0", topics, "ready-aiokafka", "range")
    java.start("done-0", names, group_id="ready-done", **_CONSUMER)
    java.start("mixed-0", names, group_id="ready-mixed", **PROTOCOLS["range"])
    _join_raw(raw, topics)


def _join_raw(raw, topics):
    """Form groups of one member each, of clients that are not at hand: Kafka Connect, custom
    assignors, and one that sends garbage.
    """
    sent, owned = subscription(topics), {topic: range(_SIZE) for topic in topics}
    raw.join("ready-connect", "connect", "sessioned", b"\0\1" + bytes(10), b"\0\1" + bytes(12))
    raw.join("ready-custom-data", "consumer", "by-weight", sent, assignment(owned, b"weights"))
    raw.join("ready-custom", "consumer", "by-name", sent, assignment(owned))
    raw.join("ready-malformed", "consumer", "range", sent, b"\0\0\0\0")
    raw.join("ready-rebalancing", "consumer", "range", sent, assignment(owned))


def _rack(name, number):
    return {"client_rack": "abc"[number]} if name == _RACKS else {}


def _assert_told(lines, told):
    """Compare what the broker said to a member that joined with the line about the group."""
    for name, one in told.items():
        code, words = _SAYS[lines[name]["refusal"]]
        assert (name, one.code) == (name, code)
        assert words is None or words in one.message
        assert (name, lines[name]["broker"]) == (name, "refuses" if code else "accepts")


def _lines(connection, names):
    found = live_readiness(connection, names)
    return {one["group_id"]: one for one in map(document_of, answered_live(found, {}, _KNOWN))}


def _joined(bootstrap, group_id, topics):
    """Let a member of the consumer protocol join; return what the broker does."""
    joiner = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": group_id,
            "group.protocol": "consumer",
            "log_level": 0,
        }
    )
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
    done = {
        name: _Done([one["client_id"] for one in lines[name]["steps"]], document)
        for name, document in before.items()
    }
    for place in range(3):
        for one in done.values():
            java.stop(one.order[place])
        for name, document in stable_documents(connection, dict.fromkeys(done, 2)).items():
            done[name].add(document)
        for name, one in done.items():
            java.start(one.order[place], names, group_id=name, **_CONSUMER)
        for name, document in stable_documents(connection, dict.fromkeys(done, 3)).items():
            client = done[name].order[place]
            done[name].ids[client] = next(
                one.member_id for one in document.members if one.client_id == client
            )
            done[name].add(document)
    return done


def _owners(document):
    owned = {
        one.client_id: {
            topic: sorted(numbers) for topic, numbers in sorted((one.owned or {}).items())
        }
        for one in document.members
    }
    return {
        client: dict(with_partitions(topics))
        for client, topics in owned.items()
        if any(topics.values())
    }


def _places(owners):
    return {
        (topic, number): client
        for client, topics in owners.items()
        for topic, numbers in topics.items()
        for number in numbers
    }


def _by_client(observed, owner):
    group, found = observed.snapshot, {}
    for tp in range(group.tp_count):
        if owner[tp] >= 0:
            topics = found.setdefault(observed.client_id[owner[tp]], {})
            topics.setdefault(group.topic_name[group.tp_topic[tp]], []).append(
                int(group.tp_partition[tp])
            )
    return found


# Brokers with other settings: what they say of themselves decides, and they do as told.


@pytest.fixture
def other():
    """A function (settings) -> a connection to a broker with them, consumers and raw members on it;
    and the topic readiness-0.
    """
    with ExitStack() as opened:

        def started(settings):
            brokers = opened.enter_context(Brokers(settings=settings))
            connection = connected(brokers, "other")
            opened.callback(connection.close)
            create_topic(connection.admin, "readiness-0", 4)
            until(lambda: topics(connection, ["readiness-0"])[0])
            consumers, raw = OtherConsumers(brokers.bootstrap()), RawMembers(brokers.bootstrap())
            return connection, opened.enter_context(consumers), opened.enter_context(raw)

        yield started


def test_a_broker_that_allows_no_upgrade_refuses_whatever_the_group_is_and_takes_an_empty_one(
    other,
):
    connection, consumers, raw = other(
        {"group.consumer.migration.policy": "downgrade", "group.consumer.max.size": "1"}
    )
    for number in range(2):
        consumers.start_librdkafka(
            f"other-{number}", ["readiness-0"], "other", partition_assignment_strategy="range"
        )
    commit(connection.admin, "other-empty", {("readiness-0", 0): 0})
    stable_documents(connection, {"other": 2})

    lines = _lines(connection, ["other", "other-empty"])

    assert (lines["other"]["refusal"], _codes(lines["other"])) == ("policy", ["policy", "size"])
    _assert_told(lines, {name: raw.joins(name, ["readiness-0"]) for name in lines})


def test_a_broker_without_the_protocol_says_so_although_it_lists_its_requests(other):
    connection, _, raw = other({"group.coordinator.rebalance.protocols": "classic"})
    commit(connection.admin, "off", {("readiness-0", 0): 0})

    lines = _lines(connection, ["off"])

    assert (lines["off"]["verdict"], lines["off"]["broker"], lines["off"]["refusal"]) == (
        "blocked",
        "refuses",
        "protocol-off",
    )
    _assert_told(lines, {"off": raw.joins("off", ["readiness-0"])})


_FIRST_SECONDS = 3
_UPGRADE = {
    "group.consumer.migration.policy": "upgrade",
    "group.consumer.max.size": "3",
    "group.initial.rebalance.delay.ms": str(1000 * _FIRST_SECONDS),
} | QUICK_HEARTBEATS


def test_with_the_policy_upgrade_groups_are_full_too_large_new_or_about_to_be_refused(
    other,
):
    connection, consumers, raw = other(_UPGRADE)
    names = ["readiness-0"]
    for group, member_count, assignor in (
        ("full", 3, "range"),
        ("large", 4, "range"),
        ("soon", 2, "cooperative-sticky"),
    ):
        for number in range(member_count):
            consumers.start_librdkafka(
                f"{group}-{number}", names, group, partition_assignment_strategy=assignor
            )
    first = _while_first(connection, raw, names)
    stable_documents(connection, {"full": 3, "large": 4, "soon": 2})

    lines = _lines(connection, ["full", "large", "soon"]) | {"first": first[0]}
    told = {"large": raw.joins("large", names), "first": first[1]}
    extra = raw.joins("full", names)

    assert {
        name: (one["verdict"], one["broker"], one["refusal"], _codes(one))
        for name, one in lines.items()
    } == {
        "full": ("note", "accepts", None, ["full", "no-way-back", "timeouts"]),
        "large": ("blocked", "refuses", "size", ["size", "no-way-back", "timeouts"]),
        "soon": ("note", "accepts", None, ["user-data-soon", "no-way-back", "timeouts"]),
        "first": (
            "unknown",
            "refuses",
            "first-rebalance",
            ["first-rebalance", "rebalancing", "no-way-back", "timeouts"],
        ),
    }
    _assert_told(lines, told)
    assert extra.code == _GROUP_IS_FULL
    _assert_bounces_only_beside_an_extra_member(connection, consumers, raw, lines["soon"])
    _assert_no_way_back(connection, consumers, lines["full"])


_GROUP_IS_FULL = 81


def _codes(line):
    return [reason["code"] for reason in line["reasons"]]


def _while_first(connection, raw, names):
    """Return the line about a group whose first rebalance goes on, and what a joiner is told
    meanwhile; try until that was in time.
    """
    tried = count()

    def found():
        group = f"first-{next(tried)}"
        raw.begin(group, "consumer", "range", subscription(names))
        if not _listed(connection, group):
            return None
        line, told = _lines(connection, [group])[group], raw.joins(group, names)
        return (
            (line, told)
            if line["state"] == "PreparingRebalance" == _listed(connection, group).state
            else None
        )

    return until(found)


def _listed(connection, group):
    return next((one for one in connection.raw.listed() if one.group_id == group), None)


def _assert_bounces_only_beside_an_extra_member(connection, consumers, raw, line):
    """The plan begins with an extra member, and the broker takes restarted members while it is
    there.
    """
    assert [one["member_id"] for one in line["steps"]][0::3] == ["extra consumer member"] * 2
    consumers.start_librdkafka("soon-extra", ["readiness-0"], "soon", group_protocol="consumer")
    stable_documents(connection, {"soon": 3})
    consumers.stop("soon-0")
    stable_documents(connection, {"soon": 2})

    assert raw.joins("soon", ["readiness-0"]).code == 0


def _assert_no_way_back(connection, consumers, line):
    """What the last consumer member had has no owner when it has left."""
    one = line["steps"][0]
    consumers.stop(one["client_id"])
    stable_documents(connection, {"full": 2})
    consumers.start_librdkafka("full-new", ["readiness-0"], "full", group_protocol="consumer")
    stable_documents(connection, {"full": 3})
    consumers.stop("full-new")
    owned = until(lambda: _owned_of(connection, "full", 2))

    assert one["back"] == {"open": False, "restarts": 1, "moved": None, "without_owner": 4 - owned}


def _owned_of(connection, group, member_count):
    (listed,) = [one for one in connection.ask(connection.raw.listed) if one.group_id == group]
    (found,) = live_groups(connection, [listed])
    members = found.document.members
    return len(members) == member_count and sum(
        len(numbers) for one in members for numbers in (one.owned or {}).values()
    )
