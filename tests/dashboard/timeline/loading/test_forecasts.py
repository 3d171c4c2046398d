"""What is ahead of a group, or why that cannot be said."""

import numpy as np

from evenkeel.assignors.timeline.draws import Draws
from evenkeel.assignors.timeline.forecast import Forecast
from evenkeel.assignors.timeline.now import now
from evenkeel.dashboard.timeline.loading.timelines import ahead_of
from tests.generated.histories import series_of

SERIES = series_of([[100], [110], [120]], [[0], [20], [30]], member_count=1)


def ahead(capacity: float):
    return ahead_of(now(SERIES), Draws(np.ones((2, 1)), np.full((2, 1), capacity)))


def test_the_forecast_is_a_quarter_of_the_range_long():
    found = ahead(3.0)

    assert isinstance(found, Forecast)
    assert found.seconds[-1] == 15


def test_a_group_of_unknown_capacity_has_none_and_says_why():
    assert ahead(np.nan) == "the read rate of members is unknown"
