"""When the answer of an assignor is drained, and who is the cause where it never is."""

from dataclasses import replace

import numpy as np
import pytest

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.timeline.draws import Draws, draws_of
from evenkeel.data.scenarios.drains import Drains
from evenkeel.data.timeline.words import why_never
from tests.assignors.groups import group
from tests.generated.histories import series_of


def with_history(snapshot, series, owner):
    """Return the drain of an answer, with the speeds of a history."""
    drawn = draws_of(series, np.random.default_rng(1))
    return Drains(snapshot, series, drawn).of(Assignment(np.array(owner, dtype=np.int32)))


def test_a_stalled_partition_keeps_the_group_from_being_drained_and_says_what_is_missing():
    rows = np.arange(80)[:, None]
    end, committed = (
        np.hstack([100 + 20 * rows, 100 + 3 * rows]),
        np.hstack([80 + 20 * rows, np.full((80, 1), 50)]),
    )
    series = replace(series_of(end, committed, np.zeros((80, 2))), topic_name=("t",))
    columns = {
        "begin_offset": np.zeros(2, int),
        "committed_offset": committed[-1],
        "end_offset": end[-1],
    }
    snapshot = replace(group({"t": 2}, A="t", B="t"), **columns)

    stays, moves = with_history(snapshot, series, [0, 0]), with_history(snapshot, series, [0, 1])

    assert stays.is_never
    assert stays.endless == ((), (), ("t-1",))
    assert stays.missing == pytest.approx(0.1)
    assert np.isnan(moves.band.middle)


def test_a_rebalance_in_the_last_reading_says_never_of_no_assignor():
    rows = np.arange(20)[:, None]
    owner = np.zeros((20, 1), dtype=np.int32)
    owner[-1] = -1
    series = replace(
        series_of(100 + 20 * rows, 96 + 20 * rows, owner, member_count=1), topic_name=("t",)
    )
    columns = {
        "begin_offset": np.zeros(1, int),
        "committed_offset": np.array([476]),
        "end_offset": np.array([480]),
    }
    # While members rejoin, the coordinator tells no subscriptions: every assignor leaves the
    # partition without an owner.
    snapshot = replace(group({"t": 1}, A=""), **columns)

    found = with_history(snapshot, series, [-1])

    assert not found.is_never
    assert np.isnan(found.band.middle)
    assert found.is_between


@pytest.mark.parametrize(("lag", "found"), [(0, 0), (5, np.nan)])
def test_a_drained_group_takes_0_under_every_assignor_whatever_its_members_can_read(lag, found):
    snapshot = replace(
        group({"t": 2}, A="t", B="t"),
        begin_offset=np.zeros(2, int),
        committed_offset=np.zeros(2, int),
        end_offset=np.full(2, lag),
    )
    series = replace(
        series_of(np.zeros((2, 2)), np.zeros((2, 2)), member_count=2), topic_name=("t",)
    )
    drawn = Draws(np.full((200, 2), 8.0), np.full((200, 2), np.nan), proven=np.full((200, 2), 8.0))

    told = Drains(snapshot, series, drawn).of(Assignment(np.array([0, 0], dtype=np.int32)))

    assert told.band.middle == pytest.approx(found, nan_ok=True)
    assert (
        Drains(snapshot, series, drawn).of(Assignment(np.array([0, -1], dtype=np.int32))).is_never
    )


def never(owner, capacity):
    """Return the drain of two partitions of 100 records behind: 8 records/s come into the first, 50
    into the second.
    """
    snapshot = replace(
        group({"t": 2}, A="t"),
        begin_offset=np.zeros(2, int),
        committed_offset=np.zeros(2, int),
        end_offset=np.full(2, 100),
    )
    series = replace(
        series_of(np.zeros((2, 2)), np.zeros((2, 2)), member_count=1), topic_name=("t",)
    )
    drawn = Draws(np.tile([8.0, 50.0], (200, 1)), np.full((200, 1), capacity))
    return Drains(snapshot, series, drawn).of(Assignment(np.array(owner, dtype=np.int32)))


def test_what_comes_into_a_partition_without_owner_is_no_fault_of_a_member_that_reads_too_little():
    found = never([0, -1], 7.0)

    assert found.endless == (("A",), ("t-1",), ())
    assert found.excess == pytest.approx(1.0)


def test_if_every_member_is_fast_enough_only_the_partition_without_consumer_is_named():
    assert never([0, -1], 20.0).endless == ((), ("t-1",), ())


def test_a_member_that_reads_less_than_both_of_its_partitions_get_is_named_with_all_of_it():
    found = never([0, 0], 7.0)

    assert found.endless == (("A",), (), ())
    assert found.excess == pytest.approx(51.0)


def unread(proven, in_rate=1.0):
    """Return the drain of two partitions: A, which came to the end each time, reads 8 records/s of
    the first, and nobody the second.
    """
    columns = {
        "begin_offset": np.zeros(2, int),
        "committed_offset": np.array([100, 0]),
        "end_offset": np.array([100, 50]),
    }
    snapshot = replace(group({"t": 2}, A="t"), **columns)
    series = replace(
        series_of(np.zeros((2, 2)), np.zeros((2, 2)), member_count=1), topic_name=("t",)
    )
    drawn = Draws(
        np.tile([8.0, in_rate], (200, 1)),
        np.full((200, 1), np.nan),
        proven=np.full((200, 1), proven),
    )
    return Drains(snapshot, series, drawn).of(Assignment(np.array([0, -1], dtype=np.int32)))


def test_members_that_keep_up_lack_nothing_beside_a_partition_that_nobody_reads():
    found = unread(proven=8.0)

    assert found.is_never
    assert found.endless == ((), ("t-1",), ())
    assert found.missing == pytest.approx(1.0)
    assert (
        why_never(found.excess, *found.endless, found.missing)
        == "no consumer reads t-1; 1.0 records/s stay unread"
    )


@pytest.mark.parametrize(
    ("proven", "in_rate"),
    [(7.0, 1.0), (8.0, np.nan)],
    ids=["more-than-it-was-seen-to-read", "unknown-rate"],
)
def test_the_missing_rate_is_unknown_if_a_rate_or_the_capacity_of_a_member_is_unknown(
    proven, in_rate
):
    assert unread(proven, in_rate).is_never
    assert np.isnan(unread(proven, in_rate).missing)


def test_a_history_of_members_that_keep_up_says_what_is_missing_beside_a_partition_without_owner():
    rows = np.arange(80)[:, None]
    end, committed = (
        np.hstack([100 + 240 * rows, 100 + 30 * rows]),
        np.hstack([100 + 240 * rows, np.full((80, 1), 50)]),
    )
    series = replace(
        series_of(end, committed, np.tile([0, -1], (80, 1)), member_count=1), topic_name=("t",)
    )
    columns = {
        "begin_offset": np.zeros(2, int),
        "committed_offset": committed[-1],
        "end_offset": end[-1],
    }

    found = with_history(replace(group({"t": 2}, A="t"), **columns), series, [0, -1])

    assert found.is_never
    assert found.missing == pytest.approx(1.0)
