"""Cells of the group table: unknown is never 0, and what is hidden says so."""

from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

from evenkeel.dashboard.groups.columns import COLUMNS, drawn_span

_SEEN = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)

_ROW = {
    "group_id": "payments",
    "group_type": "classic",
    "state": "Stable",
    "assignor": "range",
    "leader": None,
    "leader_certain": None,
    "member_count": 3,
    "idle_members": 0,
    "partition_count": 12,
    "lag": 100,
    "max_lag": 34,
    "worst_partition": "orders-3",
    "unknown_lag_count": 0,
    "problem": None,
    "lag_change": 0.0,
    "highest_lag": 400,
    "verdict": "SLOW",
    "verdict_since": _SEEN - timedelta(minutes=4),
    "verdict_at": _SEEN,
    "since": _SEEN - timedelta(minutes=20),
    "is_older": False,
    "trouble": 1,
    "lag_seconds": 192.0,
    "lag_seconds_method": "interpolated",
    "unknown_seconds_count": 0,
    "drain_low_seconds": 5400.0,
    "drain_seconds": 6480.0,
    "drain_high_seconds": 7560.0,
    "drain_is_never": False,
    "drain_assumed_count": 0,
    "lags": [70, 80, 90, 100],
    "slots": [0, 1, 2, 3],
    "rebalances_hour": 6,
    "rebalances_kind": "poll_timeout",
}


def _cells(**changed):
    return {column.key: column.cell(_ROW | changed) for column in COLUMNS}


def test_a_whole_row_reads_as_its_numbers():
    cells = _cells(lag_change=-3850.0, idle_members=1)

    assert {key: cell.get("text") for key, cell in cells.items()} == {
        "verdict": "SLOW",
        "group": "payments",
        "worst": "orders-3",
        "bar": None,
        "lag": "100",
        "change": "−3,850",
        "spark": None,
        "seconds": "3m 12s",
        "drains": "1.5–2.1\u202fh",
        "rebalances": "6",
        "unknown": "0",
        "state": "Stable",
        "members": "3",
        "partitions": "12",
        "type": "range",
    }
    assert (cells["worst"]["note"], cells["bar"]["bar"]) == ("34\u202f%", 0.5)
    assert (cells["members"]["alarm"], cells["change"]["tone"]) == ("1 idle", "better")


def test_a_time_of_too_few_readings_for_a_band_is_marked():
    cells = _cells(drain_low_seconds=None, drain_seconds=420.0, drain_high_seconds=None)

    assert cells["drains"] == {"text": "≈ 7 m", "title": "Too few readings for a band"}


def test_what_is_unknown_is_a_dash_and_a_part_is_a_bound():
    counts = ("member_count", "idle_members", "partition_count", "unknown_lag_count")
    unknown = dict.fromkeys(
        (*counts, "state", "assignor", "lag", "max_lag", "worst_partition", "lag_change")
    )

    cells, partly = _cells(**unknown), _cells(unknown_lag_count=3)

    assert {
        key: cells[key]["text"]
        for key in ("lag", "change", "unknown", "state", "members", "partitions", "type")
    } == dict.fromkeys(("lag", "change", "unknown", "state", "members", "partitions", "type"), "–")
    assert (partly["lag"]["text"], partly["unknown"]["text"], partly["worst"]["note"]) == (
        "≥ 100",
        "25\u202f%",
        "",
    )


def test_what_cannot_be_seen_and_a_lag_that_no_member_reads_stand_in_the_row():
    assert (
        _cells(problem="TOPIC_AUTHORIZATION_FAILED")["worst"]["text"]
        == "TOPIC_AUTHORIZATION_FAILED"
    )
    assert _cells(member_count=0, state="Empty")["worst"]["text"] == "no members"
    assert _cells(member_count=0, state="Empty")["state"]["tone"] == "worse"


