"""Readings of a group that the lake keeps."""

from datetime import timedelta

import pytest

from evenkeel.data.diagnosis.answer import diagnosed
from evenkeel.data.diagnosis.stored import stored_readings, stored_readings_of_all
from evenkeel.data.group.budget import COMMAND_LINE
from evenkeel.data.group.columns.from_tables import GroupKey
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.ingest.batch import stored_here
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.scenarios.stored_groups import StoredGroup
from evenkeel.data.timeline.reading_times import Times, UploadGroup, with_later
from tests.data.timeline.test_reading_times import HEADER, NOON, row, upload

SAID = Times(earlier=NOON - timedelta(minutes=10), later=NOON)


@pytest.fixture
def lake(tmp_path):
    place = place_of(tmp_path)
    upload(place, "first", HEADER + row(100, 40_000))
    upload(place, "second", HEADER + row(100, 43_000), minute=10)
    return place


def readings(lake, said):
    """Return the readings of two uploads, of one group and of all groups of the batch."""
    batch = with_later(lake, UploadGroup("first", "payments"), "second", said).batch
    group = StoredGroup(lake, batch, "payments", None, COMMAND_LINE)
    one = stored_readings(group, has_notes=True)
    (same,) = stored_readings_of_all(lake, batch, [GroupKey("payments", None)], COMMAND_LINE)
    return one, same


def test_times_of_uploads_make_no_second_reading(lake):
    for each in readings(lake, Times()):
        assert each.earlier is None
        assert diagnosed(each).case.is_one_reading


def test_times_that_a_person_says_make_a_second_reading(lake):
    for each in readings(lake, SAID):
        assert each.seconds == 600
        assert diagnosed(each).code == "stalled"


def test_growth_has_no_seconds_if_the_times_are_those_of_uploads(lake):
    growth = [readings(lake, Times())[0].growth, readings(lake, SAID)[0].growth]

    assert [each["lag"] for each in growth] == [3_000, 3_000]
    assert [each["seconds"] for each in growth] == [None, 600]


def test_a_stored_paste_keeps_its_earlier_reading_and_its_remarks(tmp_path):
    place = place_of(tmp_path)
    listing = HEADER + row(100, 40_000)
    again = HEADER + row(150, 43_000) + row(151, 43_000)
    inputs = [Input("twice.txt", place, "twice.txt")]
    place.write("twice.txt", f"{listing}\n{again}".encode())
    stored_here(inputs, place, batch="twice")

    group = StoredGroup(place, "twice", "payments", None, COMMAND_LINE)
    stored = stored_readings(group, has_notes=True)

    assert stored.growth == {
        "lag": 2_950,
        "produced": 3_000,
        "consumed": 50,
        "readings": 2,
        "seconds": None,
        "from": None,
        "to": None,
    }
    assert [(note["code"], note["count"]) for note in stored.notes] == [
        ("repeated_readings", 2),
        ("conflicting_rows", 1),
    ]
