"""The total lag of a group, an instant a row."""

from datetime import timedelta

import pytest

from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.totals import totals_in
from evenkeel.data.lake.slots.retention import Retention
from evenkeel.data.lake.slots.tidy import tidy
from tests.data.lake.slots.collected import DAY, snapshot


@pytest.fixture
def lake(place):
    """Each snapshot of minute m has a lag of 3 m; the last one does not list payments."""
    found = place / "lake"
    for minute in range(6):
        snapshot(found, DAY + timedelta(minutes=minute))
    snapshot(found, DAY + timedelta(minutes=6), groups=("billing",))
    return found


def test_each_instant_has_the_total_lag_and_one_that_does_not_list_the_group_has_none(lake):
    totals = totals_in(lake, "payments", instants(lake, "c"))

    assert totals.row.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert (totals.lag.tolist(), totals.every) == ([0, 3, 6, 9, 12, 15, -1], 1)


def test_of_many_slots_with_files_of_their_own_one_in_so_many_is_read_and_the_last(lake):
    totals = totals_in(lake, "billing", instants(lake, "c"), most_files=3)

    assert (totals.row.tolist(), totals.lag.tolist()) == ([0, 3, 6], [0, 9, 18])
    assert (totals.every, totals.first) == (3, 0)


def test_all_slots_of_a_day_are_read(lake):
    tidy(
        lake,
        Retention(
            compact_after=timedelta(0),
            keep_slots=timedelta(days=9999),
            keep_thinned=timedelta(days=9999),
        ),
        settle_seconds=0,
    )
    snapshot(lake, DAY + timedelta(days=1))
    snapshot(lake, DAY + timedelta(days=1, minutes=1))

    totals = totals_in(lake, "payments", instants(lake, "c"), most_files=1)

    assert totals.row.tolist() == [0, 1, 2, 3, 4, 5, 6, 8]
    assert totals.lag.tolist() == [0, 3, 6, 9, 12, 15, -1, 3 * 1441]
    assert (totals.every, totals.first) == (2, 7)
