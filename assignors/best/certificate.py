"""`evenkeel.certificate/1`: the proof that no assignment within the limits has a value below the
bound.

    certificate = made(best(group, request))
    assert check(group_document, certificate) == []
"""

from typing import Any

import numpy as np

from evenkeel.assignors.best.answer import Best
from evenkeel.assignors.best.bounds import LowerBound
from evenkeel.assignors.best.certificate_check import FORMAT
from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.problem import Problem


def made(answer: Best) -> dict[str, Any]:
    """Return the certificate of an answer as a JSON object. A fraction is [numerator, denominator];
    `NEVER` is null.
    """
    problem, worst = answer.problem, answer.worst
    lag, rate = (
        problem.loads(answer.owner)
        if answer.owner.size
        else (np.zeros(worst + 1), np.zeros(worst + 1))
    )
    load = (
        {"lag": int(lag[worst]), "rate": int(rate[worst]), "capacity": _capacity(problem, worst)}
        if worst >= 0
        else None
    )
    return {
        "format": FORMAT,
        "objective": problem.objective,
        "value": _pair(answer.value),
        "bound": _pair(answer.bound),
        "bound_by": answer.bound_by.name,
        "worst_member": problem.group.member_id[worst] if worst >= 0 else None,
        "worst_load": load,
        "bounds": [_named(problem, bound) for bound in answer.bounds],
        **_asked(problem),
    }


def _pair(value: Value) -> list[int] | None:
    return None if value == NEVER else [value.numerator, value.denominator]


def _capacity(problem: Problem, member: int) -> int:
    return 1 if problem.objective == "lag" else int(problem.capacity[member])


def _named(problem: Problem, bound: LowerBound) -> dict[str, Any]:
    document: dict[str, Any] = {"name": bound.name, "value": _pair(bound.value), **bound.proof}
    names = problem.group.member_id
    if isinstance(document.get("members"), np.ndarray):
        document["members"] = [names[row] for row in document["members"].tolist()]
    if isinstance(document.get("given"), np.ndarray):
        document["given"] = {
            names[row]: int(document["given"][row])
            for row in np.flatnonzero(document["given"]).tolist()
        }
    if "partition" in document:
        tp = problem.tp[document["partition"]]
        document["partition"] = [
            problem.group.topic_name[problem.group.tp_topic[tp]],
            int(problem.group.tp_partition[tp]),
        ]
    return document


def _asked(problem: Problem) -> dict[str, Any]:
    """Return the limits and rates of the request, which a check of the bounds needs. Empty if the
    request has neither.
    """
    request, group = problem.request, problem.group
    parts: dict[str, dict] = {}
    limits = {
        "moves": request.moves,
        "partitions_per_member": request.partitions_per_member,
        "untouched": list(request.untouched),
        "pinned": {topic: list(numbers) for topic, numbers in request.pinned.items()},
        "racks": request.racks if request.racks != "ignore" else None,
    }
    if any(value not in (None, [], {}) for value in limits.values()):
        parts["limits"] = {
            key: value for key, value in limits.items() if value not in (None, [], {})
        }
    if problem.objective != "lag" and request.rates:
        arriving, capacity = request.rates.arriving, request.rates.capacity
        by_topic = {
            name: arriving[group.tps_of(topic)].tolist()
            for topic, name in enumerate(group.topic_name)
        }
        parts["rates"] = {
            "in": {
                name: [None if rate < 0 else rate for rate in rates]
                for name, rates in by_topic.items()
                if rates
            },
            "capacity": None
            if capacity is None
            else dict(zip(group.member_id, capacity.tolist(), strict=False)),
        }
    return parts
