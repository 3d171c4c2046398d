"""Cards and arrows of the strip of steps."""

from evenkeel.assignors.assignment import AssignorError
from evenkeel.dashboard.steps.strips import Arrow, Card, step_strip
from evenkeel.data.scenarios.run.step_figures import StepFigures, figures_of_steps
from tests.dashboard.stepped import JOINS, RESTARTS, scenario, stepped


def test_the_first_card_is_the_group_as_listed_whatever_the_assignor_would_do():
    strip = step_strip(["joins"], figures_of_steps(stepped(JOINS).steps), "lag")

    assert strip.cards == (
        Card("0", "as listed", ("2 members", "160\u202fk")),
        Card("1", "joins", ("3 members", "100\u202fk")),
    )


def test_an_arrow_has_the_moves_above_and_the_pauses_below():
    assert step_strip([None], scenario({"a": {}}, {"a": {}}), "a").arrows == (
        Arrow("2", "moves", "6 paused"),
    )
    assert step_strip([None], scenario({"a": {}}, {"a": {"moved_partitions": 1}}), "a").arrows[0][
        :2
    ] == ("1", "move")


def test_several_rebalances_in_one_step_are_counted_and_worse():
    (arrow,) = step_strip(
        ["restart"], figures_of_steps(stepped(RESTARTS, assignors=("range",)).steps), "range"
    ).arrows

    assert (arrow.below, arrow.is_worse) == ("6 paused · 2×", True)


def test_a_step_that_throws_or_has_no_answer_yet_is_a_card_all_the_same():
    thrown = {"a": StepFigures("a", error=AssignorError("ArithmeticException", "/ by zero"))}

    strip = step_strip(["one", None], [*scenario({"a": {}}), thrown], "a")

    assert strip.cards[1:] == (
        Card("1", "one", ("throws",)),
        Card("2", "step 2", ("– members", "–")),
    )
    assert [arrow.total for arrow in strip.arrows] == ["–", "–"]


def test_a_step_that_never_rests_says_so():
    (arrow,) = step_strip(["x"], scenario({"a": {}}, {"a": {"never_ends": True}}), "a").arrows

    assert (arrow.below, arrow.is_worse) == ("never ends", True)
