"""The order of a plan: each move lowers the member that is worst, and the last value is that of the whole plan."""

from hypothesis import given, strategies as st

from evenkeel.assignors.best import Request, best
from evenkeel.assignors.best.plan import in_order
from tests.generated.random_group import random_group


@given(st.randoms(use_true_random=False))
def test_moves_in_order_end_with_the_value_of_the_plan_and_each_is_made_once(random):
    group = random_group(random)
    found = best(group, Request())
    steps = in_order(found.problem, found.owner)

    homes = (found.problem.home >= 0) & (found.owner != found.problem.home)
    assert sorted(step.tp for step in steps) == found.problem.tp[homes].tolist()
    for step in steps:
        row = found.problem.tp.searchsorted(step.tp)
        assert (step.giver, step.taker) == (found.problem.home[row], found.owner[row])
    if steps:
        assert steps[-1].value == found.value
