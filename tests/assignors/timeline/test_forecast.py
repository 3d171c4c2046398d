"""The lag of a group after its last slot, and how long its members take."""

import numpy as np
import pytest

from evenkeel.assignors.timeline.draws import Draws
from evenkeel.assignors.timeline.forecast import current_drain, forecast
from evenkeel.assignors.timeline.now import now
from tests.generated.histories import series_of


def drawn(capacity: list[float]) -> Draws:
    return Draws(np.full((len(capacity), 2), 1.0), np.array(capacity)[:, None])


def found(**more):
    return now(series_of([[100, 200], [110, 210]], [[0, 0], [10, 110]], member_count=1, **more))


def test_it_begins_with_the_lag_of_the_last_slot_and_its_band_is_that_of_the_draws():
    ahead = forecast(found(), drawn([3.0, 4.0, 6.0]), 100.0)

    assert (ahead.seconds[0], ahead.seconds[-1]) == (0, 100)
    assert [end[0] for end in ahead.lag] == [200, 200, 200]
    assert [end[-1] for end in ahead.lag] == [0, 0, 100]


def test_there_is_none_with_an_unknown_capacity():
    assert forecast(found(), drawn([3.0, np.nan]), 100.0) is None


def test_the_lag_of_a_member_that_keeps_up_stays_where_it_is_unknown_how_much_more_it_could_read():
    ahead = forecast(found(), drawn([np.nan])._replace(on_the_way=np.array([100, 100])), 100.0)

    assert ahead.lag.middle.tolist() == [200.0] * len(ahead.seconds)


# While the owners stay


def times(lag, owner, in_rate, capacity):
    """By partition and by member, of one slot and draws (B, P), (B, M)."""
    series = series_of([lag], [[0] * len(lag)], [owner], member_count=np.shape(capacity)[-1])
    found = current_drain(
        now(series), Draws(np.array(in_rate, dtype=float), np.array(capacity, dtype=float))
    )
    return [column.tolist() for column in found]


def test_partitions_of_a_member_share_what_it_reads_and_the_slowest_one_is_its_time():
    # Each gets 5 records/s until the first is empty after 20 s, and 10 then: 300 - 100 are left.
    assert times([100, 300, 0], [0, 0, 1], [[0, 0, 0]], [[10, 10]]) == [[20, 40, 0], [40, 0]]


def test_the_rates_are_the_medians_of_the_draws():
    assert times([100], [0], [[1], [2], [9]], [[12], [7], [99]]) == [[10], [10]]


def test_what_gets_less_than_comes_in_never_drains_and_nor_does_what_has_no_owner():
    assert times([100, 5], [0, -1], [[20, 0]], [[10]]) == [[np.inf, np.inf], [np.inf]]


def test_a_time_of_which_a_rate_or_a_lag_is_unknown_is_unknown():
    by_partition, by_member = times([100, 0, -1], [0, 0, 1], [[1, 1, 1]], [[np.nan, 10]])

    assert by_partition == pytest.approx([np.nan, 0, np.nan], nan_ok=True)
    assert by_member == pytest.approx([np.nan] * 2, nan_ok=True)


def test_records_on_their_way_are_none_behind():
    series = series_of([[100]], [[90]], member_count=1)

    found = current_drain(
        now(series), Draws(np.array([[5.0]]), np.array([[np.nan]]), on_the_way=np.array([10]))
    )

    assert (found.by_partition.tolist(), found.by_member.tolist()) == ([0], [0])
