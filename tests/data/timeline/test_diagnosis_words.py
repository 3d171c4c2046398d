"""What is wrong with a group, in literal sentences."""

import numpy as np
import pytest

from evenkeel.assignors.timeline.now import now
from evenkeel.assignors.timeline.series import Identity, by_lineage
from evenkeel.data.timeline.words import told
from tests.assignors.groups import group
from tests.generated.histories import series_of

NAMES = {"A": "reports-0", "B": "reports-1"}


def said(series, assignor=None, names=NAMES):
    return [one.text for one in told(now(series), assignor=assignor, names=names)]


def steady(slots, *per_slot, **others):
    """Return partitions into and out of which so many records go in each slot, 10 behind at
    first.
    """
    rows = np.arange(slots)[:, None]
    comes, reads = (np.array([pair[place] for pair in per_slot]) for place in (0, 1))
    return series_of(
        100 + rows * comes,
        90 + rows * reads,
        np.tile(np.arange(len(per_slot)) % 2, (slots, 1)),
        **others,
    )


def test_who_owns_a_partition_and_does_not_read_it_is_named_with_the_time():
    series = steady(85, (3, 0), (20, 20))

    assert said(series) == ["reports-0 owns t0-0 but has not read it for 42 m or longer"]


def test_the_time_counts_from_the_last_progress():
    series = steady(20, (3, 0), (20, 20))
    committed = series.committed_offset.copy()
    committed[5:, 0] += 2

    assert said(series_of(series.end_offset, committed, series.owner)) == [
        "reports-0 owns t0-0 but has not read it for 7 m"
    ]


def handed_over(last, slots=85, **others):
    """Return t0-0, which A did not read for 42 minutes, in the hands of B in the last slots."""
    series = steady(slots, (3, 0), (20, 20), **others)
    owner = series.owner.copy()
    owner[-last:, 0] = 1
    return series_of(series.end_offset, series.committed_offset, owner)


def test_an_owner_of_some_slots_is_not_blamed_for_what_the_owner_before_did_not_read():
    assert said(handed_over(1)) == [
        "t0-0 made no progress for 42 m or longer; reports-1 has had it for 30 s at most"
    ]
    assert said(handed_over(9)) == [
        "t0-0 made no progress for 42 m or longer; reports-1 has had it for 4m 30s at most"
    ]


def test_an_owner_of_a_window_is_blamed_for_its_own_time_alone():
    assert said(handed_over(10)) == ["reports-1 owns t0-0 but has not read it for 4m 30s"]
    assert said(handed_over(41)) == ["reports-1 owns t0-0 but has not read it for 20 m"]


def test_a_rebalance_in_between_gives_no_owner_a_new_start():
    series = steady(85, (3, 0), (20, 20))
    owner = series.owner.copy()
    owner[-4:-2] = -1

    assert said(series_of(series.end_offset, series.committed_offset, owner)) == [
        "reports-0 owns t0-0 but has not read it for 42 m or longer"
    ]


def test_what_nobody_reads_comes_before_what_its_owner_does_not_read():
    series = steady(20, (3, 0), (3, 0))
    owner = series.owner.copy()
    owner[:, 1] = -1

    assert [
        one.split(" for ")[0]
        for one in said(series_of(series.end_offset, series.committed_offset, owner))
    ] == [
        "No consumer reads t0-1: no progress",
        "reports-0 owns t0-0 but has not read it",
    ]


def test_a_consumer_that_restarts_is_named_with_its_pattern_and_what_that_pauses():
    names = "ABCDEFGHIJ"
    is_member = [
        [name == "A" or place == row + 1 for place, name in enumerate(names)] for row in range(9)
    ]
    columns = np.full((9, 1), 100), np.full((9, 1), 100)
    identity = (Identity("orders-1"), *[Identity("orders-2")] * 9)
    series = by_lineage(series_of(*columns, is_member=is_member, member_count=10), identity)

    assert said(series, "range", {"J": "orders-2"}) == [
        "orders-2 left and came back 8 times in 3m 30s, every 30 s; each time all partitions pause"
    ]
    assert said(series, "cooperative-sticky", {"J": "orders-2"})[0].endswith(
        "; each time the group rebalances"
    )


