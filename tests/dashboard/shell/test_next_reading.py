"""When a live group is read again."""

from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.dashboard.shell.watch import is_due


@pytest.mark.parametrize(
    ("age", "due"),
    [
        (timedelta(seconds=5), False),
        (timedelta(seconds=31), True),
        (timedelta(hours=-1), True),
        (timedelta(hours=1), True),
    ],
)
def test_a_reading_is_due_when_it_is_old_and_when_the_clock_was_set_back_behind_it(age, due):
    assert is_due(datetime.now(UTC) - age, 30) == due


def test_nothing_is_due_where_nobody_watches():
    assert not is_due(datetime.now(UTC) - timedelta(hours=1), None)
