"""The figures of all steps as CSV."""

import csv

from assignors.errors import AssignorError
from dashboard.tables.steps.step_csv import steps_csv
from data.scenarios.run.step_figures import StepFigures
from tests.dashboard.stepped import scenario


def read(text):
    return list(csv.DictReader(text.splitlines()))


def test_each_step_has_a_line_for_each_assignor():
    rows = read(steps_csv(["joins", None], scenario(*[{"range": {}, "lag": {"lag": 2**60 + 1}}] * 3)))

    assert [(row["step"], row["name"], row["assignor"]) for row in rows[::2]] == [
        ("0", "as listed", "range"),
        ("1", "joins", "range"),
        ("2", "step 2", "range"),
    ]
    assert rows[1]["lag"] == "1152921504606846977"


def test_unknown_is_an_empty_cell_and_an_error_is_said():
    figures = [{"range": StepFigures("range", error=AssignorError("ArithmeticException", "/ by zero"))}]

    (row,) = read(steps_csv([], figures))

    assert (row["lag"], row["moved_partitions"], row["error"]) == ("", "", "ArithmeticException: / by zero")


def test_a_name_of_a_step_is_no_formula():
    assert read(steps_csv(["=1+1"], scenario({"a": {}}, {"a": {}})))[1]["name"] == "'=1+1"
