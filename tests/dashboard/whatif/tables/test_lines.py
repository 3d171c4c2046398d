"""Totals over the steps of a scenario."""

from evenkeel.dashboard.steps.tables import Totals, in_order, totals_of
from tests.dashboard.stepped import scenario


def test_totals_leave_out_what_the_group_as_listed_would_do():
    figures = scenario(
        {"lag": {"lag": 900}}, {"lag": {"lag": 120}}, {"lag": {"lag": 110, "moved_partitions": 5}}
    )

    assert totals_of(figures, "lag") == Totals(7, 12, 120, lag_is_least=False)


def test_one_unknown_step_makes_a_total_unknown():
    figures = scenario({"lag": {}}, {"lag": {"moved_partitions": None, "lag": None}}, {"lag": {}})

    assert totals_of(figures, "lag") == Totals(None, 12, None, lag_is_least=False)


def test_a_step_without_an_answer_yet_makes_totals_unknown():
    assert totals_of([*scenario({"lag": {}}), {}], "lag") == Totals(
        None, None, None, lag_is_least=False
    )


def test_a_scenario_without_steps_has_no_totals():
    assert totals_of(scenario({"lag": {}}), "lag") == Totals(None, None, None, lag_is_least=False)


def test_the_assignor_in_use_stands_first():
    figures = scenario({"range": {}, "sticky": {}, "lag": {}})

    assert in_order(figures, "sticky") == ["sticky", "range", "lag"]
    assert in_order(figures, None) == ["range", "sticky", "lag"]
