"""What Best says of its plan, and Compare beside its advice; and when Compare says nothing."""

from math import inf

import pytest

from evenkeel.dashboard.best.words import Aside, Reached, aside, sentence

PLAN = Aside(
    "lag",
    now=218_000,
    value=141_000,
    moves=1,
    gain=0.1,
    offered=86,
    others=[(86, 154_000), (8, 215_000)],
)


def test_fewer_moves_than_the_advice_names_are_said_with_what_they_reach():
    assert aside(PLAN) == (
        "Best: 141\u202fk with 1 move.",
        "1 move alone would lower the worst member from 218\u202fk to 141\u202fk. "
        "The page Best has the plan; it needs an assignor that follows plans.",
    )


def test_without_an_assignor_that_helps_the_plan_stands_alone():
    assert aside(PLAN._replace(moves=3, offered=None))[1].startswith(
        "3 moves alone would lower the worst member from 218\u202fk"
    )


def test_a_group_that_never_drains_may_do_so_with_a_plan():
    said = aside(PLAN._replace(objective="drain", now=inf, value=3_000.0, others=[(4, inf)]))

    assert said[0] == "Best: 50 m with 1 move."
    assert said[1].startswith("1 move alone would let the group drain in 50 m instead of never.")


@pytest.mark.parametrize(
    "about",
    [
        {"moves": 0},
        {"value": 200_000},
        {"moves": 86},
        {"others": [(1, 141_000)]},
        {"now": inf, "value": inf},
    ],
    ids=[
        "nothing to move",
        "too little gained",
        "as many moves as the advice",
        "an assignor does it",
        "never",
    ],
)
def test_nothing_is_said_where_a_plan_is_not_worth_a_word(about):
    assert aside(PLAN._replace(**about)) is None


FOUND = Reached("lag", now=5_300, value=2_900, bound=2_880, is_proved=False, moves=19, allowed=None)
LAG, UNIFORM, OTHERS = (
    ("lag", 19, 7_000.0),
    ("uniform", 12, 3_700.0),
    [("sticky", 12, 4_000.0), ("cooperative-sticky", 12, 4_000.0)],
)


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ([*OTHERS, UNIFORM, LAG], "; uniform with as few moves reaches 3.7\u202fk."),
        (OTHERS, "; sticky and cooperative-sticky with as few moves reach 4.0\u202fk."),
        (
            [("roundrobin", 24, 3_400.0)],
            "; the best assignor, roundrobin, reaches 3.4\u202fk with 24 moves.",
        ),
        ([], "."),
    ],
)
def test_beside_the_plan_stands_the_best_of_the_assignors_that_move_no_more_else_the_best_of_all(
    others, said
):
    assert (
        sentence(FOUND._replace(others=others))[1]
        == f" The worst member falls from 5.3\u202fk to 2.9\u202fk{said}"
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

    assert sentence(found)[1] == " Beside it, lag with as few moves reaches 1h 40m."
