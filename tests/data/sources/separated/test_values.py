import re
from datetime import UTC, datetime

import pytest

from evenkeel.data.sources.numbers import Unreadable
from evenkeel.data.sources.separated import values


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-11-20T08:00:00Z", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("2026-11-20 10:00:00+02:00", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("2026-11-20 08:00:00.25", datetime(2026, 11, 20, 8, 0, 0, 250_000, tzinfo=UTC)),
        ("1795161600", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("1795161600.5", datetime(2026, 11, 20, 8, 0, 0, 500_000, tzinfo=UTC)),
        ("1795161600000", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("1795161600000000", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("1795161600000000000", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("-", None),
    ],
)
def test_a_time_is_iso_or_counts_since_1970_and_without_a_zone_it_is_utc(text, time):
    assert values.time(text, "ts") == time


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "-5",
        "2026-13-01",
        "99999999999999999999999",
        "99999999999-01-01",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
    ],
)
def test_what_is_no_time_is_unreadable(text):
    with pytest.raises(
        Unreadable,
        match=(
            f"ts is '{re.escape(text)}', expected a time such as 2026-11-20T08:00:00Z or seconds"
            " since 1970"
        ),
    ):
        values.time(text, "ts")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("548", 548),
        ("548.0", 548),
        ("-3", -3),
        ("N/A", None),
        ("–", None),
        ("NaN", None),
        ("", None),
    ],
)
def test_a_lag_is_a_whole_number_also_with_a_point_or_nothing(text, number):
    assert values.number(text, "listed_lag", "Lag") == number


@pytest.mark.parametrize("text", ["5.5", "1,000", "1e3", "0x1F", "+5", "7\u00b2"])
def test_what_is_no_whole_number_is_unreadable(text):
    with pytest.raises(Unreadable, match="^Lag is "):
        values.number(text, "listed_lag", "Lag")
