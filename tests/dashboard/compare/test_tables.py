"""The rows of the assignor table."""

import json

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.compare.comparison import Row, compare
from evenkeel.assignors.compare.facts import facts_of
from evenkeel.assignors.group.drain import Band
from evenkeel.dashboard.compare.tables import assignor_columns, assignor_rows
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.sources.examples.worked_examples import worked_example
from tests.assignors.groups import Member, assignment, group


@pytest.fixture
def lag_aware():
    """KAFKA-5337: lags of 100,000, 60,000 and 50,000, on C0 the first two."""
    observed = worked_example("lag-aware").load()
    return compare(
        observed.snapshot,
        observed.current,
        [ASSIGNORS[name]() for name in ("range", "roundrobin", "lag")],
    )


def texts(row):
    return [cell["text"] for cell in row["cells"]]


def test_the_worked_example_of_kafka_5337_reads_160_150_and_110_thousand(lag_aware):
    rows = assignor_rows(lag_aware.rows, 3, {})

    assert [(row["name"], texts(row)[2]) for row in rows] == [
        ("current", "160\u202fk"),
        ("range", "160\u202fk"),
        ("roundrobin", "150\u202fk"),
        ("lag", "110\u202fk"),
    ]
    assert texts(rows[3])[1:] == [
        "2 / 1",
        "110\u202fk",
        "−31\u202f%",
        "",
        "0",
        "1",
        "60.0\u202fk",
        "",
        "–",
    ]


def test_the_best_value_of_a_column_is_marked_but_never_in_the_current_row(lag_aware):
    rows = assignor_rows(lag_aware.rows, 3, {})

    best = {
        (row["name"], assignor_columns()[place]["key"])
        for row in rows
        for place, cell in enumerate(row["cells"])
        if cell.get("className") == "best"
    }

    assert best == {
        ("lag", "worst"),
        ("range", "moved"),
        ("range", "moved-lag"),
    }


def test_bars_are_shares_of_the_longest(lag_aware):
    rows = assignor_rows(lag_aware.rows, 3, {})

    assert [row["cells"][4]["bar"] for row in rows] == [1.0, 1.0, 0.9375, 0.6875]
    assert [row["cells"][8]["bar"] for row in rows] == [None, 0.0, 1.0, pytest.approx(60 / 110)]


def test_everything_is_a_plain_value_that_json_can_write(lag_aware):
    json.dumps(assignor_rows(lag_aware.rows, 3, {}))


def test_unknown_lag_is_a_dash_and_sorts_as_nothing():
    snapshot = group({"t0": 2}, A="t0", B="t0")
    rows = compare(snapshot, assignment(snapshot, A="t0-0 t0-1"), [ASSIGNORS["range"]()]).rows

    cells = assignor_rows(rows, 2, {})[1]["cells"]

    assert [cells[place]["text"] for place in (2, 3, 7)] == ["–"] * 3
    assert [cells[place]["sort"] for place in (2, 7)] == [None] * 2
    assert cells[4]["bar"] is None


def test_an_assignor_that_throws_is_a_row_with_its_error():
    snapshot = group({"t0": 1}, A="t0")
    current = compare(snapshot, assignment(snapshot, A="t0-0"), []).rows[0]
    failed = Row("range", error=AssignorError("ArithmeticException", "/ by zero"))

    rows = assignor_rows([current, failed], 1, {})

    words = dict.fromkeys(("title", "note", "mark", "why", "warning", "warningTitle", "inUse"), "")
    assert rows[1] == {
        "name": "range",
        **words,
        "error": "ArithmeticException: / by zero",
        "cells": [],
    }


def test_owners_that_nobody_knows_are_a_row_of_dashes():
    snapshot = group({"t0": 1}, A="t0", lag=[4])

    current, answer = assignor_rows(compare(snapshot, None, [ASSIGNORS["range"]()]).rows, 1, {})

    assert texts(current) == ["current", "–", "–", "–", "", "–", "–", "–", "", "–"]
    assert texts(answer)[1:4] + texts(answer)[6:8] == ["1 / 1", "4", "–", "–", "–"]


