"""A step in plain numbers."""

from evenkeel.data.scenarios.run.group_step import StepAnswer
from evenkeel.data.scenarios.run.step_figures import (
    StepFigures,
    balance_before,
    figures_of,
    figures_of_steps,
)
from tests.dashboard.stepped import JOINS, STOPS, stepped


def test_the_lag_before_a_step_is_that_of_the_owners_whom_the_assignors_own_last_step_left():
    figures = figures_of_steps(stepped(JOINS, STOPS, assignors=("range",)).steps)

    assert [step["range"].lag_before for step in figures] == [160_000, 160_000, 100_000]
    assert [(step["range"].members_before, step["range"].members) for step in figures] == [
        (2, 2),
        (2, 3),
        (3, 2),
    ]


def test_a_step_without_an_answer_is_unknown_in_all_but_its_name():
    assert figures_of(StepAnswer("range")) == StepFigures("range")
    assert balance_before(StepAnswer("range")) is None
