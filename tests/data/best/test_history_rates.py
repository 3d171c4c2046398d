"""What members can read, from a history of slots of 30 seconds."""

from dataclasses import replace

import numpy as np

from evenkeel.data.best.request import history_rates
from tests.assignors.groups import group
from tests.generated.histories import series_of

SLOTS = np.arange(40)[:, None]
GROUP = group({"t0": 4}, A="t0", B="t0")
BEHIND = 100_000


def rates_of(end, committed, **more):
    """Return the rates of A with partitions 0 and 1, and B with 2 and 3; `end`, `committed`:
    records a slot.
    """
    waiting = [BEHIND * (came > read) for came, read in zip(end, committed, strict=True)]
    series = series_of(SLOTS * end + waiting, SLOTS * committed, np.tile([0, 0, 1, 1], (40, 1)))
    return history_rates(GROUP, replace(series, member_id=("A", "B"), **more))


def test_members_that_are_behind_read_what_they_can():
    rates = rates_of([90] * 4, [60, 60, 30, 60])

    assert rates.capacity.tolist() == [4_000, 3_000]
    assert rates.assumed == ()


def test_a_member_that_keeps_up_with_less_takes_the_median_of_the_others():
    rates = rates_of([90, 90, 30, 30], [60, 60, 30, 30])

    assert rates.capacity.tolist() == [4_000, 4_000]
    assert rates.assumed == ("B",)


def test_all_capacities_are_assumed_if_the_owners_of_the_past_are():
    rates = rates_of([90] * 4, [60, 60, 30, 60], has_owners=SLOTS[:, 0] == 39)

    assert rates.assumed == ("A", "B")


def test_what_members_can_read_is_unknown_if_one_reads_nothing():
    rates = rates_of([90] * 4, [60, 60, 0, 0])

    assert rates.capacity is None
    assert rates.arriving.tolist() == [3_000] * 4


def test_what_a_member_can_read_that_keeps_up_with_more_than_the_others_read_is_unknown():
    assert rates_of([90, 90, 90, 90], [30, 30, 90, 90]).capacity is None
