"""Times in the reader's zone; the address stays in UTC."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from evenkeel.dashboard import times
from evenkeel.dashboard.parts.time_axis import time_axis

BERLIN, KOLKATA = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Kolkata")


@pytest.fixture
def reads_in():
    """Return a setter of the reader's zone."""
    yield lambda zone: times.ask_for_zone(lambda: zone)
    times.ask_for_zone(lambda: UTC)


def test_a_moment_names_the_day_only_when_it_is_another_one():
    now = datetime(2026, 11, 20, 14, 2, 19, tzinfo=UTC)

    assert times.moment(datetime(2026, 11, 20, 14, 2, 11, tzinfo=UTC), now) == "14:02:11 UTC"
    assert times.moment(datetime(2026, 11, 16, 9, 0, 0, tzinfo=UTC), now) == "2026-11-16 09:00 UTC"


def test_times_are_the_readers(reads_in):
    late = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)

    reads_in(BERLIN)

    assert (times.full(late), times.clock(late.timestamp())) == ("2026-11-21 00:30:00 CET", "00:30")
    assert times.day_and_clock(late.timestamp()) == "Sat 21 Nov 00:30"
    # The day is the reader's: in Berlin these are two days, in UTC one.
    assert times.moment(late - timedelta(hours=2), late) == "2026-11-20 22:30 CET"
    assert times.zone(datetime(2026, 7, 1, tzinfo=UTC)) == "CEST"
    assert times.from_local(datetime(2026, 11, 21, 0, 30)) == late


def test_a_zone_without_letters_is_its_distance_from_utc(reads_in):
    reads_in(timezone(timedelta(hours=5, minutes=30), "+0530"))

    assert times.full(datetime(2026, 11, 20, 12, tzinfo=UTC)) == "2026-11-20 17:30:00 UTC+0530"


@pytest.mark.parametrize(
    ("zone", "first"),
    [(UTC, ["01:00", "02:00"]), (BERLIN, ["02:00", "03:00"]), (KOLKATA, ["06:00", "07:00"])],
)
def test_the_axis_has_round_times_of_the_reader(reads_in, zone, first):
    since = datetime(2026, 11, 20, 0, 10, tzinfo=UTC).timestamp()

    reads_in(zone)

    texts = [text.partition("<br>")[0] for text in time_axis(since, since + 9 * 3600)["ticktext"]]
    assert texts[:2] == first


def test_the_first_time_of_each_of_the_readers_days_has_its_date(reads_in):
    since = datetime(2026, 11, 20, 12, 0, tzinfo=UTC).timestamp()

    reads_in(BERLIN)

    axis = time_axis(since, since + 24 * 3600)
    dated = [text for text in axis["ticktext"] if "<br>" in text]
    assert dated == ["15:00<br>Fri 20 Nov", "00:00<br>Sat 21 Nov"]
    assert (
        axis["tickvals"][axis["ticktext"].index(dated[1])]
        == datetime(2026, 11, 20, 23, tzinfo=UTC).timestamp() * 1000
    )
