import json

import pytest

from evenkeel.data.group.columns.application_rates import with_measured_rates
from evenkeel.data.group.document import decode_application

PROCESS = "00000000-0000-0000-0000-000000000001"


def application(minute: int, sums: dict[str, int], lag: object = 100, **ends: int | None):
    """Return an application of one process that reports `sums`, at a minute; `ends` by task, `t0_0`
    for 0_0.
    """
    tasks = [
        {"task_id": name[1:], "stateful": True, "end_offset_sum": end} for name, end in ends.items()
    ]
    processes = [
        {"process_id": PROCESS, "consumers": [{"member_id": "a", "task_offset_sums": sums}]}
    ]
    written = {
        "taken_at": f"2026-11-20T08:{minute:02}:00Z",
        "settings": {"acceptable.recovery.lag": lag},
    }
    return decode_application(
        json.dumps(
            {"format": "evenkeel.streams/1", "tasks": tasks, "processes": processes} | written
        )
    )


def measured(later, earlier):
    found = with_measured_rates(later, earlier)
    return found.restore_rates, found.end_offset_rates


def test_a_process_that_was_never_idle_restored_what_its_copies_grew_by():
    earlier = application(0, {"0_0": 1_000, "0_1": 500}, t0_0=100_000, t0_1=600)
    later = application(1, {"0_0": 7_000, "0_1": 620}, t0_0=100_600, t0_1=720)

    assert measured(later, earlier) == ({PROCESS: (6_000 + 120) / 60}, {"0_0": 10.0, "0_1": 2.0})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            {"0_0": 1_000},
            {"0_0": 99_950},
        ),  # within the acceptable lag: it may have waited for records
        ({"0_0": -2}, {"0_0": -2}),  # it runs the task
        ({}, {"0_0": 7_000}),  # the copy is new
        ({"0_0": 1_000}, {"0_0": 1_000}),  # old state without a role
        (
            {"0_0": 1_000, "0_1": 10},
            {"0_0": 7_000, "0_1": -2},
        ),  # one was restored to an end that is unknown
    ],
)
def test_the_rate_of_a_process_that_may_have_been_idle_is_unknown(before, after):
    ends = {"t0_0": 100_000, "t0_1": 600}

    assert measured(application(1, after, **ends), application(0, before, **ends))[0] is None


@pytest.mark.parametrize("lag", [None, "100"])
def test_an_acceptable_lag_that_is_no_number_counts_as_kafkas_default(lag):
    far, near = (application(1, {"0_0": 7_000}, lag, t0_0=end) for end in (17_001, 17_000))
    earlier = application(0, {"0_0": 1_000}, lag, t0_0=16_000)

    assert (measured(far, earlier)[0], measured(near, earlier)[0]) == ({PROCESS: 100.0}, None)


def test_rates_of_the_document_stay_and_unknown_ends_have_none():
    earlier, later = (
        application(0, {}, t0_0=1_000, t0_1=None),
        application(1, {}, t0_0=1_060, t0_1=5),
    )
    given = with_measured_rates(later, earlier)

    assert given.end_offset_rates == {"0_0": 1.0}
    assert (
        with_measured_rates(given, application(0, {}, t0_0=0, t0_1=0)).end_offset_rates["0_0"]
        == 1.0
    )


def test_moments_without_order_tell_nothing():
    one = application(1, {"0_0": 5}, t0_0=1_000)

    assert with_measured_rates(one, one) == one
    assert with_measured_rates(one, application(2, {"0_0": 1}, t0_0=900)) == one
