"""Last stable offsets and settings of topics, as clients answer."""

from types import SimpleNamespace
from uuid import uuid4

import pytest
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import ConfigResource

from evenkeel.data.group.document import FORMAT, Document, Member, Partition, Topic
from evenkeel.data.live.reading import waiting as module
from evenkeel.data.live.reading.documents import LiveGroup
from evenkeel.data.live.reading.waiting import waiting
from evenkeel.data.live.wire.raw_topics import Bounds


class _Answer:
    def __init__(self, result):
        self._result = result

    def result(self):
        if isinstance(self._result, Exception):
            raise self._result
        return self._result


class _Cluster:
    """A connection whose broker 1 leads two partitions of `a`; settings of topics as given."""

    def __init__(self, settings):
        self.profile = SimpleNamespace(name=str(uuid4()), reads_committed=False)
        self.admin = self.raw = self.topics = self
        self._settings = settings
        self.asked = []

    def ask(self, question):
        return question()

    def described(self, names):
        partitions = [
            SimpleNamespace(partition_index=number, replica_nodes=[1], leader_id=1)
            for number in range(2)
        ]
        return [
            SimpleNamespace(error_code=0, name=name, topic_id=uuid4(), partitions=partitions)
            for name in names
        ], {}

    def bounds(self, leaders, reads_committed):
        self.asked.append((list(leaders), reads_committed))
        return Bounds({}, dict.fromkeys(leaders, 460), {})

    def describe_configs(self, resources, request_timeout):
        self.asked.append([each.name for each in resources])
        return {
            ConfigResource(each.restype, each.name): _Answer(self._settings) for each in resources
        }


def group(*commits: int) -> LiveGroup:
    """A group of one member that owns the first partition; each ends at 500."""
    partitions = [Partition(end_offset=500, committed_offset=each) for each in commits]
    document = Document(
        format=FORMAT,
        group_id="g",
        topics=[Topic("a", partitions)],
        members=[Member("m", ["a"], owned={"a": [0]})],
    )
    return LiveGroup("g", document, [])


def entries(**values) -> dict:
    return {name.replace("_", "."): SimpleNamespace(value=value) for name, value in values.items()}


KEEPS = entries(
    cleanup_policy="delete",
    retention_ms="60000",
    retention_bytes="-1",
    segment_ms="10000",
    segment_bytes="1048576",
)


def test_the_last_stable_offset_of_a_partition_with_owner_and_lag_is_asked_for():
    cluster = _Cluster(KEEPS)

    answer = waiting(cluster, [group(460, 460)])

    assert answer.stable == {("a", 0): 460}
    assert ([("a", 0)], True) in cluster.asked
    assert answer.settings["a"]["retention_ms"] == 60_000
    assert answer.settings["a"]["cleanup_policy"] == "delete"


def test_nothing_is_asked_about_partitions_without_lag():
    cluster = _Cluster(KEEPS)

    assert waiting(cluster, [group(500, 500)]) == module.NOTHING
    assert cluster.asked == []


def test_settings_are_asked_for_once_in_ten_minutes():
    cluster = _Cluster(KEEPS)

    for _ in range(3):
        waiting(cluster, [group(460)])

    assert cluster.asked.count(["a"]) == 1


def test_a_missing_right_is_said_and_nothing_is_known():
    refused = KafkaException(KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED))

    answer = waiting(_Cluster(refused), [group(460)])

    assert answer.settings == {"a": {}}
    assert answer.unread == "retention of 1 topic: the right DESCRIBE_CONFIGS is missing"


@pytest.mark.parametrize("most", [1])
def test_partitions_that_wait_longest_come_first(monkeypatch, most):
    monkeypatch.setattr(module, "MOST_PLACES", most)
    cluster = _Cluster(KEEPS)
    both = group(100, 200)
    both.document.members[0].owned["a"] = [0, 1]
    moved = group(150, 200)
    moved.document.members[0].owned["a"] = [0, 1]

    waiting(cluster, [both])

    assert waiting(cluster, [moved]).stable == {("a", 1): 460}
