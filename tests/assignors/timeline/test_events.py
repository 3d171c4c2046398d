"""Events and unstable members, and their sentences."""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.group.snapshot import UNKNOWN
from evenkeel.assignors.timeline.events import events
from evenkeel.assignors.timeline.now import now
from evenkeel.assignors.timeline.verdicts import VERDICTS
from evenkeel.data.timeline.words import event_words, unstable_words
from tests.generated.histories import series_of

SLOTS = np.arange(40)[:, None]


def sentences(series) -> list[str]:
    found = now(series)
    return [event_words(event, series) for event in events(series, found.verdicts)]


def test_a_verdict_that_changes_is_an_event_with_its_reason():
    end = np.arange(50, 62)[:, None]
    committed = np.minimum(end - 5, 49)

    assert sentences(series_of(end, committed)) == [
        "The group went from OK to STALL: t0-0, an owner, and no progress."
    ]


def slow_for(slots: int) -> list[tuple[int, str]]:
    """A lag that falls in every other slot up to slot 18, is SLOW from 27 on for so many slots, and
    falls again.
    """
    keeps_up = 4 + SLOTS % 2
    lag = np.where((SLOTS < 20) | (27 + slots <= SLOTS), keeps_up, 5 + SLOTS - 20)
    series = series_of(100 + SLOTS * 10, 100 + SLOTS * 10 - lag)
    return [
        (event.row, event_words(event, series)) for event in events(series, now(series).verdicts)
    ]


def test_slow_is_an_event_once_it_has_lasted_ten_snapshots_and_then_from_its_first():
    assert slow_for(9) == []
    assert slow_for(10) == [
        (27, "The group went from OK to SLOW: t0-0, lag does not fall."),
        (37, "The group went from SLOW to OK."),
    ]


def test_what_the_second_slot_finds_may_be_older_than_the_first_and_is_no_event():
    end = 100 + SLOTS * 10
    stalled, is_there = series_of(end, SLOTS * 0 + 50), SLOTS >= 5

    assert sentences(stalled) == []
    late = series_of(end, np.where(is_there, 50, UNKNOWN))
    assert sentences(replace(late, is_listed=is_there, is_member=np.tile(is_there, 2))) == [
        "Earlier snapshots do not have the group; here it has 2 members: A and B.",
        "The group went from OK to STALL: t0-0, an owner, and no progress.",
    ]
    assert sentences(series_of(end, 50 - (SLOTS > 0)))[0].startswith(
        "The group went from OK to REWIND"
    )


def test_a_partition_that_is_gone_is_no_trouble_of_its_group_any_more():
    end = np.tile(100 + SLOTS * 10, (1, 2))
    series = series_of(end, np.where([True, False], end, 50))
    gone = replace(series, is_listed=(SLOTS < 30) | np.array([[True, False]]))

    assert VERDICTS[now(series).group_verdict] == "STALL"
    assert VERDICTS[now(gone).group_verdict] == "OK"
    assert sentences(gone)[-1] == "The group went from STALL to OK."


def test_a_group_that_snapshots_do_not_have_is_said_and_keeps_its_verdict():
    end = 100 + SLOTS * 10
    series = series_of(end, SLOTS * 0 + 50)
    is_there = (SLOTS < 20) | (SLOTS >= 30)
    away = replace(series, is_listed=is_there, is_member=np.tile(is_there, 2))

    assert sentences(away) == [
        "Later snapshots do not have the group: it was deleted, or could not be read.",
        "Snapshots have the group again.",
    ]


def test_members_that_come_and_go_rebalances_and_topics_made_anew_are_events():
    series = series_of(
        [[9, 9], [9, 9], [4, 9]],
        [[9, 9], [9, 9], [4, 9]],
        [[0, 0], [0, 1], [0, 1]],
        is_member=[[1, 0], [1, 1], [0, 1]],
    )
    series = type(series)(**(vars(series) | {"generation": np.array([7, 8, 8])}))

    assert sentences(series) == [
        "The group rebalanced to generation 8; 1 partition changed owner.",
        "B joined.",
        "A left.",
        "The offsets of t0-0 went back: the topic was created again, or records were lost.",
    ]


def test_a_member_that_never_keeps_its_partitions_for_five_minutes_is_named():
    turns = np.where(SLOTS // 4 % 2, [1, 0], [0, 1])
    series = series_of(np.full((40, 2), 9), np.full((40, 2), 9), turns)

    assert [unstable_words(each, series) for each in now(series).unstable] == [
        f"{member} never had the same partitions for longer than 2m 30s (max.poll.interval.ms is 5"
        " m by default)."
        for member in "AB"
    ]
    assert now(series.until(19)).unstable == []
