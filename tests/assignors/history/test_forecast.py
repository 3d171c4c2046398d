"""The lag of a group after its last slot."""

import numpy as np

from evenkeel.assignors.history.forecast import forecast
from evenkeel.assignors.history.now import now
from evenkeel.assignors.history.speed.draws import Draws
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
