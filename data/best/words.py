"""Texts about the best assignment: its value, the gap between the value and the lower bound, and
the reason why a partition has its owner.

why(best, steps, labels, names)
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isfinite
from typing import NamedTuple

from evenkeel.assignors.best.answer import Best
from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.problem import Problem
from evenkeel.assignors.best.right_size import RightSize
from evenkeel.assignors.best.steps import (
    Began,
    Enumeration,
    Gave,
    MadeRoom,
    OwnerWeight,
    PartitionLimit,
    Placement,
    Relief,
    SearchStep,
    SolverAnswer,
    Spread,
    Took,
    WentHome,
)
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.data.text.formats import (
    NARROW,
    UNKNOWN,
    compact,
    counted,
    duration,
    ordinal,
    upper_percent,
)
from evenkeel.data.text.steps import NOT_TOLD

OBJECTIVES = {
    "lag": "lag of the worst member",
    "rate": "incoming rate of the busiest member",
    "drain": "time until the last member is drained",
}

UNITS = {"rate": "records a second", "lag": "records", "drain": "until drained"}

PROVED = "proved best"


def value_text(objective: str, value: float | None, is_least: bool = False) -> str:
    """Return the value of an assignment in short form: `154 k`, `3,900`, `17m 40s`, `never`.

    `is_least`: the value is only a lower bound, because some lags or rates are unknown.
    """
    if value is None:
        return "unknown"
    if not isfinite(value):
        return "never"
    text = duration(value) if objective == "drain" else compact(value)
    return f"≥ {text}" if is_least else text


def amount(problem: Problem, value: Value | None) -> str:
    """Return a value with its unit: records, records/s, % of a member's capacity, or a duration."""
    if value is None:
        return UNKNOWN
    if value == NEVER:
        return "never"
    if problem.objective == "lag":
        return f"{round(value):,} records"
    if problem.objective == "drain":
        return duration(float(value))
    has_capacity = problem.request.rates is not None and problem.request.rates.capacity is not None
    return (
        f"{float(value):.1%} of its capacity".replace("%", f"{NARROW}%")
        if has_capacity
        else f"{float(value):,.1f} records/s"
    )


def nearness(best: Best) -> str:
    """Return how close the value of a plan is to the best possible value, such as `within 0.3 % of
    the best possible`.
    """
    if best.unknown:
        measure = "lag" if best.problem.objective == "lag" else "rate or lag"
        partitions = counted(best.unknown, "partition")
        return f"only a lower bound, because the {measure} of {partitions} is unknown"
    if not best.is_proved and (best.gap is None or best.gap > _MOST_GAP):
        return f"the best possible is at least {amount(best.problem, best.bound)}"
    return in_words(float(best.value), float(best.bound), best.is_proved)


def in_words(value: float, bound: float, is_proved: bool) -> str:
    """Return `proved best`, or the largest possible gap from the best possible value to `value`."""
    if is_proved:
        return PROVED
    if not isfinite(value) or bound <= 0:
        return _NO_BOUND
    if value / bound - 1 > _MOST_GAP:
        return "the best possible may be less than half of the plan's value"
    return f"within {upper_percent(value / bound - 1)} of the best possible"


def gap_words(value: float, bound: float, is_proved: bool) -> str:
    """Return the gap between value and bound in short: `proved best`, `gap 0.4 %`, `not proved`."""
    if is_proved:
        return PROVED
    if not isfinite(value) or bound <= 0:
        return _NO_BOUND
    gap = value / bound - 1
    return "not proved" if gap > _MOST_GAP else f"gap {upper_percent(gap)}"


_NO_BOUND = "no bound known"
_MOST_GAP = 1
"""Above this gap a plan is called unproved, because a larger percentage has no meaning."""


def headline(best: Best) -> str:
    """Return one sentence: objective, value, bound and moves."""
    problem = best.problem
    least = "≥ " * bool(best.unknown)
    now = (
        "" if best.current_value is None else f", now {least}{amount(problem, best.current_value)}"
    )
    moves = counted(best.moves, "move")
    return (
        f"Best {OBJECTIVES[problem.objective]}: {least}{amount(problem, best.value)}{now};"
        f" {nearness(best)}; {moves}."
    )


def hot_partition(best: Best) -> str | None:
    """Return advice on a partition that is so large that it alone sets the best possible value.

    None if there is no such partition.
    """
    if best.hot is None:
        return None
    problem, place, largest = best.problem, best.hot, best.bound
    tp = problem.tp[place]
    name = (
        f"{problem.group.topic_name[problem.group.tp_topic[tp]]} {problem.group.tp_partition[tp]}"
    )
    if problem.objective == "drain" and largest == NEVER:
        fastest = int(problem.capacity[problem.may_own[problem.class_of[place]]].max())
        return (
            f"{name} takes in {problem.rate[place] / 1000:,.0f}/s, the fastest member reads"
            f" {fastest / 1000:,.0f}/s: never drained."
        )
    has = {
        "lag": f"has {problem.lag[place]:,} records",
        "rate": f"takes in {problem.rate[place] / 1000:,.1f} records/s",
    }
    alone = has.get(problem.objective, f"needs {amount(problem, largest)}")
    if best.unknown:
        return (
            f"{name} alone {alone}: no assignment gives its owner less. Partitions of unknown"
            " load may be larger."
        )
    reach = (
        f" {counted(best.moves, 'move')} {'reach' if best.moves != 1 else 'reaches'} that floor."
        if best.value == largest
        else ""
    )
    ways = "More members do not lower the floor; split its keys or add partitions."
    return f"{name} alone {alone}: no assignment gives its owner less.{reach} {ways}"


