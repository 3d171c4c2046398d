"""What Best says of its plan."""

from math import inf

import numpy as np
import pytest

from evenkeel.assignors.best.request import Rates
from evenkeel.dashboard.best.loading import objectives
from evenkeel.dashboard.best.words import Basis, sentence
from evenkeel.data.best.words import gap_words, in_words

FOUND = Basis("lag", now=5_300, value=2_900, bound=2_880, is_proved=False, moves=19, allowed=None)
LAG, UNIFORM, OTHERS = (
    ("lag", 19, 7_000.0),
    ("uniform", 12, 3_700.0),
    [("sticky", 12, 4_000.0), ("cooperative-sticky", 12, 4_000.0)],
)


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([*OTHERS, UNIFORM, LAG], "; uniform with as few moves reaches 3,700."),
        (OTHERS, "; sticky and cooperative-sticky with as few moves reach 4,000."),
        (
            [("roundrobin", 24, 3_400.0)],
            "; the best assignor, roundrobin, reaches 3,400 with 24 moves.",
        ),
        ([], "."),
    ],
)
def test_beside_the_plan_stands_the_best_of_the_assignors_that_move_no_more_else_the_best_of_all(
    others, said
):
    assert (
        sentence(FOUND._replace(others=others))[1]
        == f" The worst member falls from 5,300 to 2,900{said}"
    )


def test_what_an_assignor_drains_is_a_sentence_of_its_own():
    found = FOUND._replace(
        objective="drain",
        now=inf,
        value=3_000.0,
        bound=3_000.0,
        is_proved=True,
        others=[("lag", 19, 6_000.0)],
    )

    assert sentence(found)[1] == " In comparison, lag with as few moves reaches 1h 40m."


def test_a_plan_that_gains_less_than_the_figures_show_is_no_gain():
    nearly = FOUND._replace(now=18.81, value=18.79, bound=18.78, moves=2)

    # 1 - 18.78 / 18.81 is 0.16 %, rounded up.
    assert sentence(nearly) == (
        "No plan lowers the worst member's 18.8 by more than 0.2\u202f%.",
        "",
    )


def test_a_plan_that_lowers_nothing_says_what_stays_and_judges_nobody():
    nothing = FOUND._replace(value=5_300, bound=5_300, is_proved=True, moves=0)

    assert sentence(nothing) == ("No plan gives the worst member less than its 5,300.", "")
    assert sentence(nothing._replace(hot="orders-7")) == (
        "No plan lowers the worst member: orders-7 alone is 5,300.",
        "",
    )


@pytest.mark.parametrize(
    ("value", "words", "few_words"),
    [
        (150, "within 50 % of the best possible", "gap 50 %"),
        (206, "the best possible may be less than half of the plan's value", "not proved"),
    ],
)
def test_a_plan_more_than_twice_its_bound_has_no_percentage(value, words, few_words):
    both = in_words(value, 100, False), gap_words(value, 100, False)

    assert both == (words.replace(" %", "\u202f%"), few_words.replace(" %", "\u202f%"))


@pytest.mark.parametrize(
    ("is_uneven", "first"), [(True, ["lag", "rate"]), (False, ["rate", "lag"])]
)
def test_best_begins_with_the_lag_of_a_group_whose_lag_is_uneven(is_uneven, first):
    assert objectives(Rates(np.array([1_000])), is_uneven) == first
    assert objectives(None, is_uneven) == ["lag"]
