"""Readings of a group that the lake keeps."""

from datetime import timedelta

import pytest

from evenkeel.data.diagnosis.answer import diagnosed
from evenkeel.data.diagnosis.stored import stored_readings, stored_readings_of_all
from evenkeel.data.group.budget import COMMAND_LINE
from evenkeel.data.group.columns.from_tables import GroupKey
from evenkeel.data.lake.place import place_of
from evenkeel.data.scenarios.stored_groups import StoredGroup
from evenkeel.data.timeline.reading_times import OpenGroup, Times, with_later
from tests.data.timeline.test_reading_times import HEADER, NOON, row, upload


@pytest.fixture
def lake(tmp_path):
    place = place_of(tmp_path)
    upload(place, "first", HEADER + row(100, 40_000))
    upload(place, "second", HEADER + row(100, 43_000), minute=10)
    return place


def readings(lake, said):
    """Return the readings of two uploads, of one group and of all groups of the batch."""
    batch = with_later(lake, OpenGroup("first", "payments"), "second", said).batch
    one = stored_readings(StoredGroup(lake, batch, "payments", None, COMMAND_LINE))
    (same,) = stored_readings_of_all(lake, batch, [GroupKey("payments", None)], COMMAND_LINE)
    return one, same


def test_times_of_uploads_make_no_second_reading(lake):
    for each in readings(lake, Times()):
        assert each.earlier is None
        assert diagnosed(each).case.is_one_reading


def test_times_that_a_person_says_make_a_second_reading(lake):
    said = Times(earlier=NOON - timedelta(minutes=10), later=NOON)

    for each in readings(lake, said):
        assert each.seconds == 600
        assert diagnosed(each).code == "stalled"
