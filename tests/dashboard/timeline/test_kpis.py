"""The figures on top of the Timeline."""

import numpy as np

from evenkeel.assignors.group.drain import Band
from evenkeel.dashboard.timeline.head import drains_in
from evenkeel.data.scenarios.drains import Endless, GroupDrain

NEVER = GroupDrain(Band(*[np.float64(np.inf)] * 3), 12.0, Endless(("bill-b",)))


def test_a_time_of_an_assumed_rate_says_whose_it_is():
    assert drains_in(NEVER._replace(assumed=("bill-b",)))[:3] == (
        "Drained",
        "never",
        "12.0/s more than bill-b reads; a rate is assumed",
    )
    assert (
        drains_in(NEVER._replace(assumed=("bill-b",))).tip
        == "bill-b's rate is assumed: the group's median."
    )
    assert drains_in(NEVER).tip == ""


def test_a_member_that_reads_as_much_as_comes_in_is_named():
    even = GroupDrain(Band(*[np.float64(np.nan)] * 3), 0.0, even=("bill-b",))

    assert drains_in(even)[1:3] == (
        "–",
        "bill-b reads about as many records as are written: too few readings to tell whether the"
        " lag drains",
    )
