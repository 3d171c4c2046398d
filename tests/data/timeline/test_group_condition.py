"""Conditions of a group's history: what they say of unknown figures, and of what is none."""

import argparse
import math
from datetime import UTC, datetime

import pytest

from evenkeel.data.timeline.command import GroupCondition, figures_of

ROW = {
    "group_id": "payments",
    "lasting_verdict": "STALL",
    "verdict_since": datetime(2026, 11, 2, 5, tzinfo=UTC),
    "verdict_is_older": False,
    "partition_count": 12,
    "unobserved_count": 0,
    "member_count": 3,
    "lag": 1200,
    "unknown_lag_count": 0,
    "lag_seconds": 40.5,
    "unknown_seconds_count": 0,
    "drain_seconds": 30.0,
    "drain_is_never": False,
    "age_seconds": 12.5,
}


def holds(condition: str, **row) -> bool | None:
    return GroupCondition.parse(condition).holds_for(figures_of(ROW | row))


@pytest.mark.parametrize(
    "condition",
    [
        'verdict == "STALL"',
        "verdict=='STALL'",
        "verdict >= SLOW",
        "verdict != OK",
        "lag > 1e3",
        "lag_seconds<=40.5",
        "members < 4",
        "unknown_partitions == 0",
        " drain_seconds < 31 ",
        "age_seconds > 12",
    ],
)
def test_a_condition_is_judged_with_and_without_blanks_and_quotation_marks(condition):
    assert holds(condition) is True


@pytest.mark.parametrize(
    ("condition", "row", "found"),
    [
        ("lag > 5000", {"unknown_lag_count": 1}, None),  # the unknown lag may be larger
        ("lag > 1000", {"unknown_lag_count": 1}, True),
        ("lag < 1000", {"unknown_lag_count": 1}, False),
        ("lag == 1500", {"unknown_lag_count": 1}, None),
        ("lag != 1500", {"unknown_lag_count": 1}, None),
        ("lag > 5", {"lag": None, "unknown_lag_count": 12}, None),
        ("lag_seconds > 60", {"unknown_seconds_count": 2}, None),
        ("lag_seconds > 30", {"unknown_seconds_count": 2}, True),
        ("lag_seconds > 60", {"lag_seconds": None, "unknown_seconds_count": 12}, None),
        ("drain_seconds > 60", {"unknown_lag_count": 1}, None),
        ("drain_seconds > 20", {"unknown_lag_count": 1}, True),
        ("drain_seconds > 3600", {"drain_seconds": None}, None),
        ("drain_seconds > 3600", {"drain_seconds": None, "drain_is_never": True}, True),
        ("verdict == STOP", {"unobserved_count": 12, "lasting_verdict": "OK"}, None),
        ("verdict == STOP", {"unobserved_count": 3, "lasting_verdict": "OK"}, False),
        ("verdict == STOP", {"partition_count": 0, "lasting_verdict": "OK"}, None),
        ("lag < 5", {"partition_count": 0, "lag": None}, None),
        ("unknown_partitions > 0", {"unknown_lag_count": 1}, True),
    ],
)
def test_what_is_unknown_neither_passes_nor_fails_in_silence(condition, row, found):
    assert holds(condition, **({"unobserved_count": 0} | row)) is found


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ('verdict == "LATE"', 'one of OK, SLOW, REWIND, STALL, STUCK, STOP in place of "LATE"'),
        ("verdict == stop", 'one of OK, SLOW, REWIND, STALL, STUCK, STOP in place of "stop"'),
        ("verdict == 3", 'one of OK, SLOW, REWIND, STALL, STUCK, STOP in place of "3"'),
        ("lag > STALL", 'a number in place of "STALL"'),
        ('lag > "5"', "the number without quotes: lag > 5"),
        ("lag > 1,000", 'a number in place of "1,000"'),
        ("lag_seconds > 5m", 'a number in place of "5m"'),
        ("lag > nan", 'a number in place of "nan"'),
        (
            "max_lag > 3",
            (
                "one of verdict, lag, lag_seconds, drain_seconds, members, unknown_partitions,"
                " age_seconds in place of max_lag"
            ),
        ),
        (
            "Verdict == STOP",
            (
                "one of verdict, lag, lag_seconds, drain_seconds, members, unknown_partitions,"
                " age_seconds in place of Verdict"
            ),
        ),
        ("verdict", "FIGURE < <= > >= == != VALUE, such as"),
        ("verdict = STOP", "FIGURE < <= > >= == != VALUE, such as"),
        ('verdict == "STOP', "FIGURE < <= > >= == != VALUE, such as"),
        ("lag > 5 and members > 2", "FIGURE < <= > >= == != VALUE, such as"),
        ("", "FIGURE < <= > >= == != VALUE, such as"),
    ],
)
def test_what_is_no_condition_is_refused_with_what_is_wrong_in_it(condition, expected):
    with pytest.raises(argparse.ArgumentTypeError) as refused:
        GroupCondition.parse(condition)

    assert str(refused.value).startswith(f"found {condition!r}, expected {expected}")


@pytest.mark.parametrize(
    ("condition", "nearest"),
    [
        ("verdict == stop", "STOP"),
        ("Verdict == STOP", "verdict"),
        ("lag_second > 3", "lag_seconds"),
    ],
)
def test_the_nearest_word_is_offered(condition, nearest):
    with pytest.raises(argparse.ArgumentTypeError, match=f": did you mean {nearest}[?]$"):
        GroupCondition.parse(condition)


@pytest.mark.parametrize(
    ("condition", "row", "reason"),
    [
        ("verdict > OK", {}, "STALL since 2026-11-02T05:00:00Z, an owner, and no progress"),
        ("lag > 5", {}, "lag is 1,200"),
        ("lag > 5", {"unknown_lag_count": 1}, "lag is at least 1,200"),
        ("lag_seconds > 5", {}, "lag_seconds is 40.5"),
        ("lag_seconds > 500", {"lag_seconds": 527.598622083664}, "lag_seconds is 527.6"),
        ("lag_seconds > 500", {"lag_seconds": 1_527.98}, "lag_seconds is 1,528"),
        ("lag > 5", {"lag": 9_007_199_254_740_993}, "lag is 9,007,199,254,740,993"),
        ("drain_seconds > 5", {"drain_is_never": True}, "drain_seconds is infinite"),
    ],
)
def test_the_reason_says_the_figure(condition, row, reason):
    group = figures_of(ROW | row)

    assert GroupCondition.parse(condition).reason(group) == reason


def test_why_it_cannot_be_judged_names_the_group_and_what_is_unknown():
    group = figures_of(ROW | {"unknown_lag_count": 3})

    assert group.high["lag"] == math.inf
    assert GroupCondition.parse("lag > 5000").unknown(group) == (
        "lag > 5000 cannot be judged for payments: the lag of 3 of 12 partitions is unknown"
    )
