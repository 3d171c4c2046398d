"""When a group is drained, in words."""

import numpy as np
import pytest

from evenkeel.assignors.group.drain import Band
from evenkeel.dashboard.parts.drain_words import (
    drain_words,
    never_line,
    short_reason,
    step_drain_words,
)
from evenkeel.data.scenarios.drains import Endless, GroupDrain
from evenkeel.data.scenarios.run.step_drains import COMING, StepDrain


def drain(low, middle, high, excess=0.0):
    return GroupDrain(Band(*map(np.float64, (low, middle, high))), excess)


UNKNOWN = drain(np.nan, np.nan, np.nan)
NEVER = drain(90, np.inf, np.inf, 120.0)


@pytest.mark.parametrize(
    ("found", "text", "tip"),
    [
        (
            StepDrain(drain(40, 45, 52)),
            "40–52\u202fs",
            "Middle 45 s; 90\u202f% of 200 simulations fall in this range",
        ),
        (StepDrain(drain(90, np.nan, np.nan)), "≥ 1m 30s", "Some lags are unknown"),
        (
            StepDrain(drain(np.nan, 700, np.nan)),
            "≈ 11m 40s",
            "Too few readings for a range; this time assumes that the rates do not change",
        ),
        (
            StepDrain(drain(0, 0, 0)),
            "0",
            "The group keeps up: its lag is only the records written between two commits",
        ),
        (
            StepDrain(NEVER),
            "never",
            "Never: 120.0 records/s more come in than the owners can read",
        ),
        (
            StepDrain(drain(90, np.inf, np.inf)),
            "never",
            "Never: no consumer reads a partition with lag",
        ),
        (
            StepDrain(UNKNOWN, unknown_rates=6),
            "–",
            "The rate into 6 partitions is unknown: the snapshots do not show it",
        ),
        (
            StepDrain(UNKNOWN, unknown_rates=1, unknown_capacities=2),
            "–",
            (
                "The rate into 1 partition is unknown, and the read rate of 2 members is unknown:"
                " the snapshots do not show it"
            ),
        ),
        (
            StepDrain(NEVER, assumed_capacities=2, grown_topics=1),
            "never",
            (
                "Never: 120.0 records/s more come in than the owners can read. Assumed: 2 new"
                " members can read at the median rate of the other members. Assumed: records of"
                " 1 topic are written to new partitions too"
            ),
        ),
        (None, "–", "The drain time is unknown"),
        (COMING, "…", "Still computed"),
    ],
)
def test_a_step_says_when_it_is_drained_or_why_that_is_unknown(found, text, tip):
    assert step_drain_words(found)[:2] == (text, tip)


def test_a_group_that_never_drains_says_who_reads_too_little_and_what_stands_still():
    uuid = "-4b1ec0de-0000-4000-8000-000000000000"
    never = NEVER._replace(endless=Endless((f"pay-3{uuid}",)))

    assert drain_words(never).tip == "Never: 120.0 records/s more come in than pay-3-4b1e can read"
    assert (
        drain_words(never, names={f"pay-3{uuid}": "pay-3"}).tip
        == "Never: 120.0 records/s more come in than pay-3 can read"
    )
    assert short_reason(never) == "120.0/s more than pay-3-4b1e reads"
    assert (
        never_line({"current": never, "lag": never}, ["orders-3", "orders-4"])
        == "Under every assignor the group never drains: 120.0 records/s more come in than"
        " pay-3-4b1e can read. No progress: orders-3 and orders-4."
    )
    assert never_line({"current": never, "lag": drain(40, 45, 52)}, []).startswith(
        "As it is, the group never drains: 120.0 records/s"
    )


def test_a_partition_without_progress_is_named_once_with_what_is_missing():
    stuck = drain(90, np.inf, np.inf, 3.4)._replace(
        endless=Endless(stuck=("orders-3",)), missing=3.4
    )
    told = (
        "As it is, the group never drains: orders-3 makes no progress; 3.4 records/s stay unread."
    )

    assert never_line({"current": stuck, "lag": UNKNOWN}, ["orders-3"]) == told
    assert (
        never_line({"current": stuck, "lag": UNKNOWN}, ["orders-3", "orders-4"])
        == f"{told} No progress: orders-4."
    )


def test_a_rebalance_at_the_last_snapshot_is_the_reason_of_an_unknown_time():
    words = drain_words(UNKNOWN._replace(is_between=True))

    assert (words.text, words.tip) == (
        "–",
        "The drain time is unknown: a rebalance was in progress at the last snapshot.",
    )


def test_an_answer_that_never_drains_is_named_where_the_group_as_it_is_drains():
    uuid = "-4b1ec0de-0000-4000-8000-000000000000"
    never, drains = NEVER._replace(endless=Endless((f"pay-3{uuid}",))), drain(40, 45, 52)

    assert (
        never_line({"current": drains, "range": drains, "roundrobin": never, "sticky": never}, [])
        == "Under roundrobin and sticky the group never drains: 120.0 records/s more come in than"
        " pay-3-4b1e can read."
    )
    assert never_line({"current": drains}, []) == ""


def test_assumed_rates_and_members_that_read_as_much_as_comes_in_are_named():
    assumed, even = (
        drain(40, 45, 52)._replace(assumed=("bill-b",)),
        UNKNOWN._replace(even=("pay-a",)),
    )

    assert drain_words(assumed).tip.endswith(
        "fall in this range. bill-b's rate is assumed: the group's median"
    )
    assert drain_words(even)[:2] == (
        "–",
        "pay-a reads about as many records as are written: too few readings to tell whether the"
        " lag drains",
    )
    assert step_drain_words(StepDrain(drain(40, 45, 52), median_capacities=1)).tip.endswith(
        "Assumed: 1 member can read at the group's median rate"
    )


def test_never_stands_out_and_zero_does_not():
    assert [
        drain_words(found).tone for found in (NEVER, drain(0, 0, 0), UNKNOWN, drain(40, 45, 52))
    ] == ["worse", "quiet", "quiet", ""]
