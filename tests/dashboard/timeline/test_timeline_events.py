"""Events as the list of the Timeline tells them."""

import numpy as np
import pytest

from evenkeel.assignors.group.series import Series
from evenkeel.assignors.timeline.events import (
    GONE,
    JOINED,
    PARTITIONS,
    REBALANCE,
    RESTARTED,
    VERDICT,
    Event,
)
from evenkeel.assignors.timeline.now import Unstable
from evenkeel.assignors.timeline.pictures.member_lags import MemberLags
from evenkeel.assignors.timeline.verdicts import OK, STALL, STOP
from evenkeel.dashboard.timeline.words import of_event, of_unstable, peaks

SERIES = Series(
    slot=np.arange(2),
    time=np.array([0.0, 30.0]),
    topic_name=("orders",),
    topic=np.zeros(3, dtype=np.int32),
    partition=np.arange(3, dtype=np.int32),
    begin_offset=np.zeros((2, 3), dtype=np.int64),
    committed_offset=np.zeros((2, 3), dtype=np.int64),
    end_offset=np.ones((2, 3), dtype=np.int64),
    lag=np.ones((2, 3), dtype=np.int64),
    member_id=("pay-1", "pay-2"),
    owner=np.array([[0, 0, 1], [0, 0, 1]], dtype=np.int32),
    is_listed=np.ones((2, 3), dtype=bool),
    is_member=np.ones((2, 2), dtype=bool),
    generation=np.array([4, 5]),
)


@pytest.mark.parametrize(
    ("event", "title", "text"),
    [
        (
            Event(1, PARTITIONS, (1,), OK, STALL),
            "orders-1",
            "An owner, and no progress. Owner pay-1.",
        ),
        (
            Event(1, VERDICT, (0, 1, 2), OK, STALL),
            "orders-0 and 2 more",
            "An owner, and no progress. Owner pay-1 and 1 more.",
        ),
        (Event(1, VERDICT, (0,), OK, STOP), "orders-0", "No owner, and no progress."),
        (Event(1, VERDICT, (0, 1, 2), STALL, OK), "payments", "No longer STALL."),
        (Event(1, REBALANCE, (0, 2), 4, 5), "Generation 5", "2 partitions changed owner."),
        (
            Event(1, REBALANCE, (0,)),
            "1 rebalance",
            "1 partition changed owner. Seen by its owners: the generation is unknown.",
        ),
        (
            Event(1, REBALANCE),
            "1 rebalance",
            "0 partitions changed owner. Seen by its members: the generation is unknown.",
        ),
        (Event(1, JOINED, (1,)), "pay-2", "The group then has 2 members."),
        (
            Event(1, GONE),
            "payments",
            "Later snapshots do not have the group: it was deleted, or could not be read.",
        ),
        (
            Event(1, RESTARTED, (2,)),
            "orders-2",
            "The offsets went back, so the topic was created again or records were lost.",
        ),
    ],
)
def test_an_event_says_what_it_is_about_and_what_happened(event, title, text):
    assert of_event(event, SERIES, "payments") == (title, text)


def test_an_unstable_member_is_named():
    assert of_unstable(Unstable(1, 90.0), SERIES).title == "pay-2"


@pytest.mark.parametrize(
    ("total", "titles"),
    [
        ((10, 90, 20), ["90 records"]),
        ((10, 20, 90), []),
        ((50, 60, 55), []),
        ((90, 90, 90), []),
        ((), []),
    ],
)
def test_a_peak_is_told_where_it_stands_out_and_has_passed(total, titles):
    size = len(total)
    none = np.zeros(size, dtype=np.int64)
    lags = MemberLags(
        np.arange(size) * 30.0,
        none,
        none[:0],
        none[:, None],
        np.array(total, dtype=np.int64),
        none,
        0,
        False,
    )

    assert [one.title for one in peaks(lags)] == titles