def useful_members(size: RightSize) -> str:
    """Return the number of members above which more members do not help."""
    low, high = size.useful
    if low is None or high is None:
        return "No number of members drains the group."
    members = counted(high, "member") if low == high else f"{low:,} to {high:,} members"
    return f"More than {members} do not lower the worst member's value."


def members_within(size: RightSize, problem: Problem, within: Fraction) -> str:
    """Return a sentence: the number of members with which the group reaches the value `within`."""
    low, high = size.within or (None, None)
    if low is None or high is None:
        return f"No number of members reaches {amount(problem, within)}."
    return f"{_between(low, high)} reach {amount(problem, within)}.".capitalize()


def _between(low: int, high: int) -> str:
    return (
        counted(high, "member") if low == high else f"between {low:,} and {counted(high, 'member')}"
    )


# Why the best assignment gives a partition to a member.


class _Place(NamedTuple):
    """`plan`: the result of the search. `labels`: short names of members. `names`: assignors; the
    search started from their assignments.
    """

    plan: Best
    labels: Sequence[str]
    names: Sequence[str]

    def who(self, member: int) -> str:
        return self.labels[member]

    def partition(self, tp: int) -> str:
        return tp_name(self.plan.problem.group, tp)

    def text(self, value: Value | None) -> str:
        return amount(self.plan.problem, value)


def why(
    plan: Best, steps: Sequence[SearchStep], labels: Sequence[str], names: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return a sentence for each of `steps`, the steps of the search that concern one partition.

    `labels`: short names of members. `names`: assignors; the search started from their assignments.
    """
    place = _Place(plan, labels, names)
    return tuple(_WORDS[type(step)](step, place) for step in steps) or (NOT_TOLD,)


def _gave(step: Gave, place: _Place) -> str:
    giver, has = place.who(step.giver), place.text(step.value)
    if step.value <= step.level:
        return f"{giver} gave it away, because {giver} had more partitions than a member may have."
    return (
        f"{giver} gave it away: {giver} has {has}, and the search tried a limit of"
        f" {place.text(step.level)} for each member."
    )


def _made_room(step: MadeRoom, place: _Place) -> str:
    return (
        f"{place.who(step.giver)} gave away its {counted(step.number, 'largest partition')} to make"
        f" room for {place.partition(step.large)}."
    )


def _took(step: Took, place: _Place) -> str:
    member = place.who(step.member)
    return f"{member} got it: after giving away other partitions, {member} had the least load."


def _placed(step: Placement, place: _Place) -> str:
    turn = (
        f"The search placed {counted(step.count, 'partition')}, largest first; this was the"
        f" {ordinal(step.rank + 1)}. "
        if step.count > 1
        else ""
    )
    had = "the least to read" if step.had is None else f"the least load, {place.text(step.had)}"
    who = place.who(step.member)
    return f"{turn}{who} got it: of the members that may own it, {who} had {had}."


def _helped(step: Relief, place: _Place) -> str:
    swap = f", swapped with {place.partition(step.swapped)}" if step.swapped is not None else ""
    giver, member = place.who(step.giver), place.who(step.member)
    move = f"It went from {giver} to {member}{swap}. No other move helped more"
    if step.before == NEVER:
        return (
            f"{move}: before the move, {giver} or {member} would never be drained; after the move,"
            f" both are drained within {place.text(step.after)}."
        )
    return (
        f"{move}: the higher value of {giver} and {member} was {place.text(step.before)} before the"
        f" move and {place.text(step.after)} after the move."
    )


def _went_home(step: WentHome, place: _Place) -> str:
    owner = place.who(step.member)
    return (
        f"It went back to {owner}, its current owner, to save a move: {owner} then has"
        f" {place.text(step.value)}."
    )


def _began(step: Began, place: _Place) -> str:
    start = (
        f"the answer of {place.names[step.number]}"
        if step.number < len(place.names)
        else "the plan with fewer moves"
    )
    return f"The search started from {start}, which gives it to {place.who(step.member)}."


def _spread(step: Spread, place: _Place) -> str:
    return (
        f"Its load is unknown and it had no owner, so the member with the fewest other partitions"
        f" got it: {place.who(step.member)} with {step.count:,}."
    )


def _weighed(step: OwnerWeight, place: _Place) -> str:
    who, own, worst = place.who(step.member), place.text(step.own), place.text(step.value)
    then = (
        f"in the plan, {who} is the worst member with {own}"
        if step.own == step.value
        else f"in the plan, {who} has {own} and the worst member has {worst}"
    )
    if step.home < 0:
        return f"It had no owner, or its owner may not keep it: {then}."
    if step.at_home is None:
        return f"It stays with its current owner: {then}."
    home, at_home = place.who(step.home), place.text(step.at_home)
    stayed = f"if it stayed with {home}, the worst member would have {at_home}"
    if step.at_home <= step.value:
        return f"Moving only this partition saves nothing: {stayed}; {then}."
    if step.at_home == NEVER:
        return f"If it stayed with {home}, the group would never be drained."
    return f"Moving it saves {place.text(step.at_home - step.value)}: {stayed}."


_WORDS: dict[type[SearchStep], Callable[..., str]] = {
    Gave: _gave,
    MadeRoom: _made_room,
    Took: _took,
    Placement: _placed,
    Relief: _helped,
    WentHome: _went_home,
    Began: _began,
    PartitionLimit: lambda step, place: (
        f"{place.who(step.member)} got it: with the fewest moves, no member exceeds the limit of"
        " partitions per member."
    ),
    Enumeration: lambda step, place: (
        f"All assignments were tried: the best assignment gives it to {place.who(step.member)}."
    ),
    SolverAnswer: lambda step, place: (
        f"The solver placed all partitions together and gave it to {place.who(step.member)}."
    ),
    Spread: _spread,
    OwnerWeight: _weighed,
}
