"""Real groups that run Evenkeel's assignors: every assignment is the answer of `evenkeel assign` to
inputs that are read independently.

Where lags cannot be read, owners keep their partitions, and the group goes on.
"""

import json
import os
import re
import signal
import socket
from contextlib import redirect_stdout
from io import StringIO
from threading import Event, Thread
from typing import NamedTuple

import pytest
from confluent_kafka import Producer
from evenkeel_assignors import rule
from evenkeel_assignors.__main__ import main
from evenkeel_assignors.kafka_lags import KafkaPythonReads
from evenkeel_assignors.kafka_python import LagAssignor
from kafka import KafkaConsumer

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.group.lag import page_lag
from evenkeel.data.compare.assign_command import answer
from evenkeel.data.group.columns import assignment_by_name, observed_from_document
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.replay import replay
from evenkeel.data.scenarios.leaders import runs_ours
from tests.brokers.commits import commit
from tests.brokers.connecting import connected
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.data.live.histories import stable_documents, targets
from tests.waiting import until

_LIMIT_SECONDS = 240
_TOPICS = {"by-lag-a": 7, "by-lag-b": 4}
_ALL, _FIRST = list(_TOPICS), ["by-lag-a"]
_STEPS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "lags changed, the leader left": 2,
    "one more": 3,
    "one left": 2,
}


class _Kind(NamedTuple):
    """A group; `clients`: of its members in the order in which they join. `reset`: where nothing is
    committed.
    """

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


class _Fault(NamedTuple):
    """A group that cannot read its lags: of the first member's client, then of the other, if there
    is one. `why`: begins the reason, where it is no time limit.
    """

    name: str
    clients: str
    read_with: str
    why: str


_FAULTS = [
    _Fault("no answer, kafka-python", "ka", "silent", "KafkaTimeoutError"),
    _Fault("no answer, aiokafka", "ak", "silent", "KafkaConnectionError"),
    _Fault("port closed, kafka-python", "k", "closed", "KafkaTimeoutError"),
    _Fault("port closed, aiokafka", "a", "closed", "KafkaConnectionError"),
    _Fault("refused, kafka-python", "k", "refused", "KafkaTimeoutError"),
    _Fault("refused, aiokafka", "a", "refused", "KafkaConnectionError"),
]


_ROLLING = _Kind("rolling", "kkkk", "range")
"""Members 0 and 1 list range, 2 and 3 lag before range."""


@pytest.fixture(scope="module")
def connection(broker):
    found = connected(broker, "local")
    for topic, size in _TOPICS.items():
        create_topic(found.admin, topic, size)
    # A poll without end returns with a record.
    _produce(broker, lambda place: 1)
    yield found
    for done in found.admin.delete_topics(_ALL).values():
        done.exception()
    found.close()


@pytest.fixture(scope="module")
def walk(broker, connection, tmp_path_factory):
    """Documents by kind and step, and the journal of each kind; the groups live at the same
    time.
    """
    folder, found = tmp_path_factory.mktemp("journals"), {}
    _produce(broker, lambda place: 7 + 13 * place % 40)
    for kind in _KINDS:
        if kind.reset is None:
            commit(
                connection.admin,
                kind.name,
                {(topic, one): one for topic, size in _TOPICS.items() for one in range(size)},
            )
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        OtherConsumers(broker.bootstrap()) as consumers,
    ):
        reads = _reads(broker, silent)
        for step, count in _STEPS.items():
            if step == "lags changed, the leader left":
                _produce(broker, lambda place: 11 * place % 60)
            for kind in (*_KINDS, _ROLLING):
                _act(consumers, kind, step, folder)
            counts = {kind.name: count for kind in (*_KINDS, _ROLLING)}
            if step in _FAULT_STEPS:
                faults = [fault for fault in _FAULTS if count <= len(fault.clients)]
                for fault in faults:
                    _join(consumers, fault, count - 1, folder, reads[fault.read_with])
                counts |= {fault.name: count for fault in faults}
            found |= {
                (name, step): document
                for name, document in stable_documents(connection, counts).items()
            }
            if step == "three":
                found |= {
                    (name, client, "checked"): _checked(broker, name, client)
                    for name, client in _CHECKED
                }
                found |= {
                    (fault.name, "problems"): _problems(connection, fault.name)
                    for fault in _FAULTS[:2]
                }
    return found, {
        one.name: [json.loads(line) for line in (folder / one.name).open()]
        for one in (*_KINDS, *_FAULTS)
    }


