"""What is wrong with a group, in literal sentences."""

import numpy as np

from assignors.history.diagnosis import always_idle, diagnoses
from assignors.history.lineage import Identity, by_lineage
from assignors.history.now import now
from data.words.diagnosis import diagnosis_words, idle_words
from tests.assignors.groups import group
from tests.generated.histories import series_of

NAMES = {"A": "reports-0", "B": "reports-1"}


def said(series, assignor=None):
    return [diagnosis_words(one, series, assignor, NAMES) for one in diagnoses(now(series))]


def steady(slots, *per_slot, **others):
    """Return partitions into and out of which so many records go in each slot, 10 behind at first."""
    rows = np.arange(slots)[:, None]
    comes, reads = (np.array([pair[place] for pair in per_slot]) for place in (0, 1))
    return series_of(100 + rows * comes, 90 + rows * reads, np.tile(np.arange(len(per_slot)) % 2, (slots, 1)), **others)


def test_who_owns_a_partition_and_does_not_read_it_is_named_with_the_time():
    series = steady(85, (3, 0), (20, 20))

    assert said(series) == ["reports-0 owns t0-0 but has not read it for 42 m or longer"]


def test_the_time_counts_from_the_last_progress():
    series = steady(20, (3, 0), (20, 20))
    committed = series.committed_offset.copy()
    committed[5:, 0] += 2

    assert said(series_of(series.end_offset, committed, series.owner)) == ["reports-0 owns t0-0 but has not read it for 7 m"]


def test_what_nobody_reads_comes_before_what_its_owner_does_not_read():
    series = steady(20, (3, 0), (3, 0))
    owner = series.owner.copy()
    owner[:, 1] = -1

    assert [one.split(" for ")[0] for one in said(series_of(series.end_offset, series.committed_offset, owner))] == [
        "No consumer reads t0-1: no progress",
        "reports-0 owns t0-0 but has not read it",
    ]


def test_a_consumer_that_restarts_is_named_with_its_pattern_and_what_that_pauses():
    names = "ABCDEFGHIJ"
    is_member = [[name == "A" or place == row + 1 for place, name in enumerate(names)] for row in range(9)]
    columns = np.full((9, 1), 100), np.full((9, 1), 100)
    identity = (Identity("orders-1"), *[Identity("orders-2")] * 9)
    series = by_lineage(series_of(*columns, is_member=is_member, member_count=10), identity)

    text = [diagnosis_words(one, series, "range", {"J": "orders-2"}) for one in diagnoses(now(series))]
    assert text == ["orders-2 left and came back 8 times in 3m 30s, every 30 s; each time all partitions pause"]
    assert diagnosis_words(diagnoses(now(series))[0], series, "cooperative-sticky", {"J": "orders-2"}).endswith("; each time the group rebalances")


def test_records_that_arrive_faster_than_they_are_read_are_said_with_the_factor():
    assert said(steady(20, (28, 20))) == ["Records arrive 1.4 times as fast as the members read"]
    assert said(steady(20, (21, 20))) == []


def test_a_group_that_keeps_up_has_nothing():
    assert said(steady(20, (20, 20), (5, 5))) == []


def test_members_beyond_the_partitions_are_always_idle():
    five = group({"t": 4}, A="t", B="t", C="t", D="t", E="t")

    assert idle_words(always_idle(five), 5) == "5 members, 4 partitions: one is always idle"
    assert idle_words(always_idle(group({"t": 1}, A="t", B="t", C="t", D="t", E="t")), 5) == "5 members, 1 partition: 4 are always idle"
    assert always_idle(group({"t": 2}, A="t", B="t")) is None
    assert always_idle(group({}, A="t")) is None
