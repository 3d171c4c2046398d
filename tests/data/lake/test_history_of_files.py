"""A history of files: of the times in their rows, in one batch or in several."""

from datetime import UTC, datetime

import pytest

from evenkeel.data.lake import run
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.sources.inputs import read
from evenkeel.data.sources.source import Context
from tests.generated.stored import read_history

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
HEADER = "time,group,topic,partition,current_offset,log_end_offset,member"


def store(lake, batch: str, *lines: str, taken_at: datetime | None = None) -> None:
    data = "\n".join([HEADER, *lines]).encode()
    one = Manifest(
        batch=batch,
        ingested_at=NOON,
        taken_at=taken_at,
        sources=(SourceFile("offsets.csv", "", len(data)),),
    )
    run.store_parsed(read([("offsets.csv", data)], Context(taken_at=taken_at)), one, lake)


@pytest.fixture
def lake(place):
    return place / "lake"


def test_two_times_in_one_file_are_two_readings(lake):
    store(
        lake,
        "one",
        "2026-11-23T12:00:00Z,payments,orders,0,100,400,a",
        "2026-11-23T12:02:00Z,payments,orders,0,160,430,a",
    )

    found = read_history(lake, "payments")

    assert found.batch == ("one@2026-11-23T12:00:00+00:00", "one@2026-11-23T12:02:00+00:00")
    assert (found.series.committed_offset.tolist(), found.series.end_offset.tolist()) == (
        [[100], [160]],
        [[400], [430]],
    )
    assert found.series.time.tolist() == [NOON.timestamp(), NOON.timestamp() + 120]


def test_two_files_with_a_time_each_are_two_readings_in_the_order_of_time(lake):
    store(lake, "second", ",payments,orders,0,160,430,a", taken_at=NOON.replace(minute=2))
    store(lake, "first", ",payments,orders,0,100,400,a", taken_at=NOON)

    assert read_history(lake, "payments").series.end_offset.tolist() == [[400], [430]]


def test_a_time_at_which_only_another_group_was_read_is_no_reading_of_a_group(lake):
    store(
        lake,
        "one",
        "2026-11-23T12:00:00Z,payments,orders,0,100,400,a",
        "2026-11-23T12:02:00Z,billing,orders,0,160,430,a",
    )

    assert read_history(lake, "payments").batch == ("one@2026-11-23T12:00:00+00:00",)
    assert len(instants(lake, None).batches) == 2


def test_rows_without_a_time_belong_to_no_history(lake):
    store(
        lake,
        "one",
        ",payments,orders,0,100,400,a",
        "2026-11-23T12:02:00Z,payments,orders,0,160,430,a",
    )

    assert read_history(lake, "payments").series.end_offset.tolist() == [[430]]


def test_a_range_chooses_among_the_times_of_one_file(lake):
    store(
        lake,
        "one",
        *(f"2026-11-23T12:0{minute}:00Z,payments,orders,0,{minute},9,a" for minute in range(4)),
    )

    found = read_history(lake, "payments", None, NOON.replace(minute=1), NOON.replace(minute=2))

    assert found.series.committed_offset.tolist() == [[1], [2]]