_FAULT_STEPS = list(_STEPS)[:2]
_CHECKED = [
    ("both clients", "kafka-python"),
    ("both clients", "aiokafka"),
    ("no answer, kafka-python", "aiokafka"),
]


def _problems(connection, group_id):
    listed = [one for one in connection.ask(connection.raw.listed) if one.group_id == group_id]
    (found,) = live_groups(connection, listed)
    return found.problems


def _checked(broker, group_id, client):
    """Return the exit code and the lines of `python -m evenkeel_assignors check`."""
    words = [
        "check",
        "--bootstrap-server",
        broker.bootstrap(),
        "--group",
        group_id,
        "--client",
        client,
    ]
    with redirect_stdout(StringIO()) as out:
        code = main(words)
    return code, out.getvalue().splitlines()


def _reads(broker, silent):
    """Return settings with which no lag can be read, by the kind of fault."""
    refused = {
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": "PLAIN",
        "sasl_plain_username": "evenkeel",
        "sasl_plain_password": "x",
    }
    return {
        "silent": {"bootstrap_servers": f"127.0.0.1:{silent.getsockname()[1]}"},
        "closed": {"bootstrap_servers": "127.0.0.1:1"},
        "refused": refused | {"bootstrap_servers": broker.bootstrap("SASL")},
    }


def _join(consumers, fault, number, folder, read_with):
    start = (
        consumers.start_kafka_python if fault.clients[number] == "k" else consumers.start_aiokafka
    )
    more = {"journal": str(folder / fault.name), "time_limit": 0.5, "read_with": read_with}
    start(f"{fault.name}-{number}", _ALL, fault.name, "lag", **more)


def _act(consumers, kind, step, folder):
    if step in ("lags changed, the leader left", "one left"):
        # A static member would leave without a word.
        consumers.stop(f"{kind.name}-{0 if step.startswith('lags') else 1}")
        return
    number = {"one": 0, "two": 1, "three": 2, "one more": 3}[step]
    topics = _FIRST if kind.is_special and number == 1 else _ALL
    start = (
        consumers.start_kafka_python if kind.clients[number] == "k" else consumers.start_aiokafka
    )
    # Far beyond the defaults: a machine at load 30 takes more than two seconds to connect.
    settings = {"session_timeout_ms": 45_000} | (
        {"auto_offset_reset": kind.reset} if kind.reset else {}
    )
    more = {"settings": settings, "journal": str(folder / kind.name), "time_limit": 15.0}
    assignor = "lag,range" if kind is _ROLLING and number > 1 else kind.assignor
    start(
        f"{kind.name}-{number}",
        topics,
        kind.name,
        assignor,
        instance_id="s" if kind.is_special and number == 2 else None,
        **more,
    )


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

    assert (document.assignor, document.auto_offset_reset) == (
        kind.assignor,
        kind.reset or "latest",
    )
    assert targets(document) == _by_lag(document)


@pytest.mark.parametrize("step", _STEPS)
@pytest.mark.parametrize("kind", _KINDS, ids=lambda kind: kind.name)
def test_a_live_group_is_recognised_and_kafka_agrees(walk, kind, step):
    document = walk[0][kind.name, step]

    assert (
        document.leader.client
        in {"k": ["kafka-python"], "a": ["aiokafka", "kafka-python"]}[kind.clients[0]]
        or len({*kind.clients}) > 1
    )
    assert runs_ours(observed_from_document(document))
    found = replay(document)
    assert (found.agrees, found.is_by_lag, found.counts_agree) == (True, True, True)


def test_in_a_rolling_restart_the_old_assignor_stays_until_the_last_member_lists_the_new_one(walk):
    documents = [walk[0]["rolling", step] for step in _STEPS]

    assert [document.assignor for document in documents] == ["range"] * 5 + ["lag"]
    assert targets(documents[-1]) == _by_lag(documents[-1])