def test_idle_members_are_marked_worse():
    snapshot = group({"t0": 1}, A="t0", B="t0")
    rows = compare(snapshot, assignment(snapshot, A="t0-0"), []).rows

    assert assignor_rows(rows, 1, {})[0]["cells"][5] == {
        "text": "1",
        "sort": 1.0,
        "className": "worse",
    }


def test_what_pauses_stands_in_a_column_and_the_least_is_marked():
    snapshot = group({"t": 4}, A=Member("t", owned="t-0 t-1 t-2 t-3", generation=7), B="t")
    current, assignors = (
        assignment(snapshot, A="t-0 t-1 t-2 t-3"),
        [ASSIGNORS[name]() for name in ("range", "cooperative-sticky")],
    )
    rows = compare(snapshot, current, assignors).rows
    facts = {
        assignor.name: facts_of(snapshot, current, assignor, row, True)
        for assignor, row in zip(assignors, rows[1:], strict=False)
    }

    paused = [row["cells"][9] for row in assignor_rows(rows, 4, facts)]

    assert [
        (cell["text"], cell["sort"], cell["then"], cell["className"]) for cell in paused[1:]
    ] == [
        ("4 / 1", 4.0, 1.0, ""),
        ("2 / 2", 2.0, 2.0, "best"),
    ]
    assert paused[0]["text"] == "–"


@pytest.mark.parametrize(("lag", "starred"), [((1000, 995, 4), False), ((1000, 900, 500), True)])
def test_a_best_that_differs_from_current_by_less_than_1_percent_has_no_star(lag, starred):
    snapshot = group({"t0": 3}, A="t0", B="t0", lag=list(lag))
    rows = compare(
        snapshot,
        assignment(snapshot, A="t0-0 t0-2", B="t0-1"),
        [ASSIGNORS[name]() for name in ("range", "lag")],
    ).rows

    assert (
        "best" in {row["cells"][2].get("className") for row in assignor_rows(rows, 3, {})}
    ) is starred


def test_a_switch_that_never_ends_is_marked_and_has_no_star():
    members = {
        "a": Member(""),
        "b": Member("t", owned="t-0 t-1 t-2", generation=5),
        "c": Member("t", owned="t-3 t-4 t-5", generation=5),
    }
    snapshot = group({"t": 6}, members, lag=[100, 200, 300, 400, 500, 600])
    current = assignment(snapshot, b="t-0 t-1 t-2", c="t-3 t-4 t-5")
    assignors = [ASSIGNORS[name]() for name in ("range", "cooperative-sticky")]
    rows = compare(snapshot, current, assignors).rows
    facts = {
        assignor.name: facts_of(snapshot, current, assignor, row, True)
        for assignor, row in zip(assignors, rows[1:], strict=False)
    }

    settled, endless = assignor_rows(rows, 6, facts)[1:]

    assert (settled["warning"], endless["warning"]) == ("", "never ends")
    assert (
        endless["warningTitle"]
        == "the rounds never end: a member refuses its assignment in every round and rejoins"
    )
    assert [cell["text"] for cell in endless["cells"] if cell.get("className") == "best"] == []
    assert (endless["cells"][9]["text"], endless["cells"][9]["className"]) == ("2 / ∞", "worse")


@pytest.mark.parametrize(
    ("name", "group_type", "title"),
    [
        ("range", None, ""),
        (
            "range",
            "consumer",
            "a client assigns: needs group.protocol=classic, and this is a consumer group",
        ),
        ("uniform", None, "the broker assigns: needs group.protocol=consumer"),
        (
            "uniform",
            "classic",
            "the broker assigns: needs group.protocol=consumer, and this is a classic group",
        ),
        ("uniform", "consumer", "the broker assigns: needs group.protocol=consumer"),
        (
            "simple",
            "classic",
            "the broker assigns: needs a share group, and this is a classic group",
        ),
    ],
)
def test_a_name_says_who_assigns_and_which_other_protocol_it_needs(name, group_type, title):
    snapshot = group({"t0": 1}, A="t0")

    assert (
        assignor_rows(compare(snapshot, None, [ASSIGNORS[name]()]).rows, 1, {}, group_type)[1][
            "title"
        ]
        == title
    )


_JAR_OR_PACKAGE = (
    "a jar of your own for Java, the package evenkeel-assignors for kafka-python and aiokafka"
)


