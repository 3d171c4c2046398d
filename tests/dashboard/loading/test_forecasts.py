"""What is ahead of a group, or why that cannot be said."""

import numpy as np

from assignors.drain.band import Band
from assignors.history.forecast import Forecast
from assignors.history.now import now
from assignors.history.speed.draws import Draws
from dashboard.loading.history.forecasts import ahead_of
from data.scenarios.drains import GroupDrain
from tests.generated.histories import series_of

SERIES = series_of([[100], [110], [120]], [[0], [20], [30]], member_count=1)
NEVER = GroupDrain(Band(*[np.float64("inf")] * 3), 1.0)


def ahead(capacity: float, drain=None):
    return ahead_of(now(SERIES), Draws(np.ones((2, 1)), np.full((2, 1), capacity)), drain)


def test_the_forecast_is_a_quarter_of_the_range_long():
    found = ahead(3.0)

    assert isinstance(found, Forecast) and found.seconds[-1] == 15


def test_a_group_that_keeps_up_and_one_of_unknown_capacity_have_none_and_say_why():
    assert ahead(3.0, NEVER) == "the group keeps up; what it could read is unknown"
    assert ahead(np.nan) == "what members can read is unknown"
