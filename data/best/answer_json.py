"""Values, points and sizes of an answer, in the form of `--json`."""

from typing import Any

import numpy as np

from evenkeel.assignors.best.answer import Beside, Best
from evenkeel.assignors.best.frontier import Point
from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.right_size import RightSize
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import plan_by_name

ByName = dict[str, dict[str, list[int]]]


def number(value: Value) -> int | float | None:
    """Return a value as int if it is whole, else as float. None for `NEVER` (never drained)."""
    if value == NEVER:
        return None
    return value.numerator if value.denominator == 1 else float(value)


def by_topic(group: GroupSnapshot, tps: np.ndarray) -> dict[str, list[int]]:
    """Return the partition numbers for the row numbers `tps`, by topic name."""
    numbers: dict[str, list[int]] = {}
    for tp in tps.tolist():
        numbers.setdefault(group.topic_name[group.tp_topic[tp]], []).append(
            int(group.tp_partition[tp])
        )
    return numbers


def moved_by_name(group: GroupSnapshot, best: Best) -> ByName:
    """Return the moved partitions of each new owner: partition numbers by topic name."""
    owner = best.assignment.owner
    by_member = np.argsort(owner[best.moved], kind="stable")
    return plan_by_name(group, owner, best.moved[by_member])


def point_json(observed: ObservedGroup, point: Point) -> dict[str, Any]:
    """Return the best value for one number of moves as `--json` writes it."""
    best = point.best
    figures_of_point: dict[str, Any] = {
        "moves_allowed": point.moves_allowed,
        "value": None,
        "bound": None,
        "proved": None,
        "moves": None,
        "moved": {},
        "error": None,
    }
    if best is None:
        return figures_of_point | {
            "error": {"type": "Infeasible", "message": point.error, "line": None}
        }
    figures = {
        "value": number(best.value),
        "bound": number(best.bound),
        "proved": best.is_proved,
        "moves": best.moves,
    }
    return figures_of_point | figures | {"moved": moved_by_name(observed.snapshot, best)}


def beside_json(both: Beside) -> dict[str, Any]:
    """Return the second assignment, which is best for the second objective, as `--json` writes it.

    For the second objective, `value` is the value of the second assignment, and `value_of_answer`
    the value of the first assignment. For the first objective, `answer_value` is the value of the
    second assignment.
    """
    other = both.other
    return {
        "objective": other.problem.objective,
        "value": number(other.value),
        "value_of_answer": number(both.mine_for_other),
        "answer_value": number(both.other_for_mine),
        "moves": other.moves,
        "moved": moved_by_name(other.problem.group, other),
    }


def size_json(size: RightSize) -> dict[str, Any]:
    """Return the best value for each number of members as `--json` writes it."""
    points = [
        {"members": point.members, "value": number(point.value), "bound": number(point.bound)}
        for point in size.points
    ]
    within = None if size.within is None else list(size.within)
    return {"points": points, "useful_members": list(size.useful), "members_within": within}