@pytest.mark.parametrize("fault", _FAULTS[:2], ids=lambda fault: fault.name)
def test_a_live_group_tells_which_leader_kept_owners_and_why(walk, fault):
    document = walk[0][fault.name, "two"]

    (problem,) = walk[0][fault.name, "problems"]
    assert problem.partition(":")[0] in {member.member_id for member in document.members}
    assert (
        "as leader it kept the owners of by-lag-a, by-lag-b, because lags were unknown: " in problem
    )
    assert document.auto_offset_reset == "latest"


@pytest.mark.parametrize("kind", _KINDS, ids=lambda kind: kind.name)
def test_every_line_of_the_journal_is_what_evenkeel_assign_answers(walk, kind):
    lines = walk[1][kind.name]

    assert len(lines) >= len(_STEPS)
    assert [(line["kept"], line["why"]) for line in lines] == [([], None)] * len(lines)
    assert [answer(json.dumps(line["request"]).encode()).assignment for line in lines] == [
        line["assignment"] for line in lines
    ]


@pytest.mark.parametrize("fault", _FAULTS, ids=lambda fault: fault.name)
def test_where_lags_cannot_be_read_the_group_is_assigned_and_the_journal_says_why(walk, fault):
    alone, lines = targets(walk[0][fault.name, "one"]), walk[1][fault.name]

    assert list(alone.values()) == [{"by-lag-a": [0, 1, 2, 3, 4, 5, 6], "by-lag-b": [0, 1, 2, 3]}]
    reasons = [line["why"] for line in lines if line["kept"]]
    assert all(
        why.startswith((fault.why, "not read after 0.5 s", "the previous read has not ended"))
        for why in reasons
    ), reasons
    assert lines[-1]["kept"] == _ALL


@pytest.mark.parametrize("fault", _FAULTS[:2], ids=lambda fault: fault.name)
def test_where_lags_cannot_be_read_owners_keep_their_share_and_a_new_member_gets_its_own(
    walk, fault
):
    alone, (first, second) = targets(walk[0][fault.name, "one"]), walk[0][fault.name, "two"].members

    stays, joins = (first, second) if first.member_id in alone else (second, first)
    assert stays.owned in (
        {"by-lag-a": [0, 1, 2, 3], "by-lag-b": [0, 1]},
        {"by-lag-a": [0, 1, 2], "by-lag-b": [0, 1]},
    )
    assert sum(map(len, stays.owned.values())) + sum(map(len, joins.owned.values())) == 11


class _Member:
    """A consumer of kafka-python in a thread of this process; a context manager that lets it leave
    its group.
    """

    def __init__(self, broker, group_id, first_poll_ms=60_000, **own):
        settings = {
            "bootstrap_servers": broker.bootstrap(),
            "group_id": group_id,
            "enable_auto_commit": False,
            "auto_offset_reset": "earliest",
        }
        self._consumer = KafkaConsumer(
            *_ALL, partition_assignment_strategy=[LagAssignor(settings, **own)], **settings
        )
        self._first_poll_ms, self._is_over, self.has_all = first_poll_ms, Event(), Event()
        self._thread = Thread(target=self._poll, daemon=True)

    def _poll(self):
        while not self._is_over.is_set():
            # Before a leader has what it shall have, no poll may end: see
            # `tests.brokers.kafka_python_consumer`.
            self._consumer.poll(
                100 if self.has_all.is_set() else self._first_poll_ms, max_records=1
            )
            if len(self._consumer.assignment()) == sum(_TOPICS.values()):
                self.has_all.set()
        self._consumer.close()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join(_LIMIT_SECONDS)
        assert not self._thread.is_alive()


def _told(lines):
    """Return kept topics and reasons of a journal; a leader does not know the topics of its group
    in the first moment.
    """
    read = [json.loads(line) for line in lines]
    return {
        (" ".join(line["kept"]), line["why"]) for line in read if line["request"]["group"]["topics"]
    }


def _raised(_partitions):
    raise OSError("metrics are away")


