"""The best assignment in words: what is least, how near it is to the best possible, whose fault it is, and the right number of members."""

from fractions import Fraction

import numpy as np

from evenkeel.assignors.best import NEVER, Best, Problem, RightSize, Value
from evenkeel.data.words.formats import NARROW, counted, duration

OBJECTIVES = {
    "lag": "lag of the member that has most",
    "rate": "rate in of the member that has most",
    "drain": "time until the last member is drained",
}

PROVED = "proved best"


def amount(problem: Problem, value: Value | None) -> str:
    """Return a value with its unit: records, records/s or a part of the capacity, a time."""
    if value is None:
        return "–"
    if value == NEVER:
        return "never"
    if problem.objective == "lag":
        return f"{round(value):,} records"
    if problem.objective == "drain":
        return duration(float(value))
    has_capacity = problem.request.rates is not None and problem.request.rates.capacity is not None
    return f"{float(value):.1%} of its capacity".replace("%", f"{NARROW}%") if has_capacity else f"{float(value):,.1f} records/s"


def nearness(best: Best) -> str:
    """Return how near an answer is to the best possible: `proved best`, `within 0.3 % of the best possible`."""
    if best.unknown:
        what = "lag" if best.problem.objective == "lag" else "rate or lag"
        return f"a lower bound, the {what} of {counted(best.unknown, 'partition')} is unknown"
    if best.is_proved:
        return PROVED
    if best.gap is None:
        return f"the best possible is at least {amount(best.problem, best.bound)}"
    return f"within {_percent(best.gap)} of the best possible"


def _percent(gap: float) -> str:
    """Round up: what is claimed must hold."""
    digits = 1 if gap >= 0.001 else 4
    step = 10.0 ** -(digits + 2)
    return f"{np.ceil(gap / step - 1e-9) * step:.{digits}%}".replace("%", f"{NARROW}%")


def headline(best: Best) -> str:
    """Return objective, value, bound and moves in one sentence."""
    problem = best.problem
    now = "" if best.current_value is None else f", now {amount(problem, best.current_value)}"
    least = "≥ " * bool(best.unknown)
    moves = counted(best.moves, "move")
    return f"Best {OBJECTIVES[problem.objective]}: {least}{amount(problem, best.value)}{now}; {nearness(best)}; {moves}."


def hot_partition(best: Best) -> str | None:
    """Return what to do about a partition that is too large for any assignment; None where another bound is the largest."""
    bounds = {one.name: one for one in best.bounds}
    largest, mean = bounds.get("largest"), bounds["mean"]
    if largest is None or best.bound_by.name not in ("largest", "largest_moves", "search", "solver") or not largest.value > mean.value:
        return None
    if best.bound_by.name in ("search", "solver") and best.bound > largest.value:
        return None
    problem, place = best.problem, largest.proof["partition"]
    tp = problem.tp[place]
    name = f"{problem.group.topic_name[problem.group.tp_topic[tp]]} {problem.group.tp_partition[tp]}"
    if problem.objective == "drain" and largest.value == NEVER:
        fastest = int(problem.capacity[problem.may_own[problem.class_of[place]]].max())
        return f"{name} takes in {problem.rate[place] / 1000:,.0f}/s, the fastest member reads {fastest / 1000:,.0f}/s: never drained."
    has = {"lag": f"has {problem.lag[place]:,} records", "rate": f"takes in {problem.rate[place] / 1000:,.1f} records/s"}
    alone = has.get(problem.objective, f"needs {amount(problem, largest.value)}")
    reach = f" {counted(best.moves, 'move')} {'reach' if best.moves != 1 else 'reaches'} that floor." if best.value == largest.value else ""
    return f"{name} alone {alone}: no assignment gives its owner less.{reach} More members help nobody; split its keys or add partitions."


def useful_members(size: RightSize) -> str:
    """Return up to which number more members help."""
    low, high = size.useful
    if low is None or high is None:
        return "No number of members drains it."
    return f"More than {_between(low, high)} help nobody."


def members_within(size: RightSize, problem: Problem, within: Fraction) -> str:
    """Return how many members reach a value."""
    low, high = size.within or (None, None)
    if low is None or high is None:
        return f"No number of members reaches {amount(problem, within)}."
    return f"{_between(low, high)} reach {amount(problem, within)}.".capitalize()


def _between(low: int, high: int) -> str:
    return counted(high, "member") if low == high else f"between {low:,} and {counted(high, 'member')}"
