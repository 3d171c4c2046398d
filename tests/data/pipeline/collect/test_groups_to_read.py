"""What a task of the collector hands on: an application of Kafka Streams, ages of records."""

from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenkeel.data.group.document import (
    FORMAT,
    STREAMS_FORMAT,
    Application,
    Document,
    Partition,
    Topic,
    decode_application,
)
from evenkeel.data.group.document.application import Process, StreamsConsumer, Task
from evenkeel.data.lake.place import place_of
from evenkeel.data.live.reading.application import LiveApplication
from evenkeel.data.live.reading.documents import LiveGroup
from evenkeel.data.live.reading.waiting import NOTHING
from evenkeel.data.live.wire.raw_groups import GroupListing
from evenkeel.data.pipeline import snapshots
from evenkeel.data.pipeline.snapshots import GroupsToRead, answer_of, planned

_NOW = datetime(2026, 11, 20, tzinfo=UTC)
_GROUP = Document(FORMAT, "wc", _NOW, type="streams", state="Stable", topics=[], members=[])
_AGED = Document(
    FORMAT,
    "plain",
    _NOW,
    topics=[Topic("hidden", 2), Topic("orders", [Partition(0, 9, 9), Partition(0, 9, 4)])],
    members=[],
)
_UNREAD = "records of orders: TOPIC_AUTHORIZATION_FAILED"
_PROCESS = Process("6ba7b810-9dad-11d1-80b4-00c04fd430c8", [StreamsConsumer("wc-1", owned=["0_0"])])
_APPLICATION = Application(
    STREAMS_FORMAT, "wc", _NOW, "streams", tasks=[Task("0_0", True, 5)], processes=[_PROCESS]
)


@pytest.fixture
def task(monkeypatch):
    """A task whose cluster has an application and a group that is none."""
    aged = LiveGroup("plain", _AGED, ["hidden"], ages={("orders", 1): 41.5}, unread=_UNREAD)
    found = [LiveGroup("wc", _GROUP, [], LiveApplication(_APPLICATION)), aged]
    monkeypatch.setattr(snapshots, "_connection", lambda cluster, configuration: None)
    monkeypatch.setattr(
        snapshots, "live_groups", lambda connection, groups, taken_at, age_seconds: found
    )
    monkeypatch.setattr(snapshots, "waiting", lambda connection, groups: NOTHING)
    return GroupsToRead("local", 0, taken_at=_NOW)


@pytest.mark.parametrize(
    ("every", "groups", "seconds"), [(30, 2_500, 5.0), (30, 5_000, 2.5), (4, 1, 1.0), (1, 1, 0.25)]
)
def test_all_tasks_together_read_records_for_a_quarter_of_a_slot_and_5_seconds_at_most(
    monkeypatch, every, groups, seconds
):
    listed = [
        GroupListing(f"g{number}", "classic", "Stable", "consumer") for number in range(groups)
    ]
    monkeypatch.setattr(snapshots, "_connection", lambda cluster, configuration: None)
    monkeypatch.setattr(snapshots, "chosen_groups", lambda connection, wanted: listed)

    assert {one.age_seconds for one in planned("local", [], _NOW, every=every)} == {seconds}


def test_a_streams_document_goes_beside_the_group_document(task):
    application, plain = task.readings().to_pylist()

    assert decode_application(application["application"]) == _APPLICATION
    assert (plain["application"], plain["problem"]) == (None, "hidden")


def test_ages_of_records_are_stored_with_the_offsets_and_what_may_not_be_read_is_told(
    task, tmp_path
):
    lake = place_of(tmp_path)

    answer = answer_of(task, lake, "slot")

    file = answer.done.files["OFFSETS"]
    rows = pq.read_table(pa.BufferReader(lake.read(file)))
    assert rows.select(["partition", "lag_seconds"]).to_pylist() == [
        {"partition": 0, "lag_seconds": None},
        {"partition": 1, "lag_seconds": 41.5},
    ]
    assert answer.unread == (_UNREAD,)


def test_tasks_and_consumers_are_tables_of_their_own(task):
    parsed = task.parsed()

    assert [row["task_id"] for row in parsed.tasks.to_pylist()] == ["0_0"]
    assert [row["member_id"] for row in parsed.consumers.to_pylist()] == [None, "wc-1"]
    assert parsed.line_count == 2