@pytest.mark.parametrize(
    ("read", "why"),
    [
        (lambda _: None, "the read returned NoneType, expected lags by topic and partition"),
        (_raised, "OSError: metrics are away"),
        (lambda partitions: {("by-lag-a", 0): 3}, "some lags are unknown"),
        (
            lambda partitions: {
                (topic, one): "many" for topic, some in partitions.items() for one in some
            },
            "some lags are unknown",
        ),
    ],
)
def test_whatever_an_own_read_returns_or_raises_the_group_is_assigned(
    broker, connection, read, why
):
    lines = []
    with _Member(broker, "own read", read=read, journal=lines.append) as member:
        assert member.has_all.wait(_LIMIT_SECONDS)

    assert _told(lines) == {("by-lag-a by-lag-b", why)}


def _raise(error):
    raise error


_SPOILED = {
    "raises": lambda answer: _raise(RuntimeError("broken")),
    "returns nothing": lambda answer: None,
    "leaves a member out": lambda answer: answer._replace(assignment={}),
    "has a member that is not there": lambda answer: answer._replace(
        assignment=answer.assignment | {"nobody": {}}
    ),
    "names a partition that is not there": lambda answer: _with(answer, "by-lag-a", [*range(7), 7]),
    "names a topic that the member does not read": lambda answer: _with(answer, "foreign", [0]),
    "names a partition twice": lambda answer: _with(answer, "by-lag-a", [0, *range(7)]),
    "leaves a partition out": lambda answer: _with(answer, "by-lag-a", [1, 2, 3, 4, 5, 6]),
}


def _with(answer, topic, numbers):
    return answer._replace(
        assignment={member: held | {topic: numbers} for member, held in answer.assignment.items()}
    )


@pytest.mark.parametrize("spoiled", _SPOILED)
def test_whatever_the_rule_answers_the_group_is_assigned_by_count(
    broker, connection, monkeypatch, caplog, spoiled
):
    rule_itself, calls = rule.assign, []

    def spoiling(members, partitions, lags):
        # Without lags it is the last resort that asks.
        calls.append(lags)
        answer = rule_itself(members, partitions, lags)
        return _SPOILED[spoiled](answer) if lags else answer

    monkeypatch.setattr(rule, "assign", spoiling)
    with _Member(broker, f"the rule {spoiled}", read=_every_lag_is_one) as member:
        assert member.has_all.wait(_LIMIT_SECONDS)

    assert [lags for lags in calls if lags]
    assert "partitions are dealt by count: " in caplog.text


def test_a_rule_that_raises_once_is_asked_again_in_the_next_rebalance(
    broker, connection, monkeypatch
):
    rule_itself, left, lines = rule.assign, ["broken"], []

    def raising(members, partitions, lags):
        return (
            _raise(RuntimeError(left.pop()))
            if lags and left
            else rule_itself(members, partitions, lags)
        )

    monkeypatch.setattr(rule, "assign", raising)
    with _Member(broker, "raises once", read=_every_lag_is_one, journal=lines.append) as first:
        assert first.has_all.wait(_LIMIT_SECONDS)
        with _Member(
            broker, "raises once", first_poll_ms=100, read=_every_lag_is_one, journal=lines.append
        ):
            until(lambda: ("", None) in _told(lines) or first._is_over.is_set())
            assert not first._is_over.is_set()

    assert not left


def _every_lag_is_one(partitions):
    return {(topic, number): 1 for topic, numbers in partitions.items() for number in numbers}


def test_a_read_that_comes_late_is_not_used_and_the_next_rebalance_reads_again(broker, connection):
    lines, reads, may_end = [], [], Event()

    def read(partitions):
        reads.append(partitions)
        lag = len(reads)
        may_end.wait()
        return dict.fromkeys(_every_lag_is_one(partitions), lag)

    def read_again(partitions):
        return dict.fromkeys(_every_lag_is_one(partitions), 2)

    with _Member(broker, "late", read=read, journal=lines.append, time_limit=3.0) as first:
        assert first.has_all.wait(_LIMIT_SECONDS)
        may_end.set()
        with _Member(broker, "late", first_poll_ms=100, read=read_again, journal=lines.append):
            until(lambda: ("", None) in _told(lines) or first._is_over.is_set())
            assert not first._is_over.is_set()

    assert ("by-lag-a by-lag-b", "not read after 3 s") in _told(lines)
    assert '"lag":2' in "".join(lines)
    assert '"lag":1}' not in "".join(lines)
    # A busy machine may have a further rebalance; each has a line in the journal.
    assert len(reads) <= len(lines)