def test_an_assignor_that_the_group_runs_needs_no_jar():
    snapshot = group({"t0": 1}, A="t0")
    rows = assignor_rows(compare(snapshot, None, [ASSIGNORS["lag"]()]).rows, 1, {}, in_use="lag")

    assert (rows[1]["inUse"], rows[1]["why"]) == (
        "in use",
        "not in Kafka: it runs in this group (KAFKA-5337)",
    )


def test_marks_of_a_row_are_explained():
    snapshot = group({"t0": 1}, A="t0")
    assignors = [ASSIGNORS[name]() for name in ("range", "lag", "uniform")]
    rows = assignor_rows(compare(snapshot, assignment(snapshot, A="t0-0"), assignors).rows, 1, {})

    assert [(row["note"], row["mark"], row["why"]) for row in rows] == [
        ("as listed", "i", "the current owners, as the input says"),
        ("", "", ""),
        ("KAFKA-5337", "i", f"not in Kafka: {_JAR_OR_PACKAGE} (KAFKA-5337)"),
        ("KIP-848", "i", "the broker assigns: needs group.protocol=consumer"),
    ]


def test_a_star_says_what_it_is(lag_aware):
    assert assignor_rows(lag_aware.rows, 3, {})[3]["cells"][2] == {
        "text": "110\u202fk",
        "sort": 110_000.0,
        "className": "best",
        "title": "best of the rows",
    }


def test_the_same_known_lag_is_not_called_the_same_where_some_is_not_known():
    snapshot = group({"t": 2}, A="t", B="t", lag=[400, -1])
    rows = compare(snapshot, assignment(snapshot, A="t-0 t-1"), [ASSIGNORS["range"]()]).rows

    assert [texts(row)[2:4] for row in assignor_rows(rows, 2, {})] == [
        ["≥ 400", "–"],
        ["≥ 400", "–"],
    ]


def test_an_answer_that_moves_nothing_has_the_worst_lag_of_now_whatever_is_unknown():
    snapshot = group({"t0": 2}, A="t0", B="t0", lag=[100, None])
    rows = compare(snapshot, assignment(snapshot, A="t0-0", B="t0-1"), [ASSIGNORS["range"]()]).rows

    assert texts(assignor_rows(rows, 2, {})[1])[2:4] == ["≥ 100", "="]


def test_of_lower_bounds_and_estimates_none_is_the_best():
    snapshot = group({"t0": 4}, A="t0", B="t0", lag=[100, 60, 50, None])
    rows = compare(
        snapshot,
        assignment(snapshot, A="t0-0 t0-1 t0-2", B="t0-3"),
        [ASSIGNORS[name]() for name in ("range", "lag")],
    ).rows

    named = assignor_rows(rows, 4, {})

    assert texts(named[2])[2:4] == ["≥ 110", "≈ −48\u202f%"]
    assert [row["cells"][2].get("className") for row in named].count("best") == 0


def test_a_drain_of_which_only_the_low_end_is_known_is_a_lower_bound(lag_aware):
    drains = {"current": GroupDrain(Band(60.0, float("nan"), float("nan")), 0.0)}

    assert (
        assignor_rows(lag_aware.rows, 3, {}, drains=drains)[0]["cells"][len(assignor_columns())][
            "text"
        ]
        == "≥ 1 m"
    )


def test_a_group_with_history_has_one_more_column_with_a_band_never_or_a_dash_with_its_reason(
    lag_aware,
):
    inf, nan = float("inf"), float("nan")
    bands = {
        "current": Band(60.0, 90.0, 110.0),
        "range": Band(100.0, inf, inf),
        "roundrobin": Band(nan, nan, nan),
    }
    drains = {
        name: GroupDrain(band, 12.0 if band.middle == inf else 0.0) for name, band in bands.items()
    }

    cells = {
        row["name"]: row["cells"][len(assignor_columns())]
        for row in assignor_rows(lag_aware.rows, 3, {}, drains=drains)
    }

    assert [cells[name]["text"] for name in (*bands, "lag")] == ["60–110\u202fs", "never", "–", "–"]
    assert cells["range"]["title"] == "Never: 12.0 records/s more come in than the owners can read"
    assert cells["roundrobin"]["title"]
    assert cells["lag"]["title"]
