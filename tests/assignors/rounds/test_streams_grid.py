"""One application under many settings."""

import numpy as np
import pytest

from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.rounds.restoring import Restoring
from evenkeel.assignors.rounds.streams_grid import streams_grid
from tests.assignors.applications import Client, application

TASKS = "0.0 0.1 0.2 0.3 0.4 0.5"
JOINED = application(TASKS, TASKS, [Client(-2), Client(1000)], 1000)
FAST = Restoring(np.array([10_000.0, 10_000.0]), np.zeros(6))


def test_more_warmups_balance_sooner_and_a_shorter_interval_too():
    values = {"probing_rebalance_interval_ms": [60_000, 600_000], "max_warmup_replicas": [1, 3], "acceptable_recovery_lag": [0]}
    points = streams_grid(JOINED, HighAvailabilityTaskAssignor(), values, FAST)

    found = [(point.settings["max_warmup_replicas"], point.seconds, point.round_count, point.most_copies) for point in points]
    assert found == [(1, 180.0, 4, 1), (1, 1800.0, 4, 1), (3, 60.0, 2, 3), (3, 600.0, 2, 3)]


def test_standbys_stay_and_a_lag_that_is_acceptable_at_once_takes_no_time():
    values = {"num_standby_replicas": [0, 1], "acceptable_recovery_lag": [0, 1000]}
    points = streams_grid(JOINED, HighAvailabilityTaskAssignor(max_warmup_replicas=3), values, FAST)

    assert [(point.seconds, point.most_copies, point.standing_copies) for point in points] == [
        (600.0, 3, 0),
        (600.0, 6, 6),
        (0.0, 0, 0),
        (0.0, 6, 6),
    ]


def test_a_value_out_of_range_is_refused():
    with pytest.raises(ValueError, match="max_warmup_replicas is 0"):
        streams_grid(JOINED, HighAvailabilityTaskAssignor(), {"max_warmup_replicas": [0]})
