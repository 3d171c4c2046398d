"""Lines over the steps of a scenario."""

import numpy as np

from evenkeel.dashboard.charts.numbers.step_lines import CANDIDATE, IN_USE, OTHER, finding, step_lines
from evenkeel.data.scenarios.run.step_figures import figures_of_steps
from tests.dashboard.stepped import JOINS, STOPS, scenario, stepped


def test_every_line_starts_with_the_group_as_listed_whatever_its_assignor_would_do():
    lines = step_lines(figures_of_steps(stepped(JOINS, STOPS).steps), "range", "lag")

    assert [(line.name, line.role, line.lag[0], line.lag[1]) for line in lines] == [
        ("range", IN_USE, 160_000, 100_000),
        ("lag", CANDIDATE, 160_000, 100_000),
    ]
    assert [np.isnan(line.moves[0]) for line in lines] == [True, True]


def test_the_third_line_is_the_other_assignor_whose_worst_lag_is_lowest():
    figures = scenario(*[{"range": {}, "lag": {}, "a": {"lag": 90}, "b": {"lag": 80}, "c": {"lag": None}}] * 2)

    assert [(line.name, line.role) for line in step_lines(figures, "range", "lag")] == [("b", OTHER), ("range", IN_USE), ("lag", CANDIDATE)]
    assert [line.name for line in step_lines(figures, "range", "lag", third="a")] == ["a", "range", "lag"]


def test_a_candidate_that_is_in_use_is_one_line_in_use():
    assert [line.role for line in step_lines(scenario({"lag": {}}, {"lag": {}}), "lag", "lag")] == [IN_USE]


def test_where_the_assignor_in_use_is_unknown_the_candidate_stands_alone():
    assert [line.role for line in step_lines(scenario({"lag": {}}, {"lag": {}}), None, "lag")] == [CANDIDATE]


def test_unknown_is_a_gap():
    (line,) = step_lines([*scenario({"lag": {}}), *scenario({"lag": {"lag": None, "moved_partitions": None}}), {}], None, "lag")

    assert np.isnan(line.lag[1:]).all() and np.isnan(line.moves).all()


def test_the_finding_says_lag_and_moves_of_each_line():
    lines = step_lines(scenario(*[{"range": {"lag_is_least": True}, "lag": {"moved_partitions": 7}}] * 2), "range", "lag")

    assert finding(lines, 1) == (
        "Worst member's lag after step 1: 100 under “lag”, ≥ 100 under “range”; moves into it: 7 under “lag”, 2 under “range”"
    )
    assert finding(lines, 0).startswith("Worst member's lag as listed: 200 under “lag”")
