"""A group's history, read from slots and days of the lake."""

from datetime import timedelta

import numpy as np
import pytest

from evenkeel.data.lake.history.instants import between, instants
from evenkeel.data.lake.slots.retention import Retention
from evenkeel.data.lake.slots.tidy import tidy
from tests.data.lake.slots.collected import DAY, gap, snapshot
from tests.generated.stored import read_history


@pytest.fixture
def collected(place):
    lake = place / "lake"
    for minute in (0, 1, 2, 5, 6):
        snapshot(lake, DAY + timedelta(minutes=minute))
    gap(lake, DAY + timedelta(minutes=3), DAY + timedelta(minutes=4))
    snapshot(lake, DAY + timedelta(minutes=7), groups=("billing",))
    snapshot(lake, DAY + timedelta(minutes=7), cluster="other")
    return lake


def test_a_group_is_read_slot_by_slot_with_the_gaps_between(collected):
    history = read_history(collected, "payments", "c")

    assert history.series.slot.tolist() == [0, 1, 2, 5, 6, 7]
    assert history.series.committed_offset.tolist() == [
        [0, 0, 0],
        [1, 1, 1],
        [2, 2, 2],
        [5, 5, 5],
        [6, 6, 6],
        [-1, -1, -1],
    ]
    assert history.series.lag[4].tolist() == [0, 1, 2]
    assert history.series.is_listed.all(axis=1).tolist() == [True] * 5 + [False]
    assert [one.reason for one in history.missed] == ["the collector did not run"]


def test_only_the_slots_between_two_instants_are_read(collected):
    history = read_history(
        collected, "payments", "c", DAY + timedelta(minutes=1), DAY + timedelta(minutes=5)
    )

    assert history.series.committed_offset[:, 0].tolist() == [1, 2, 5]


def test_a_part_of_the_instants_has_its_snapshots_and_its_gaps(collected):
    found = instants(collected, "c")

    middle, end = between(found, *found.axis.time[[1, 3]]), between(found, *found.axis.time[[4, 5]])

    assert (middle.axis.slot.tolist(), len(middle.batches), len(middle.axis.missed)) == (
        [1, 2, 5],
        3,
        1,
    )
    assert (end.axis.slot.tolist(), end.axis.missed) == ([6, 7], ())


def test_a_day_and_its_slots_have_the_same_history(collected):
    before = read_history(collected, "payments", "c", DAY + timedelta(minutes=1))
    tidy(
        collected,
        Retention(
            compact_after=timedelta(0),
            keep_slots=timedelta(days=9999),
            keep_thinned=timedelta(days=9999),
        ),
        settle_seconds=0,
    )

    after = read_history(collected, "payments", "c", DAY + timedelta(minutes=1))

    assert before.batch == after.batch
    assert before.missed == after.missed
    for name, column in vars(before.series).items():
        np.testing.assert_array_equal(column, getattr(after.series, name))
