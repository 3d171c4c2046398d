"""What a task of the collector hands on of an application of Kafka Streams."""

from datetime import UTC, datetime

import pytest

from data.document import FORMAT, STREAMS_FORMAT, Application, Document, decode_application
from data.document.application import Process, StreamsConsumer, Task
from data.live.reading.applications.application import LiveApplication
from data.live.reading.documents import LiveGroup
from data.pipeline.collect import groups_to_read
from data.pipeline.collect.groups_to_read import GroupsToRead

_NOW = datetime(2026, 11, 20, tzinfo=UTC)
_GROUP = Document(FORMAT, "wc", _NOW, type="streams", state="Stable", topics=[], members=[])
_PROCESS = Process("6ba7b810-9dad-11d1-80b4-00c04fd430c8", [StreamsConsumer("wc-1", owned=["0_0"])])
_APPLICATION = Application(STREAMS_FORMAT, "wc", _NOW, "streams", tasks=[Task("0_0", True, 5)], processes=[_PROCESS])


@pytest.fixture
def task(monkeypatch):
    """A task whose cluster has an application and a group that is none."""
    found = [LiveGroup("wc", _GROUP, [], LiveApplication(_APPLICATION)), LiveGroup("plain", _GROUP, ["hidden"])]
    monkeypatch.setattr(groups_to_read, "_connection", lambda cluster, configuration: None)
    monkeypatch.setattr(groups_to_read, "live_groups", lambda connection, groups, taken_at: found)
    return GroupsToRead("local", 0, taken_at=_NOW)


def test_a_streams_document_goes_beside_the_group_document(task):
    application, plain = task.readings().to_pylist()

    assert decode_application(application["application"]) == _APPLICATION
    assert (plain["application"], plain["problem"]) == (None, "hidden")


def test_tasks_and_consumers_are_tables_of_their_own(task):
    parsed = task.parsed()

    assert [row["task_id"] for row in parsed.tasks.to_pylist()] == ["0_0"]
    assert [row["member_id"] for row in parsed.consumers.to_pylist()] == [None, "wc-1"]
    assert parsed.line_count == 2
