"""The order of a plan: each move is made once, from its home, and the last value is that of the
plan.
"""

from hypothesis import given

from evenkeel.assignors.best.answer import in_order
from evenkeel.assignors.best.request import Request
from evenkeel.assignors.best.search import best
from tests.generated.groups import groups


@given(groups())
def test_moves_in_order_are_made_once_and_end_with_the_value_of_the_plan(group):
    found = best(group, Request())
    problem = found.problem
    steps = in_order(problem, found.owner)

    is_moved = (problem.home >= 0) & (found.owner != problem.home)
    assert sorted(step.tp for step in steps) == problem.tp[is_moved].tolist()
    for step in steps:
        row = problem.tp.searchsorted(step.tp)
        assert (step.giver, step.taker) == (problem.home[row], found.owner[row])
    assert not steps or steps[-1].value == found.value
