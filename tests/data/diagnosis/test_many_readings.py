"""Of many readings, the last one is compared with one 300 s older, else with the first one."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.data.diagnosis.test_two_readings import codes, read

FIRST = datetime(2026, 11, 27, 9, tzinfo=UTC)


@pytest.mark.parametrize("count", [4, 14])
def test_a_member_that_commits_in_every_second_reading_is_not_stalled(count):
    readings, times = [], []
    for number in range(count):
        end, of_c = 3_000 * number, max(3_000 * (number - number % 2) - 500, 0)
        readings.append([(0, end, end, "a"), (1, end, end, "b"), (2, of_c, end, "c")])
        times.append(f"{FIRST + timedelta(seconds=30 * number):%Y-%m-%dT%H:%M:%SZ}")

    assert "stalled" in codes(read(*readings[-2:], times=times[-2:]))
    assert "stalled" not in codes(read(*readings, times=times))
