"""The jar on real brokers: it is chosen, assigns by weights, keeps what it knew when the file is
spoiled, and goes away without a member noticing.
"""

import json
import threading
import time
from contextlib import ExitStack, closing, suppress
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException

from evenkeel.assignors.assignment import Assignment
from evenkeel.dashboard.shell.loading.clusters import live_snapshot
from evenkeel.data.commands.main import main
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.live.nudge import nudge
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups
from evenkeel.data.live.reading.topics import topics
from evenkeel.data.live.replay import next_epoch
from evenkeel.data.weights import TopicWeights, WeightsFile, plan_of, read, write
from tests.brokers.broker import Brokers
from tests.brokers.connecting import connected
from tests.brokers.topics import create_topic
from tests.dashboard.conftest import ENTRY, AppTest, Page
from tests.judge.building import broker_jar

HEAVY = [90.0, 90.0, 90.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
ANOTHER = [1.0, 1.0, 1.0, 90.0, 1.0, 1.0, 90.0, 1.0, 90.0]
SPOILED = {
    "half written": '{"format":"evenkeel.weights/1","as_of_ms":1,"topics":[{"topic_id":',
    "empty": "",
    "no JSON": "weights: none",
    "NaN": (
        '{"format":"evenkeel.weights/1","as_of_ms":NOW,"topics":[{"topic_id":"ID","weights":[NaN]}]}'
    ),
    "infinite": (
        '{"format":"evenkeel.weights/1","as_of_ms":NOW,"topics":[{"topic_id":"ID","weights":[1e999]}]}'
    ),
    "negative": (
        '{"format":"evenkeel.weights/1","as_of_ms":NOW,"topics":[{"topic_id":"ID","weights":[-1]}]}'
    ),
    "text": (
        '{"format":"evenkeel.weights/1","as_of_ms":NOW,"topics":[{"topic_id":"ID","weights":["1"]}]}'
    ),
    "another id": (
        '{"format":"evenkeel.weights/1","as_of_ms":NOW,"topics":[{"topic_id":"+/","weights":[1]}]}'
    ),
    "no UTF-8": (
        '{"format":"evenkeel.weights/1","as_of_ms":NOW,"topics":[{"topic_id":"ID","name":"\udcff","weights":[1]}]}'
    ),
    "another format": '{"format":"evenkeel.weights/2","as_of_ms":NOW,"topics":[]}',
    "larger than 64 MB": " " * ((64 << 20) + 1),
}
UNUSED = {
    "too old": {"as_of_ms": 1},
    "of a time to come": {"as_of_ms": 4_000_000_000_000},
    "without the group's topics": {
        "topics": [{"topic_id": "LkLS-N4OSSK11RYzgIc1Eg", "name": "other", "weights": [9]}]
    },
}
NEAR = 1.05 * sum(HEAVY) / 3
"""Three members, at most 5 % above the bound."""
LIMIT_SECONDS = 240
MOST = 4
QUICK = {
    "group.consumer.max.size": str(MOST),
    "group.consumer.heartbeat.interval.ms": "300",
    "group.consumer.min.heartbeat.interval.ms": "100",
}


class Member:
    """A consumer of librdkafka on a thread of its own; it names no assignor unless told to."""

    def __init__(self, bootstrap, group_id, topic, **settings):
        self._is_over, self.fatal = threading.Event(), []
        given = {
            "bootstrap.servers": bootstrap,
            "group.id": group_id,
            "group.protocol": "consumer",
            "enable.auto.commit": False,
        }
        self._consumer = Consumer(
            given | {name.replace("_", "."): value for name, value in settings.items()}
        )
        self._consumer.subscribe([topic])
        self._thread = threading.Thread(target=self._poll, daemon=True)
        self._thread.start()

    def _poll(self):
        while not self._is_over.is_set():
            message = self._consumer.poll(0.1)
            # `fatal()` of it is false.
            if (
                message is not None
                and message.error()
                and message.error().code() == KafkaError._FATAL
            ):
                self.fatal.append(message.error().str())
                break
        with suppress(KafkaException):
            self._consumer.close()

    def leave(self):
        self._is_over.set()
        self._thread.join()


class Cluster:
    """One broker with the jar, the file that it reads, and groups on it."""

    def __init__(self, folder, version):
        self.file = folder / "weights.json"
        self.settings = {
            "group.consumer.assignors": "dev.evenkeel.WeightedUniformAssignor,uniform,range",
            "evenkeel.weights.file": str(self.file),
        }
        self.jar = broker_jar(folder)
        older = (
            {"group.coordinator.rebalance.protocols": "classic,consumer"}
            if version == "4.0.0"
            else {}
        )
        self.brokers = Brokers(
            settings=self.settings | QUICK | older, version=version, jars=[self.jar]
        )
        self._left = ExitStack()

    def __enter__(self):
        self.brokers.__enter__()
        self.connection = self._left.enter_context(closing(connected(self.brokers, "c")))
        return self

    def __exit__(self, *_):
        self._left.close()
        self.brokers.__exit__()

    def member(self, group_id, topic, **settings):
        joined = Member(self.brokers.bootstrap(), group_id, topic, **settings)
        self._left.callback(joined.leave)
        return joined

    def topic(self, name, weights):
        """Create a topic and return what a file says of it."""
        create_topic(self.connection.admin, name, len(weights))
        wait(
            lambda: self.connection.admin.list_topics(name, timeout=LIMIT_SECONDS).topics[name],
            lambda one: len(one.partitions) == len(weights),
        )
        return TopicWeights(topics(self.connection, [name])[0][name].topic_id, name, weights)

    def write(self, *weights, plans=()):
        write(self.file, WeightsFile(int(time.time() * 1000), list(weights), plans=list(plans)))

    def document(self, group_id):
        (one,) = live_groups(self.connection, chosen_groups(self.connection, [group_id]))
        return one.document

    def rest(self, group_id, members, assignor="evenkeel-weighted"):
        """Return the group once so many members have their targets."""

        def rests(found):
            return (
                found is not None
                and len(found.members or []) == members
                and found.state == "Stable"
                and found.assignor == assignor
                and found.group_epoch == found.assignment_epoch
                and all(one.owned is not None and one.current is None for one in found.members)
            )

        def seen():
            try:
                return self.document(group_id)
            except SnapshotError:
                return None

        return wait(seen, rests)

    def nudged(self, group_id, members):
        """Nudge the group once the broker has read the file as it is now."""
        nudge(self.connection, group_id)
        return self.rest(group_id, members)


def wait(question, is_there):
    """Ask until the answer is there."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while not is_there(found := question()):
        assert time.monotonic() < deadline, found
        time.sleep(0.2)
    return found


def worst(document, weights):
    """Return the load of the member that carries most of the topic."""
    name = document.topics[0].name
    return max(
        sum(weights[number] for number in (one.owned or {}).get(name, []))
        for one in document.members
    )


def owners(document):
    return {
        one.member_id: {
            topic: set(numbers) for topic, numbers in (one.owned or {}).items() if numbers
        }
        for one in document.members
    }


def agrees(document, file):
    return next_epoch(document, read(file)).agrees


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("broker"), "4.3.1") as started:
        yield started


def test_three_members_that_name_no_assignor_share_the_weights_and_new_weights_wait_for_a_nudge(
    cluster,
):
    orders = cluster.topic("orders", HEAVY)
    cluster.write(orders)
    wait(cluster.brokers.output, lambda said: "weights of 1 topics" in said)
    for _ in range(3):
        cluster.member("payments", "orders")

    first = cluster.rest("payments", 3)
    assert worst(first, HEAVY) <= NEAR
    assert agrees(first, cluster.file)

    reads = cluster.brokers.output().count("weights of 1 topics")
    cluster.write(TopicWeights(orders.topic_id, "orders", ANOTHER))
    wait(cluster.brokers.output, lambda said: said.count("weights of 1 topics") > reads)
    waiting = next_epoch(cluster.document("payments"), read(cluster.file))
    assert owners(cluster.document("payments")) == owners(first)
    assert len(waiting.moves.topic) <= 3

    second = cluster.nudged("payments", 3)
    assert worst(second, ANOTHER) == waiting.worst_then <= NEAR
    assert agrees(second, cluster.file)


def test_a_spoiled_or_deleted_file_leaves_the_last_good_weights_and_moves_nobody(cluster):
    topic = cluster.topic("spoiled", HEAVY)
    cluster.write(topic)
    wait(cluster.brokers.output, lambda said: said.count("weights of 1 topics"))
    for _ in range(2):
        cluster.member("spoiled", "spoiled")
    before, good = cluster.rest("spoiled", 2), read(cluster.file)

    said_before = cluster.brokers.output().count("the last good weights stay")
    for text in SPOILED.values():
        said = cluster.brokers.output().count("the last good weights stay")
        spoiled = text.replace("NOW", str(int(time.time() * 1000))).replace("ID", topic.topic_id)
        beside = cluster.file.with_suffix(".new")
        beside.write_bytes(spoiled.encode(errors="surrogateescape"))
        beside.replace(cluster.file)
        wait(
            cluster.brokers.output,
            lambda output, said=said: output.count("the last good weights stay") > said,
        )
    cluster.file.unlink()
    wait(
        cluster.brokers.output,
        lambda output: output.count("the last good weights stay") > said_before + len(SPOILED),
    )
    after = cluster.nudged("spoiled", 2)

    assert (
        cluster.brokers.output().count("the last good weights stay")
        == said_before + len(SPOILED) + 1
    )
    assert owners(after) == owners(before)
    assert next_epoch(after, good).agrees


def test_what_a_member_had_that_leaves_goes_to_the_others_which_keep_theirs(cluster):
    topic, reads = (
        cluster.topic("leaving", HEAVY),
        cluster.brokers.output().count("weights of 1 topics"),
    )
    cluster.write(topic)
    wait(cluster.brokers.output, lambda said: said.count("weights of 1 topics") > reads)
    leaves, *_ = [cluster.member("leaving", "leaving") for _ in range(3)]
    before = owners(cluster.rest("leaving", 3))

    leaves.leave()
    found = cluster.rest("leaving", 2)

    after = owners(found)
    assert len(after.keys() & before.keys()) == 2
    assert all(after[member]["leaving"] >= before[member]["leaving"] for member in after)
    assert sorted(number for topics in after.values() for number in topics["leaving"]) == list(
        range(len(HEAVY))
    )
    assert agrees(found, cluster.file)


def test_weights_that_do_not_count_move_nobody(cluster):
    topic = cluster.topic("unused", [1.0] * 4)
    for _ in range(2):
        cluster.member("unused", "unused")
    before = owners(cluster.rest("unused", 2))
    skewed = {"topic_id": topic.topic_id, "name": "unused", "weights": [900, 300, 10, 10]}

    for given in UNUSED.values():
        now = {
            "format": "evenkeel.weights/1",
            "as_of_ms": int(time.time() * 1000),
            "topics": [skewed],
        }
        reads = cluster.brokers.output().count("weights of 1 topics")
        cluster.file.write_text(json.dumps(now | given))
        wait(
            cluster.brokers.output,
            lambda said, reads=reads: said.count("weights of 1 topics") > reads,
        )
        assert owners(cluster.nudged("unused", 2)) == before


def test_the_broker_has_one_thread_that_reads_the_file_however_many_assignors_it_makes(cluster):
    threads = [
        task.read_text().strip()
        for task in Path(f"/proc/{cluster.brokers.process()}/task").glob("*/comm")
    ]

    assert [name for name in threads if name.startswith("evenkeel")] == ["evenkeel-weights"[:15]]


def test_a_plan_holds_as_long_as_the_members_do(cluster):
    topic = cluster.topic("planned", [1.0] * 4)
    cluster.write(topic)
    stays, leaves = cluster.member("planned", "planned"), cluster.member("planned", "planned")
    listed = cluster.rest("planned", 2)
    observed = observed_from_document(listed)
    one = listed.members[0].member_id
    owner = observed.snapshot.member_id.index(one)
    wanted = Assignment(np.full(observed.snapshot.tp_count, owner, dtype=np.int32))
    reads = cluster.brokers.output().count("1 topics, 1 plans")
    cluster.write(topic, plans=[plan_of(observed, wanted)])
    wait(cluster.brokers.output, lambda said: said.count("1 topics, 1 plans") > reads)

    planned = cluster.nudged("planned", 2)
    assert owners(planned)[one] == {"planned": {0, 1, 2, 3}}
    assert agrees(planned, cluster.file)

    cluster.member("planned", "planned")
    shared = cluster.rest("planned", 3)
    assert (
        max(len(numbers) for topics in owners(shared).values() for numbers in topics.values()) == 2
    )
    assert not stays.fatal + leaves.fatal


def test_a_plan_by_instance_ids_outlives_the_restart_of_a_member(cluster):
    topic = cluster.topic("static", [1.0] * 4)
    cluster.write(topic)
    cluster.member("static", "static", group_instance_id="s0")
    restarted = cluster.member("static", "static", group_instance_id="s1")
    observed = observed_from_document(cluster.rest("static", 2))
    owner = observed.snapshot.instance_id.index("s1")
    plan = plan_of(observed, Assignment(np.full(observed.snapshot.tp_count, owner, dtype=np.int32)))
    reads = cluster.brokers.output().count("1 topics, 1 plans")
    cluster.write(topic, plans=[plan])
    wait(cluster.brokers.output, lambda said: said.count("1 topics, 1 plans") > reads)

    before = cluster.nudged("static", 2)
    restarted.leave()
    cluster.member("static", "static", group_instance_id="s1")
    after = wait(
        lambda: cluster.nudged("static", 2), lambda found: ids(found)["s1"] != ids(before)["s1"]
    )

    assert plan.members == {"s0": {}, "s1": {topic.topic_id: [0, 1, 2, 3]}}
    assert (
        owners(before)[ids(before)["s1"]]
        == owners(after)[ids(after)["s1"]]
        == {"static": {0, 1, 2, 3}}
    )
    assert agrees(after, cluster.file)


def ids(document):
    return {one.instance_id: one.member_id for one in document.members}


def test_pages_and_compare_know_the_assignor_and_what_the_next_epoch_would_move(
    cluster, tmp_path, monkeypatch, capsys
):
    configuration = tmp_path / "evenkeel.toml"
    named = f'[clusters.c]\n"bootstrap.servers" = "{cluster.brokers.bootstrap()}"\n'
    configuration.write_text(named + f'[live.weights]\nc = "{cluster.file}"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(configuration))
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    topic = cluster.topic("shown", [1.0] * 4)
    cluster.write(topic)
    for _ in range(2):
        cluster.member("shown", "shown")
    found = cluster.rest("shown", 2)
    first = found.members[0].owned["shown"]

    agreeing = shown("shown")
    cluster.write(
        TopicWeights(
            topic.topic_id, "shown", [100.0 if number in first else 1.0 for number in range(4)]
        )
    )
    waiting = shown("shown")
    configuration.write_text(named)
    unknown = shown("shown")
    capsys.readouterr()
    main(["compare", "--cluster", "c", "--group", "shown", "--json"])
    rows = json.loads(capsys.readouterr().out)["rows"]

    assert "Kafka agrees" in agreeing.badges
    assert "the next epoch would move 1 partition, worst 200 → 102" in waiting.badges
    assert "weights unknown" in unknown.badges
    assert [row["assignor"] for row in rows if row["in_use"]] == ["evenkeel-weighted"]


def shown(group_id):
    return Page(AppTest.from_file(ENTRY, default_timeout=300)).open(
        "compare", opened=live_snapshot("c", group_id)
    )


def test_a_group_that_names_uniform_is_not_touched_and_nobody_notices_brokers_without_the_jar(
    cluster,
):
    weights = cluster.topic("restarted", HEAVY)
    cluster.write(weights)
    members = [cluster.member("restarted", "restarted") for _ in range(3)]
    named = [
        cluster.member("named", "restarted", group_remote_assignor="uniform") for _ in range(2)
    ]
    ours = [
        cluster.member("ours", "restarted", group_remote_assignor="evenkeel-weighted")
        for _ in range(2)
    ]
    cluster.rest("ours", 2)
    before, of_uniform = cluster.rest("restarted", 3), cluster.rest("named", 2, "uniform")

    cluster.brokers.stop()
    cluster.brokers.jars.clear()
    with pytest.raises(RuntimeError, match="dev.evenkeel.WeightedUniformAssignor"):
        cluster.brokers.start()
    cluster.brokers.stop()
    cluster.brokers.set({"group.consumer.assignors": "uniform,range"})
    cluster.brokers.start()
    without = cluster.rest("restarted", 3, "uniform")
    wait(lambda: [one.fatal for one in ours], lambda found: all(found))
    cluster.brokers.stop()
    cluster.brokers.jars.append(cluster.jar)
    cluster.brokers.set(cluster.settings)
    cluster.brokers.start()
    back = cluster.rest("restarted", 3)

    assert owners(without) == owners(before) == owners(back)
    assert owners(cluster.rest("named", 2, "uniform")) == owners(of_uniform)
    assert [one.fatal for one in members + named] == [[]] * 5
    # As docs/deploy-broker.md warns.
    refused = "Broker: The assignor or its version range is not supported by the consumer group"
    # Seen in one of a dozen runs on a busy machine; why the broker answers so is unknown.
    failed = "Unknown broker error"
    known = [
        [f"Fatal error: {one}: ConsumerGroupHeartbeat fatal error: {one}"]
        for one in (refused, failed)
    ]
    assert [one.fatal for one in ours if one.fatal not in known] == []


def test_the_command_writes_what_the_broker_reads_and_nudges_only_where_the_configuration_says_so(
    cluster, tmp_path, monkeypatch, capsys
):
    configuration = tmp_path / "evenkeel.toml"
    configuration.write_text(
        f'[clusters.c]\n"bootstrap.servers" = "{cluster.brokers.bootstrap()}"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(configuration))
    topic = cluster.topic("written", [1.0] * 3)
    cluster.member("written", "written")
    cluster.rest("written", 1)
    reads = cluster.brokers.output().count("weights of 1 topics")

    assert (
        main(
            [
                "weights",
                "--cluster",
                "c",
                "--group",
                "written",
                "--objective",
                "lag",
                "--out",
                str(cluster.file),
            ]
        )
        == 0
    )
    wait(cluster.brokers.output, lambda said: said.count("weights of 1 topics") > reads)

    assert json.loads(cluster.file.read_text())["topics"] == [
        {"topic_id": topic.topic_id, "name": "written", "weights": [None, None, None]}
    ]
    assert main(["nudge", "--cluster", "c", "--group", "written", "--yes"]) == 2
    assert "[live] nudge is false, expected true" in capsys.readouterr().err
    configuration.write_text(configuration.read_text() + "[live]\nnudge = true\n")
    assert main(["nudge", "--cluster", "c", "--group", "written", "--yes"]) == 0


def test_a_nudge_that_the_broker_refuses_says_why(cluster):
    cluster.topic("full", [1.0] * MOST)
    for _ in range(MOST):
        cluster.member("full", "full")
    cluster.rest("full", MOST)

    with pytest.raises(SnapshotError, match="cluster c: .*Consumer group has reached maximum size"):
        nudge(cluster.connection, "full")


@pytest.fixture(scope="module")
def asked(cluster):
    """A group of one member that has its partition."""
    cluster.topic("asked", [1.0])
    cluster.member("asked", "asked")
    wait(lambda: any(owners(cluster.rest("asked", 1)).values()), bool)


@pytest.mark.parametrize(
    ("said", "code"), [("no\n", 2), ("", 2), ("yess\n", 2), ("yes\n", 0), ("Y\n", 0)]
)
def test_a_nudge_asks_first_and_only_a_yes_is_one(
    cluster, asked, tmp_path, monkeypatch, capsys, said, code
):
    configuration = tmp_path / "evenkeel.toml"
    configuration.write_text(
        f'[clusters.c]\n"bootstrap.servers" = "{cluster.brokers.bootstrap()}"\n[live]\nnudge ='
        " true\n"
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(configuration))
    monkeypatch.setattr("sys.stdin", StringIO(said))
    before = cluster.rest("asked", 1).group_epoch

    found = main(["nudge", "--cluster", "c", "--group", "asked"])

    out, err = capsys.readouterr()
    assert found == code
    assert out.startswith(
        "1 member of group asked will see two new epochs, and partitions may move. Nudge it?"
        " [yes/no] "
    )
    assert ("not nudged: the answer was not yes" in err) == (code == 2)
    assert cluster.rest("asked", 1).group_epoch - before == (0 if code else 2)


def test_the_jar_that_is_built_for_the_newest_release_runs_on_the_first_one(tmp_path):
    with Cluster(tmp_path, "4.0.0") as first:
        first.write(first.topic("orders", HEAVY))
        wait(first.brokers.output, lambda said: "weights of 1 topics" in said)
        for _ in range(3):
            first.member("payments", "orders")

        found = first.rest("payments", 3)

        assert worst(found, HEAVY) <= NEAR
        assert agrees(found, first.file)
