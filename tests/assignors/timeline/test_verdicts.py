"""Verdicts of partitions."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from evenkeel.assignors.timeline.verdicts import (
    OBSERVATIONS,
    OK,
    SLOW,
    STALL,
    VERDICTS,
    group_verdict,
    lasting,
    verdicts,
)
from tests.generated.histories import random_series, series_of
from tests.literal.verdicts import Observation, verdict


def last(end, committed, owner=None, **others) -> str:
    series = series_of(
        *([[value] for value in column] for column in (end, committed)),
        owner and [[one] for one in owner],
        **others,
    )
    return VERDICTS[verdicts(series).verdict[-1, 0]]


@pytest.mark.parametrize(
    ("answer", "end", "committed", "owner"),
    [
        ("OK", [5], [3], None),
        ("OK", [5, 6, 7], [3, 6, 6], None),
        ("REWIND", [50, 51, 52], [30, 20, 40], None),
        ("STOP", [50, 51, 52], [30, 30, 30], [0, 0, -1]),
        ("STALL", [50, 51, 52], [30, 30, 30], [-1, -1, 0]),
        ("SLOW", [50, 60, 70], [30, 31, 32], None),
        ("OK", [50, 60, 70], [30, 45, 46], None),
        # The last advance is in the middle: as long ago as it was after the first, which is not
        # stuck.
        ("SLOW", [50, 60, 70], [30, 31, 31], None),
        ("STALL", [50, 60, 70, 80], [30, 31, 31, 31], None),
        ("OK", [50] * 3, [-1] * 3, None),
    ],
)
def test_a_partition_has_the_verdict_of_its_last_observations(answer, end, committed, owner):
    assert last(end, committed, owner) == answer


def test_a_lag_of_0_eleven_observations_ago_counts_no_more():
    assert last([5] + [50] * 9, [5] * 10) == "OK"
    assert last([5] + [50] * 10, [5] * 11) == "STALL"


def test_a_window_with_fewer_observations_says_how_many():
    series = series_of([[9]] * 12, [[3], [-1], *[[3]] * 10])

    assert verdicts(series).observation_count[:, 0].tolist() == [
        1,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        10,
    ]


def test_a_topic_made_anew_begins_a_series_and_is_no_rewind():
    assert last([50, 60, 9], [30, 40, 2]) == "OK"


def test_ten_thousand_random_series_with_gaps_have_the_verdicts_of_the_rules_read_aloud():
    series = random_series(np.random.default_rng(17), partitions=10_000, slots=16)
    found, seen = verdicts(series), Counter()
    for tp in range(series.tp_count):
        window = [
            Observation(
                float(series.time[row]),
                int(series.committed_offset[row, tp]),
                int(series.lag[row, tp]),
                bool(series.owner[row, tp] >= 0),
            )
            for row in np.flatnonzero(series.is_observed[:, tp])
        ][-OBSERVATIONS:]
        expected = verdict(window)
        seen[expected] += 1

        assert (VERDICTS[found.verdict[-1, tp]], found.observation_count[-1, tp]) == (
            expected,
            len(window),
        ), (tp, window)

    assert min(seen[name] for name in VERDICTS if name != "STUCK") > 100, seen


def without_owners(end, committed, step):
    series = series_of([[value] for value in end], [[value] for value in committed])
    count = len(end)
    return replace(
        series, time=np.arange(count) * float(step), has_owners=np.zeros(count, dtype=bool)
    )


@pytest.mark.parametrize("step", [30, 60])
def test_a_partition_that_stands_still_is_stuck_if_owners_are_not_recorded(step):
    series = without_owners([50 + row for row in range(12)], [30] * 12, step)

    assert VERDICTS[verdicts(series).verdict[-1, 0]] == "STUCK"


def test_a_window_without_owners_lasts_five_minutes():
    # A commit every seven slots of 15 s: ten slots are too few to tell.
    end, committed = [1000 + row for row in range(60)], [30 + row // 7 for row in range(60)]
    series = without_owners(end, committed, 15)

    assert "STUCK" not in {VERDICTS[row] for row in verdicts(series).verdict[30:, 0]}
    known = verdicts(replace(series, has_owners=None))
    assert "STALL" in {VERDICTS[row] for row in known.verdict[30:, 0]}


def test_slots_without_owners_that_are_farther_apart_than_five_minutes_give_no_verdict():
    series = without_owners([50 + row for row in range(12)], [30] * 12, 301)

    found = verdicts(series)
    assert (found.verdict[-1, 0], found.observation_count[-1, 0]) == (OK, 0)


@pytest.mark.parametrize(
    ("answer", "owner"),
    [
        ("STOP", [[0, 0, 0], [0, 0, 0], [0, -1, 0]]),
        ("STALL", [[0, 0, 0]] * 3),
        ("REWIND", [[0, 0, 0]] * 3),
        ("SLOW", [[0, 0, 0]] * 3),
    ],
)
def test_a_group_has_its_worst_verdict_and_a_stalled_partition_is_worse_than_a_rewound_one(
    answer, owner
):
    """The first partition went back, the second stands, the third reads slower than records
    come.
    """
    rows = {"STOP": [0, 1, 2], "STALL": [0, 1, 2], "REWIND": [0, 2], "SLOW": [2]}[answer]
    columns = {
        "end": [[50, 50, 50], [51, 51, 60], [52, 52, 70]],
        "committed": [[30, 30, 30], [20, 30, 31], [40, 30, 32]],
        "owner": owner,
    }
    series = series_of(*(np.array(column)[:, rows] for column in columns.values()))
    found = verdicts(series)

    assert VERDICTS[group_verdict(series, found)[-1]] == answer


def test_only_a_short_spell_of_slow_becomes_ok():
    verdict = np.array([OK, SLOW, SLOW, OK, STALL, OK, SLOW, SLOW, SLOW], dtype=np.int8)

    assert lasting(verdict, least=3).tolist() == [OK, OK, OK, OK, STALL, OK, SLOW, SLOW, SLOW]
