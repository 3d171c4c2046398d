"""When steps are drained: 2 records/s come into each of four partitions; pay-a reads 64 records/s,
pay-b 24.
"""

from dataclasses import replace

import numpy as np
import pytest

from evenkeel.assignors.group.drain import Band
from evenkeel.assignors.timeline.draws import Draws
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.scenarios.run.step_drains import (
    StepDrain,
    StepDrains,
    drain_line,
    drain_of,
    drains_of,
)
from tests.data.scenarios.scenarios import result
from tests.generated.histories import series_of

RATES = [2.0, 2.0, 2.0, 2.0]


def drained(*steps, rates=RATES, capacity=(64.0, 24.0), **more):
    run = result(*steps, **more)
    names = {"topic_name": ("orders",), "member_id": ("pay-a", "pay-b")}
    series = replace(series_of(np.zeros((2, len(rates))), np.zeros((2, len(rates)))), **names)
    drawn = Draws(
        np.tile(rates, (200, 1)),
        np.tile(capacity, (200, 1)),
        np.zeros((200, 2)),
        np.zeros(len(rates), dtype=np.int64),
    )
    return run, drains_of(run.steps, StepDrains(run.listed, series, drawn))


def seconds(step, name="sticky"):
    return float(step[name].drain.band.middle)


def test_each_step_has_the_time_of_its_own_owners():
    _, drains = drained([{"op": "remove_members", "member_ids": ["pay-b"]}])

    # pay-a has 1,020 records behind and gets 4/s; alone it has 1,340 and gets 8/s.
    assert [seconds(step) for step in drains] == pytest.approx([1020 / 60, 1340 / 56])


def test_a_step_that_never_ends_names_the_member_that_reads_too_little():
    _, drains = drained([{"op": "remove_members", "member_ids": ["pay-b"]}], capacity=(7.0, 24.0))

    assert [step["sticky"].drain.endless.members for step in drains] == [(), ("pay-a",)]
    assert drains[1]["sticky"].drain.excess == pytest.approx(1.0)


def test_a_member_that_restarts_reads_as_fast_as_before():
    restart = [{"op": "restart_members", "member_ids": ["pay-a"]}]

    _, drains = drained(restart, [{"op": "remove_members", "member_ids": ["pay-b"]}])

    assert seconds(drains[2]) == pytest.approx(1340 / 56)
    assert drains[2]["sticky"].assumed_capacities == 0


def test_a_new_member_reads_the_median_of_the_others_and_is_marked_as_assumed():
    join = [
        {"op": "add_members", "like": "pay-a", "count": 1},
        {"op": "remove_members", "member_ids": ["pay-a", "pay-b"]},
    ]

    _, drains = drained(join)

    assert seconds(drains[1]) == pytest.approx(1340 / (44 - 8))
    assert drains[1]["sticky"].assumed_capacities == 1


def test_what_comes_into_a_topic_that_grows_spreads_over_all_partitions():
    alone = [{"op": "remove_members", "member_ids": ["pay-b"]}]
    grows = [{"op": "set_partition_count", "topic": "orders", "count": 6}]

    _, drains = drained(alone, grows)

    assert seconds(drains[2]) == pytest.approx(1340 / 56)
    assert drains[2]["sticky"].grown_topics == 1


def test_a_new_topic_makes_the_time_unknown_because_its_rate_is():
    _, drains = drained(
        [
            {"op": "add_topic", "name": "more", "partitions": 2},
            {"op": "set_subscription", "member_ids": ["pay-b"], "topics": ["more", "orders"]},
        ]
    )

    assert np.isnan(seconds(drains[1]))
    assert drains[1]["sticky"].unknown_rates == 2


def test_an_assignor_that_throws_has_no_time():
    _, drains = drained([], kafka_version="3.5.0")

    assert drains == [{}, {}]


@pytest.mark.parametrize("capacity", [(64.0, 24.0), (5.0, 24.0), (np.nan, np.nan), (6.0, 4.0)])
def test_a_told_band_is_the_band(capacity):
    _, (listed,) = drained(capacity=capacity)

    again = drain_of(drain_line(listed["sticky"]))

    assert np.array_equal(again.drain.band, listed["sticky"].drain.band, equal_nan=True)
    assert np.array_equal(again.drain.excess, listed["sticky"].drain.excess, equal_nan=True)
    assert again[1:] == listed["sticky"][1:]


def test_an_end_that_never_comes_is_null_and_a_time_that_is_unknown_too():
    _, (never,) = drained(capacity=(3.0, 24.0))
    _, (unknown,) = drained(capacity=(np.nan, np.nan))

    assert (
        drain_line(never["sticky"])["seconds"],
        drain_line(never["sticky"])["is_never"],
        drain_line(never["sticky"])["excess"],
    ) == (
        None,
        True,
        1.0,
    )
    assert (
        drain_line(unknown["sticky"])["seconds"],
        drain_line(unknown["sticky"])["is_never"],
    ) == (None, False)


@pytest.mark.parametrize(
    "ends",
    [
        (40, np.nan, np.nan),
        (np.nan, 45, np.nan),
        (40, 45, np.inf),
        (40, np.inf, np.inf),
        (np.inf,) * 3,
    ],
)
def test_bounds_single_times_and_open_bands_are_told_as_they_are(ends):
    one = StepDrain(GroupDrain(Band(*map(np.float64, ends)), 0.0))

    assert np.array_equal(drain_of(drain_line(one)).drain.band, ends, equal_nan=True)