def restarting(*away, slots=12, every=30.0, clients=("a", "b", "c")):
    """Return a group that keeps up, of which the consumers are away in these slots each."""
    is_member = [[slot not in gone for gone in away] for slot in range(slots)]
    columns = np.full((slots, 1), 100), np.full((slots, 1), 100)
    series = series_of(
        *columns, is_member=is_member, member_count=len(away), time=np.arange(slots) * every
    )
    return by_lineage(series, tuple(Identity(name) for name in clients[: len(away)]))


def test_consumers_that_restart_together_are_one_sentence():
    together = restarting({1, 4, 7, 10}, {2, 5, 8}, set())

    assert said(together, names={}) == [
        "a and b left and came back 7 times in all in 4m 30s, each every 1m 30s; each time the group rebalances"
    ]


def test_a_rolling_restart_and_three_deployments_in_a_week_are_no_illness():
    rolling, deployed = (
        restarting({1}, {3}, {5}),
        restarting({20, 70, 120}, {20, 70, 120}, slots=168, every=3600.0),
    )

    assert said(rolling) == said(deployed) == []
    assert now(rolling).findings == now(deployed).findings == []


@pytest.mark.parametrize(("minutes", "is_told"), [(15, True), (16, False)])
def test_restarts_are_one_run_where_each_is_at_most_15_minutes_after_the_one_before(
    minutes, is_told
):
    series = restarting({1, 3, 5}, slots=7, every=minutes * 30.0)

    assert bool(said(series, names={})) == is_told


def test_restarts_that_have_ended_are_no_illness_of_now():
    # The longest pause is two slots: six slots later the run is over, one slot before it is not.
    assert said(restarting({1, 3, 5}, slots=13), names={}) == [
        "a left and came back 3 times in 2 m, every 1 m; each time the group rebalances"
    ]
    assert said(restarting({1, 3, 5}, slots=14), names={}) == []


def test_records_that_arrive_faster_than_they_are_read_are_said_with_the_factor():
    assert said(steady(20, (28, 20))) == ["Records arrive 1.4 times as fast as the members read"]
    assert said(steady(20, (21, 20))) == []


def test_a_group_that_keeps_up_has_nothing():
    assert said(steady(20, (20, 20), (5, 5))) == []


@pytest.mark.parametrize("group_type", ["classic", "consumer", None])
def test_members_beyond_the_partitions_are_always_idle(group_type):
    five = group({"t": 4}, A="t", B="t", C="t", D="t", E="t")
    of_one = group({"t": 1}, A="t", B="t", C="t", D="t", E="t")

    assert [one.text for one in told(None, five, group_type)] == [
        "5 members, 4 partitions: one is always idle"
    ]
    assert [one.text for one in told(None, of_one, group_type)] == [
        "5 members, 1 partition: 4 are always idle"
    ]
    assert (
        told(None, group({"t": 2}, A="t", B="t"), group_type)
        == told(None, group({}, A="t"), group_type)
        == ()
    )


def test_members_of_a_share_group_have_partitions_in_common_and_none_is_idle_for_want_of_one():
    assert told(None, group({"t": 2}, A="t", B="t", C="t", D="t"), "share") == ()


def test_idle_members_come_last_and_two_sentences_are_the_most():
    five = group({"t0": 2}, A="t0", B="t0", C="t0", D="t0", E="t0")

    one, two = (
        told(now(series), five, "classic", names=NAMES)
        for series in (steady(20, (28, 20)), steady(20, (28, 20), (3, 0)))
    )
    assert [sentence.text for sentence in one][1:] == [
        "5 members, 2 partitions: three are always idle"
    ]
    assert [str(sentence.illness) for sentence in two] == ["not read", "too much"]


def test_each_sentence_says_from_when_on_the_history_shows_it():
    series = steady(85, (3, 0), (20, 20))

    assert [one.since for one in told(now(series))] == [0.0]
    assert [one.since for one in told(now(steady(20, (28, 20))))] == [300.0]
    assert [one.since for one in told(now(restarting({1, 4, 7, 10})))] == [60.0]
