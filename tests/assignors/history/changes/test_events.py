"""Events and findings, and their sentences."""

import numpy as np

from assignors.history.changes.events import events
from assignors.history.now import now
from data.words.history import event_words, finding_words
from tests.generated.histories import series_of

SLOTS = np.arange(40)[:, None]


def sentences(series) -> list[str]:
    found = now(series)
    return [event_words(event, series) for event in events(series, found.verdicts)]


def test_a_verdict_that_changes_is_an_event_with_its_reason():
    end = np.arange(50, 62)[:, None]
    committed = np.minimum(end - 5, 49)

    assert sentences(series_of(end, committed)) == [
        "The group went from OK to SLOW: t0-0, lag does not fall.",
        "t0-0 became SLOW: lag does not fall.",
        "The group went from SLOW to STALL: t0-0, an owner, and no progress.",
        "t0-0 became STALL: an owner, and no progress.",
    ]


def test_members_that_come_and_go_rebalances_and_topics_made_anew_are_events():
    series = series_of([[9, 9], [9, 9], [4, 9]], [[9, 9], [9, 9], [4, 9]], [[0, 0], [0, 1], [0, 1]], is_member=[[1, 0], [1, 1], [0, 1]])
    series = type(series)(**(vars(series) | {"generation": np.array([7, 8, 8])}))

    assert sentences(series) == [
        "The group rebalanced to generation 8; 1 partition changed owner.",
        "B joined.",
        "A left.",
        "The offsets of t0-0 went back: the topic was made anew, or records were lost.",
    ]


def found_in(end, committed, owner) -> list[str]:
    series = series_of(end, committed, np.tile(owner, (40, 1)), member_count=3)
    return [finding_words(one, series) for one in now(series).findings]


def test_a_member_whose_partitions_stall_while_others_of_the_topic_are_read_is_at_fault():
    end = np.tile(100 + SLOTS * 10, (1, 4))
    committed = np.where(np.array([0, 0, 1, 1]), end, 50)

    assert found_in(end, committed, [0, 0, 1, 1]) == [
        "A is slow or stalled on every partition it has; the same topics are OK at other members."
    ]


def test_a_partition_of_three_times_the_median_is_hot():
    end = 100 + SLOTS * np.array([10, 10, 10, 31])

    assert found_in(end, end, [0, 0, 1, 1]) == ["t0-3 is hot: its records come in at 3.1 times the median of its topic (hot from 3)."]


def test_a_group_whose_members_are_all_busy_and_fall_behind_is_too_small():
    end = np.tile(100 + SLOTS * 10, (1, 2))

    assert found_in(end, np.tile(SLOTS * 7, (1, 2)), [0, 1]) == [
        "Every partition of t0 is slow or stalled.",
        "The group is too small: every member is busy, and 0.2 records/s more come in than are read.",
    ]