def test_a_read_that_does_not_end_is_not_waited_for_and_not_repeated(broker, connection):
    lines, reads, may_end = [], [], Event()

    def read(partitions):
        reads.append(partitions)
        may_end.wait()
        return {}

    try:
        with _Member(broker, "endless", read=read, journal=lines.append, time_limit=0.2) as first:
            assert first.has_all.wait(_LIMIT_SECONDS)
            with _Member(broker, "endless", first_poll_ms=100, read=lambda _: {}):
                until(
                    lambda: (
                        any(
                            json.loads(line)["why"] == "the previous read has not ended"
                            for line in lines
                        )
                        or first._is_over.is_set()
                    )
                )
                assert not first._is_over.is_set()
    finally:
        may_end.set()

    assert len(reads) == 1
    assert _told(lines) == {
        ("by-lag-a by-lag-b", "not read after 0.2 s"),
        ("by-lag-a by-lag-b", "the previous read has not ended"),
    }


def test_a_broker_that_stands_still_while_lags_are_read_finds_its_group_again(broker, connection):
    settings = {"bootstrap_servers": broker.bootstrap(), "group_id": "still"}
    reads, lines = KafkaPythonReads(settings, 0.5), []

    def read(partitions):
        os.kill(broker.process(), signal.SIGSTOP)
        return reads.read(partitions)

    def journal(line):
        os.kill(broker.process(), signal.SIGCONT)
        lines.append(line)

    try:
        with _Member(broker, "still", read=read, journal=journal, time_limit=0.5) as member:
            assert member.has_all.wait(_LIMIT_SECONDS)
    finally:
        os.kill(broker.process(), signal.SIGCONT)
        reads.close()

    assert {kept for kept, _ in _told(lines)} == {"by-lag-a by-lag-b"}


@pytest.mark.parametrize("client", ["kafka-python", "aiokafka"])
def test_a_check_says_what_each_member_has_and_would_get(walk, client):
    document, (code, lines) = (
        walk[0]["both clients", "three"],
        walk[0]["both clients", client, "checked"],
    )

    head, rights, ours, columns, *members, worst = lines
    assert (code, head) == (0, "both clients: Stable, lag, members 3, topics 2, partitions 11")
    assert rights.startswith(
        "rights suffice: the group's commits, and the begin and end offsets of its topics, were "
    )
    assert ours == "the group runs Evenkeel's assignor lag"
    assert columns.split() == [
        "member",
        "now:",
        "partitions,",
        "lag",
        "by",
        "lag:",
        "partitions,",
        "lag",
    ]
    assert {line.split("  ")[0] for line in members} == {
        member.member_id for member in document.members
    }
    found = re.fullmatch(
        r"worst member: (\d+) records behind now, (\d+) by lag; 0 of 11 partitions would change"
        r" owner",
        worst,
    )
    assert found[1] == found[2] == str(max(_lags(document).values()))


def _lags(document):
    observed = observed_from_document(document)
    group, lags = observed.snapshot, page_lag(observed.snapshot).tolist()
    lag = {
        (topic, one): lags[group.first_tp[row] + one]
        for row, topic in enumerate(group.topic_name)
        for one in range(_TOPICS[topic])
    }
    return {
        one.member_id: sum(lag[topic, each] for topic, some in one.owned.items() for each in some)
        for one in document.members
    }


def test_a_check_tells_which_leader_kept_owners_and_why(walk):
    code, lines = walk[0]["no answer, kafka-python", "aiokafka", "checked"]

    (told,) = [line for line in lines if "kept the owners" in line]
    assert code == 0
    assert " kept the owners of by-lag-a, by-lag-b when it last led: " in told


@pytest.mark.parametrize("client", ["kafka-python", "aiokafka"])
def test_a_check_of_a_group_that_is_not_there_says_so(broker, client):
    code, lines = _checked(broker, "nowhere", client)

    assert (code, len(lines)) == (1, 1)
    assert lines[0].startswith("nowhere: ")
