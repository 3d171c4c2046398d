"""What HiGHS adds to the bounds: sets of members among many classes of subscriptions, and drains of
partitions without lag.
"""

import json
from itertools import combinations

import numpy as np
import pytest

from evenkeel.assignors.best.bounds import lower_bounds
from evenkeel.assignors.best.exact import Limits, by_solver, level_sets
from evenkeel.assignors.best.problem import problem_of
from evenkeel.assignors.best.search import best
from evenkeel.data.best.request import decode_request, request_of
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import decode
from tests.assignors.best.everything import best_by_trying

LIMITS = Limits(300, 60.0, bool)


def given(request):
    asked = decode_request(json.dumps(request).encode())
    group = observed_from_document(decode(asked.group)).snapshot
    return group, request_of(asked, group)


def crossed(rng, objective, topics=10, members=7):
    """Many topics, each read by a third of the members."""
    listed = [
        {"name": f"t{topic}", "partitions": [{"lag": int(lag)} for lag in rng.integers(0, 1000, 3)]}
        for topic in range(topics)
    ]
    names = [f"m{member}" for member in range(members)]
    reads = [
        {
            "member_id": name,
            "subscribed": [topic["name"] for topic in listed if rng.random() < 0.35],
        }
        for name in names
    ]
    arriving = {
        topic["name"]: [round(float(rng.random()) * 5, 3) for _ in range(3)] for topic in listed
    }
    rates = {"in": arriving, "capacity": {name: float(rng.integers(30, 90)) for name in names}}
    group = {"format": "evenkeel.group/1", "topics": listed, "members": reads}
    return {"group": group, "objective": objective} | (
        {} if objective == "lag" else {"rates": rates}
    )


def mean_of(problem, inside):
    """What members have on average of what only they may own."""
    rows = ~(problem.may_own & ~inside).any(axis=1)[problem.class_of]
    lag, rate, capacity = (
        int(problem.lag[rows].sum()),
        int(problem.rate[rows].sum()),
        int(problem.capacity[inside].sum()),
    )
    if problem.objective == "lag":
        return -(-lag // int(inside.sum()))
    return problem.value_of(lag, rate, capacity)


@pytest.mark.parametrize("objective", ["lag", "rate", "drain"])
def test_of_more_than_eight_classes_the_best_union_of_all_bounds(objective):
    tried = 0
    for number in range(12):
        problem = problem_of(*given(crossed(np.random.default_rng(number), objective)))
        classes = list(problem.may_own)
        unions = [
            np.any(some, axis=0)
            for size in range(1, len(classes) + 1)
            for some in combinations(classes, size)
        ]
        tried += len(classes) > 8

        sets, bound = [], max(one.value for one in lower_bounds(problem))
        for _ in range(6):
            sets += level_sets(problem, bound, LIMITS)
            bound = max(
                one.value
                for one in lower_bounds(problem, sets)
                if one.name in ("mean", "subscriptions")
            )

        assert bound == max(mean_of(problem, union) for union in (*unions, np.any(classes, axis=0)))
    assert tried >= 6


def test_a_search_tries_the_sets_of_the_solver_too():
    found = best(*given(crossed(np.random.default_rng(3), "lag", topics=24, members=12)))

    sets = level_sets(found.problem, found.bound, LIMITS)
    assert len(found.problem.may_own) > 8
    assert sets
    assert found.bound >= max(
        mean_of(found.problem, np.isin(np.arange(12), members)) for members in sets
    )


@pytest.mark.parametrize("number", range(8))
def test_a_drain_with_partitions_without_lag_has_a_bound_of_the_solver_near_the_best(number):
    rng = np.random.default_rng(number)
    lags, names = [0, 0, *rng.integers(1, 500, 4).tolist()], ["a", "b", "c"]
    arriving = [round(float(rng.random()) * 10, 3) for _ in lags]
    request = {
        "group": {
            "format": "evenkeel.group/1",
            "topics": [{"name": "t", "partitions": [{"lag": lag} for lag in lags]}],
            "members": [{"member_id": name, "subscribed": ["t"], "owned": {}} for name in names],
        },
        "objective": "drain",
        "tolerance": 0,
        "rates": {
            "in": {"t": arriving},
            "capacity": {name: float(rng.integers(20, 40)) for name in names},
        },
    }
    group, asked = given(request)
    least, _ = best_by_trying(request)
    found = best(group, asked)

    _, bound, _ = by_solver(problem_of(group, asked), found.owner, found.value, LIMITS)

    # A hundred-thousandth before the best time, some member is more than full.
    assert found.value == least
    assert least * (1 - 2e-5) < bound <= least