def test_a_verdict_has_its_age_and_reason_and_one_that_may_be_older_is_a_bound():
    young, old = (_cells(is_older=one)["verdict"] for one in (False, True))

    assert (young["note"], old["note"]) == ("4 m", "≥ 4 m")
    assert young["tip"] == "SLOW: lag does not fall. Since 07:56:00 UTC, seen until 08:00:00 UTC."


def test_a_group_without_snapshots_has_dashes():
    cells = _cells(verdict=None, lags=None, lag_seconds=None, trouble=0)

    assert {cells[key]["text"] for key in ("verdict", "spark", "seconds", "drains")} == {"–"}


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"drain_is_never": True}, "never"),
        ({"drain_low_seconds": None, "drain_seconds": None, "drain_high_seconds": None}, "–"),
        ({"drain_seconds": None, "drain_high_seconds": None}, "≥ 1h 30m"),
        ({"drain_high_seconds": None}, "> 90\u202fm"),
        ({"drain_low_seconds": 0.0, "drain_seconds": 0.0, "drain_high_seconds": 0.0}, "0"),
    ],
)
def test_a_drain_is_a_band_and_never_is_no_number(changed, text):
    assert _cells(**changed)["drains"]["text"] == text


def test_a_drain_of_assumed_rates_says_so():
    cell = _cells(drain_is_never=True, drain_assumed_count=1)["drains"]

    assert cell["title"].endswith(
        "no consumer reads a partition. The rate of 1 member is assumed: the group's median"
    )


@pytest.mark.parametrize(
    ("method", "text", "tone", "said"),
    [
        ("timestamp", "3m 12s", "", "By the timestamp of the record itself"),
        (
            "interpolated",
            "3m 12s",
            "",
            "Interpolated: between two snapshots, as if records came evenly",
        ),
        (
            "extrapolated",
            "3m 12s",
            "quiet",
            "Extrapolated: written before the first snapshot, as if records came as evenly then",
        ),
    ],
)
def test_a_time_lag_says_how_it_was_found_and_is_quiet_where_it_is_extrapolated(
    method, text, tone, said
):
    cell = _cells(lag_seconds_method=method)["seconds"]

    assert (cell["text"], cell["tone"], cell["title"]) == (text, tone, said)


def test_a_time_lag_that_is_unknown_for_some_partitions_is_a_bound_and_says_for_how_many():
    cell = _cells(unknown_seconds_count=2)["seconds"]

    assert cell["text"] == "≥ 3m 12s"
    assert cell["title"].endswith(
        "; unknown for 2 partitions: no commit, or the end offset did not move"
    )


@pytest.mark.parametrize(
    ("leader", "certain", "tag"),
    [("java", True, "Java"), ("librdkafka", True, "librdkafka"), ("sarama", False, "sarama?")],
)
def test_a_classic_group_has_the_client_that_leads_it_and_a_question_mark_where_that_is_a_guess(
    leader, certain, tag
):
    cell = _cells(leader=leader, leader_certain=certain)["type"]

    assert (cell["lead"], cell["text"], cell["tag"]) == ("classic", "range", tag)
    assert "tag" not in _cells()["type"]


def test_the_header_of_the_drawn_lags_says_over_which_time_they_are_drawn():
    unseen = {"since": None, "verdict_at": None}
    groups = pa.Table.from_pylist(
        [unseen, {"since": _SEEN - timedelta(minutes=39), "verdict_at": _SEEN}]
    )

    assert drawn_span(groups) == "last 39 m"
    assert drawn_span(groups.slice(0, 1)) == "last snapshot"


@pytest.mark.parametrize(
    ("number", "kind", "text", "note"),
    [(6, "poll_timeout", "6", "poll timeout"), (0, None, "0", None), (None, None, "–", None)],
)
def test_rebalances_have_their_worst_cause_and_a_group_without_a_log_has_a_dash(
    number, kind, text, note
):
    cell = _cells(rebalances_hour=number, rebalances_kind=kind)["rebalances"]

    assert (cell["text"], cell.get("note")) == (text, note)
