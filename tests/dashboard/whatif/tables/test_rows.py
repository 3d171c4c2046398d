"""The rows of a step's table."""

import json

import numpy as np

from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group.drain import Band
from evenkeel.dashboard.steps.tables import differing, figure_columns, step_columns, step_rows
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.scenarios.run.step_drains import StepDrain
from evenkeel.data.scenarios.run.step_figures import StepFigures, figures_of_steps
from tests.dashboard.stepped import JOINS, scenario, stepped

LABELS = [f"{column.over}: {column.label}" for column in figure_columns()]


def cells(row):
    return dict(zip(LABELS, row["cells"], strict=True))


def texts(row):
    return [cell["text"] for cell in row["cells"]]


def best(rows):
    return {
        (row["name"], label)
        for row in rows
        for label, cell in cells(row).items()
        if cell["className"] == "best"
    }


def test_a_third_consumer_of_kafka_5337_brings_the_worst_lag_from_160_to_100_thousand_records():
    figures = figures_of_steps(stepped(JOINS, assignors=("range",)).steps)

    (row,) = step_rows(figures, 1)

    assert texts(row) == [
        *("1 / 1", "160\u202fk", "100\u202fk", "−38\u202f%", "", "1.43", "0"),
        *("2", "110\u202fk", "3"),
    ]


def test_the_assignor_in_use_is_row_0_and_says_so():
    rows = step_rows(scenario({"range": {}, "lag": {}}), 0, "lag")

    assert [(row["name"], row["inUse"], row["note"]) for row in rows] == [
        ("lag", "in use", "KAFKA-5337"),
        ("range", "", ""),
    ]


def test_the_lowest_of_a_column_is_starred_if_one_row_alone_has_it():
    rows = step_rows(
        scenario({"a": {}, "b": {"lag": 90}, "c": {"lag": 90, "moved_partitions": 0}}), 0, "b"
    )

    assert best(rows) == {("c", "This step: moves")}


def test_of_equal_partitions_at_the_top_the_more_at_the_bottom_is_better():
    rows = step_rows(scenario({"a": {"min_partitions": 1}, "b": {}}), 0)

    assert best(rows) == {("b", "Partitions: max / min")}


def test_the_best_of_lower_bounds_is_unknown():
    rows = step_rows(
        scenario({"a": {}, "b": {"lag": 90, "lag_is_least": True, "max_lag_share": 1.2}}), 0
    )

    assert best(rows) == set()
    assert [
        cells(rows[1])[f"Worst member: {label}"]["text"] for label in ("after", "max ÷ mean")
    ] == ["≥ 90", "≈ 1.20"]


def test_an_answer_that_never_rests_is_the_best_at_nothing():
    rows = step_rows(
        scenario({"a": {}, "b": {"lag": 90, "never_ends": True}, "c": {"never_ends": None}}), 0
    )

    assert best(rows) == set()
    assert [row["warning"] for row in rows] == ["", "never ends", "still rebalancing"]


def test_unknown_is_a_dash_everywhere():
    (row,) = step_rows([{"a": StepFigures("a")}], 0)

    assert set(texts(row)) == {"–", ""}
    assert cells(row)["Worst member: "]["bars"] == [None, None]


def test_an_assignor_that_throws_says_what_and_since_which_step():
    thrown = StepFigures("range", error=AssignorError("ArithmeticException", "/ by zero"))
    figures = [*scenario({"range": {}}), {"range": thrown}, {"range": thrown}]

    assert [step_rows(figures, place)[0]["error"] for place in range(3)] == [
        None,
        "ArithmeticException: / by zero",
        "ArithmeticException: / by zero (since step 1)",
    ]
    assert step_rows(figures, 2)[0]["cells"] == []


def test_bars_are_shares_of_the_highest_lag_before_or_after():
    rows = step_rows(scenario({"a": {}, "b": {"lag": 400}}), 0)

    assert [cells(row)["Worst member: "]["bars"] for row in rows] == [[0.5, 0.25], [0.5, 1.0]]


def test_a_cell_that_differs_from_another_time_says_what_it_was():
    now, then = scenario({"a": {}, "b": {}}), scenario({"a": {}, "b": {"lag": 239_000}})

    rows = step_rows(now, 0, was=then)

    assert {
        (row["name"], label): cell["was"]
        for row in rows
        for label, cell in cells(row).items()
        if "was" in cell
    } == {("b", "Worst member: after"): "was 239\u202fk"}
    assert differing(now, then) == (1, 16)


def test_headers_say_how_many_steps_the_totals_have():
    assert {column["over"] for column in step_columns([{}] * 5)} >= {"This step", "All 4 steps"}
    assert "All 1 steps" not in {column["over"] for column in step_columns([{}] * 2)}


def test_every_value_is_plain():
    json.dumps(step_rows(figures_of_steps(stepped(JOINS).steps), 1, "range"))


def test_the_time_to_drain_stands_behind_the_others_where_the_group_has_a_history():
    never = StepDrain(GroupDrain(Band(*[np.float64(np.inf)] * 3), 2.0))
    plain = [{"range": StepFigures("range", lag=5), "sticky": StepFigures("sticky", lag=4)}]
    timed = [
        {"range": StepFigures("range", lag=5, drain=never), "sticky": StepFigures("sticky", lag=4)}
    ]

    range_row, sticky_row = step_rows(timed, 0)

    assert [len(step_columns(figures)) for figures in (plain, timed)] == [
        len(LABELS),
        len(LABELS) + 1,
    ]
    assert step_columns(timed)[-1]["over"] == "By history"
    assert [one["label"] for one in step_columns(timed) if one["wide"]] == [""]
    assert range_row["cells"][-1] == {
        "text": "never",
        "className": "worse",
        "title": "Never: 2.0 records/s more come in than the owners can read",
    }
    assert sticky_row["cells"][-1]["text"] == "–"
    assert step_rows(plain, 0, was=timed)[0]["cells"][-1]["was"] == "was never"
