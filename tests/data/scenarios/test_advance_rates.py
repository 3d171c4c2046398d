"""Rates of a history are written into a scenario: 1 record/s comes into each of three partitions, 4
into the last one of pay-b.
"""

from dataclasses import replace

import numpy as np
import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.advance_rates import with_rates
from evenkeel.data.scenarios.run.results import result_of
from tests.data.scenarios.scenarios import PAYMENTS, scenario
from tests.generated.histories import series_of

SLOTS = np.arange(40)[:, None]
PASS = {"op": "advance", "seconds": 60}


def history():
    """Slots of 30 seconds; pay-a reads 4 records/s and pay-b 6, both always behind."""
    end, committed = SLOTS * [30, 30, 30, 120], SLOTS * [60, 60, 90, 90]
    names = {"topic_name": ("orders",), "member_id": ("pay-a", "pay-b")}
    return replace(series_of(end + 100_000, committed, np.tile([0, 0, 1, 1], (40, 1))), **names)


def filled(*edits, series=None, **more):
    return with_rates(scenario(list(edits), **more), lambda: series or history()).steps[0].edits[-1]


def test_rates_in_are_those_of_the_last_slots_and_capacities_what_members_read_while_behind():
    edit = filled(PASS)

    assert edit.in_rate == {"orders": [1.0, 1.0, 1.0, 4.0]}
    assert edit.capacity == {"pay-a": 4.0, "pay-b": 6.0, "*": 5.0}
    assert (edit.measured.until - edit.measured.since).total_seconds() == 9 * 30


def test_two_readings_tell_what_members_read_between_them():
    edit = filled(PASS, series=history().until(1))

    # pay-a reads 2 records/s from each of two partitions, pay-b 3; all are behind by more than came
    # in between.
    assert edit.capacity == {"pay-a": 4.0, "pay-b": 6.0, "*": 5.0}


def test_what_an_edit_gives_stays_and_the_rest_comes_from_the_history():
    edit = filled(PASS | {"capacity": {"*": 7.0}, "window_seconds": 600})

    assert edit.capacity == {"*": 7.0}
    assert edit.in_rate["orders"][3] == 4.0
    assert (edit.measured.until - edit.measured.since).total_seconds() == 20 * 30


def test_a_scenario_that_gives_all_rates_asks_no_history():
    whole = scenario([PASS | {"in_rate": {"*": 1}, "capacity": {"*": 1}}, PASS | {"off": True}])

    assert with_rates(whole, lambda: pytest.fail("asked")) is whole


def test_a_filled_scenario_gives_the_same_answers_as_one_that_gives_these_rates():
    whole = with_rates(scenario([PASS]), history)
    given = scenario(
        [PASS | {"in_rate": {"orders": [1.0, 1.0, 1.0, 4.0]}, "capacity": {"pay-a": 4, "pay-b": 6}}]
    )

    lags = [
        result_of(each).steps[1]["sticky"].rebalances[0].lag.tolist() for each in (whole, given)
    ]
    # In a minute pay-a reads 240 records of 120 more, pay-b 360 of 300 more.
    assert lags[0] == lags[1]
    assert sum(lags[0]) == 1340 + 120 - 240 + 300 - 360


def test_measured_rates_of_a_topic_that_grows_before_spread_over_its_partitions():
    grows = {"op": "set_partition_count", "topic": "orders", "count": 8}
    whole = with_rates(scenario([grows], [PASS | {"capacity": {"*": 0}}]), history)

    before, after = (result_of(whole).steps[step]["sticky"].rebalances[0].lag for step in (1, 2))
    # Half of what came into each old partition, and an eighth of all 7 records/s into each new one.
    assert (after - before).tolist() == [30, 30, 30, 120, 52, 52, 52, 52]


def test_given_rates_have_to_be_one_for_each_partition():
    with pytest.raises(
        SnapshotError,
        match=(
            r'steps\[0\].edits\[0\].in_rate\["orders"\]: 2 rates, expected 4, one for each'
            r" partition"
        ),
    ):
        result_of(scenario([PASS | {"in_rate": {"orders": [1, 1]}, "capacity": {"*": 1}}]))


def test_an_unknown_rate_is_refused_where_the_lag_is_known():
    with pytest.raises(
        SnapshotError,
        match=(
            'in_rate: the rate of "orders-1" is unknown, expected a number, because its lag is'
            " known"
        ),
    ):
        result_of(scenario([PASS | {"in_rate": {"orders": [1, None, 1, 1]}, "capacity": {"*": 1}}]))


def test_without_rates_and_without_a_history_the_error_says_what_is_missing():
    with pytest.raises(
        SnapshotError,
        match=r"steps\[0\].edits\[0\].in_rate: missing, and there is no history of the group",
    ):
        result_of(scenario([PASS]))


@pytest.mark.parametrize("is_read", [(1, 1, 1, 1), (0, 0, 1, 1), (0, 0, 0, 0)])
def test_a_history_of_members_that_keep_up_or_read_nothing_does_not_tell_what_they_can_read(
    is_read,
):
    end = SLOTS * [30, 30, 30, 120]
    names = {"topic_name": ("orders",), "member_id": ("pay-a", "pay-b")}
    committed = end * is_read
    keeping_up = replace(series_of(end, committed, np.tile([0, 0, 1, 1], (40, 1))), **names)

    with pytest.raises(
        SnapshotError, match=r"steps\[0\].edits\[0\].capacity: no member was behind in 3 windows"
    ):
        filled(PASS, series=keeping_up)


def test_a_history_of_one_slot_has_no_rates():
    one = series_of(np.zeros((1, 4)), np.zeros((1, 4)))

    with pytest.raises(
        SnapshotError,
        match=r"steps\[0\].edits\[0\].in_rate: the history has fewer than two snapshots",
    ):
        filled(PASS, series=one, group=PAYMENTS)
