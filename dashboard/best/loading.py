"""The best assignment of an open group, by number of moves and by number of members. The search
runs while a page is open.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.best.answer import Best, counterpart
from evenkeel.assignors.best.frontier import Frontier, frontier
from evenkeel.assignors.best.request import Infeasible, Rates, Request, RequestError
from evenkeel.assignors.best.right_size import RightSize, right_size
from evenkeel.assignors.best.search import best
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.dashboard.shell.cache import ALL, kept, missing
from evenkeel.dashboard.shell.loading.speeds import speeds
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.shell.reader import require_seen
from evenkeel.dashboard.view import OpenGroup, PlanChoice
from evenkeel.data.best.answer import why_best
from evenkeel.data.best.request import history_rates
from evenkeel.data.errors import SnapshotError

TIME_LIMIT_S = 15.0
"""Seconds for one search; a frontier needs about a dozen searches. A step of the solver takes up to
6 s on one core, and it should finish before this limit.
"""

_NOT_KEPT = "The answer is too large for the server's memory ([limits] cache). Run: evenkeel best"

SEARCHED = "searched now"

_PATIENCE_SECONDS = 0.3
"""Seconds that a page waits for its searches; if all end in this time, the page is drawn once."""

_SMALL = 2_000
"""Limit of partitions times members: smaller groups are searched before Assignors is drawn, larger
groups afterwards.
"""

MOST_PARTITIONS = 100_000
"""Highest number of partitions of a group on the page; `evenkeel best` has no such limit."""


class SearchEnd(NamedTuple):
    """A finished search: its result, or the reason why there is no result."""

    result: Any = None
    error: str = ""


class Closing(NamedTuple):
    """A running search: its best value so far, and its bound. Both are None before the first
    value.
    """

    value: float | None = None
    bound: float | None = None


_CLOSING: dict[Hashable, Closing] = {}


@kept
def rates_of(opened: OpenGroup) -> Rates | None:
    """Return arrival and read rates from the history of the group; None without a history.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    history = speeds(opened)
    if history is None:
        return None
    try:
        return history_rates(begun(opened).own.observed.snapshot, history.series)
    except SnapshotError:
        # Two readings that show no rate are useless.
        return None


def objectives(rates: Rates | None, is_uneven: bool) -> list[str]:
    """Return the possible objectives, the default first.

    `is_uneven`: whether the lag of the group is uneven; if so, lag is the default, as on Overview.
    """
    if rates is None:
        return ["lag"]
    others = ["rate"] if rates.capacity is None else ["drain", "rate"]
    return ["lag", *others] if is_uneven else [*others, "lag"]


def request_of(plan_choice: PlanChoice, rates: Rates | None) -> Request:
    """Return the page's choice as a request to the search."""
    return Request(
        plan_choice.objective,
        None if plan_choice.objective == "lag" else rates,
        moves=plan_choice.moves,
        partitions_per_member=plan_choice.partitions_per_member,
        racks="require" if plan_choice.keeps_racks else "ignore",
        time_limit_s=TIME_LIMIT_S,
    )


def searched(opened: OpenGroup, plan_choice: PlanChoice) -> Mapping[str, SearchEnd | Closing]:
    """Return the results of the page's searches.

    `best`: the best plan. `frontier`: the best plan for each number of moves. `other`: the best
    plan for the other aim (rates or lag), if rates are known. `size`: the right size, if capacities
    are known. A running search has a `Closing` as its result.

    Raises
    ------
    SnapshotError
        If the batch was deleted, or the group is too large for the page.
    """
    require_seen(opened)
    group = begun(opened).own.observed.snapshot
    if group.tp_count > MOST_PARTITIONS:
        raise SnapshotError(
            f"The group has {group.tp_count:,} partitions; this page searches up to"
            f" {MOST_PARTITIONS:,}. Run: evenkeel best"
        )
    other = _other(opened, plan_choice)
    beside: dict[str, tuple[Callable, OpenGroup, PlanChoice]] = (
        {} if other is None else {"other": (_best, opened, other)}
    )
    rates = rates_of(opened)
    if rates is not None and rates.capacity is not None:
        beside["size"] = (
            _size,
            opened,
            PlanChoice(plan_choice.objective, within=plan_choice.within),
        )
    # In the order of the searches.
    keys = {
        "best": (_best, opened, plan_choice._replace(within=None)),
        "frontier": (_frontier, opened, plan_choice._replace(moves=None, within=None)),
    } | beside
    open_keys = missing({key: partial(_search, key) for key in keys.values()}, _PATIENCE_SECONDS)
    return {
        name: _CLOSING.get(key, Closing())
        if key in open_keys
        else ALL.find(key) or SearchEnd(error=_NOT_KEPT)
        for name, key in keys.items()
    }


def _other(opened: OpenGroup, plan_choice: PlanChoice) -> PlanChoice | None:
    """Return the request for the other aim; None if the rates are unknown."""
    rates = rates_of(opened)
    other = counterpart(request_of(plan_choice, rates), rates)
    return None if other is None else plan_choice._replace(objective=other.objective, within=None)


def for_compare(opened: OpenGroup, *, is_drawn: bool = False) -> Best | Closing | None:
    """Return the assignment in which the worst member has the least lag, for the comparison table.

    None if the group has no answer, or is too large for a page. `is_drawn`: whether the page is
    drawn; for a large group, the search starts only then.
    """
    group = begun(opened).own.observed.snapshot
    if group.tp_count > MOST_PARTITIONS:
        return None
    key = (_best, opened, PlanChoice())
    # For a small group the page waits a moment, so that it need not run twice.
    is_small = group.tp_count * group.member_count <= _SMALL
    if is_small or is_drawn:
        missing({key: partial(_search, key)}, _PATIENCE_SECONDS if is_small else 0.0)
    answer = ALL.find(key)
    return answer.result if answer else _CLOSING.get(key, Closing())


def owners_in_play(plan: Best, assignment: Assignment | None) -> np.ndarray | None:
    """Return the owner that another assignor's answer gives to each partition of the plan, int32
    (n,).

    None if this assignor has no answer, or if a partition has no owner.
    """
    owner = None if assignment is None else assignment.handed_out().owner[plan.problem.tp]
    return None if owner is None or (owner < 0).any() else owner


def moves_and_value(plan: Best, assignment: Assignment | None) -> tuple[int, float] | None:
    """Return the number of moves and the value of another assignor's answer.

    None if this assignor has no answer, or if a partition has no owner.
    """
    owner = owners_in_play(plan, assignment)
    return (
        None
        if owner is None
        else (plan.problem.moves_of(owner), float(plan.problem.worst(owner)[0]))
    )


def _search(key: tuple[Callable, OpenGroup, PlanChoice], is_asked: Callable[[], bool]) -> None:
    make, opened, plan_choice = key

    def progress(value: Any, bound: Any) -> None:
        _CLOSING[key] = Closing(float(value), float(bound))

    try:
        result, error = (
            make(
                opened,
                request_of(plan_choice, rates_of(opened)),
                plan_choice,
                progress,
                lambda: not is_asked(),
            ),
            "",
        )
    except (Infeasible, RequestError, SnapshotError) as refused:
        result, error = None, str(refused)
    finally:
        _CLOSING.pop(key, None)
    if is_asked():
        ALL.put(key, SearchEnd(result, error))
        if ALL.find(key) is None:
            ALL.put(key, SearchEnd(error=_NOT_KEPT))


def _best(
    opened: OpenGroup, request: Request, _: PlanChoice, progress: Callable, stop: Callable[[], bool]
) -> Best:
    own = begun(opened).own
    return best(own.observed.snapshot, request, list(_starts(opened).values()), progress, stop)


def _frontier(
    opened: OpenGroup,
    request: Request,
    plan_choice: PlanChoice,
    progress: Callable,
    stop: Callable[[], bool],
) -> Frontier:
    own, curve = begun(opened).own, ALL.find((_best, opened, plan_choice))
    starts, whole = list(_starts(opened).values()), curve and curve.result
    return frontier(
        own.observed.snapshot, request, starts=starts, progress=progress, stop=stop, whole=whole
    )


def _size(
    opened: OpenGroup,
    request: Request,
    plan_choice: PlanChoice,
    progress: Callable,
    stop: Callable[[], bool],
) -> RightSize:
    within = None if plan_choice.within is None else Fraction(str(plan_choice.within))
    return right_size(
        begun(opened).own.observed.snapshot,
        replace(request, moves=None),
        within=within,
        progress=progress,
        stop=stop,
    )


def _starts(opened: OpenGroup) -> dict[str, Assignment]:
    return {
        row.name: row.assignment.handed_out()
        for row in begun(opened).own.comparison.rows[1:]
        if row.assignment
    }


def hot_partition(plan: Best) -> str:
    """Return the name of the partition that alone sets the bound. Empty if there is none."""
    return "" if plan.hot is None else tp_name(plan.problem.group, int(plan.problem.tp[plan.hot]))


def planned(opened: OpenGroup, plan_choice: PlanChoice) -> OpenGroup:
    """Return the group with the best assignment as an additional row of the comparison. A result of
    the page Best is reused.

    Raises
    ------
    SnapshotError
        If no assignment satisfies the limits, or the batch was deleted.
    """
    return opened._replace(
        plan=_searched_best(opened, plan_choice).assignment.owner.astype(np.int32).tobytes()
    )


def _searched_best(opened: OpenGroup, plan_choice: PlanChoice) -> Best:
    key = (_best, opened, plan_choice)
    if ALL.find(key) is None:
        _search(key, lambda: True)
    search = ALL.find(key) or SearchEnd(error=_NOT_KEPT)
    if search.result is None:
        raise SnapshotError(f"best: {search.error}")
    return search.result


@kept
def why_planned(
    opened: OpenGroup, plan_choice: PlanChoice, topic: str, partition: int
) -> tuple[str, ...]:
    """Return sentences on why the best assignment gives a partition to its member.

    The search runs again and reports its decisions.

    Raises
    ------
    SnapshotError
        If no assignment satisfies the limits, the search was stopped early, or the batch was
        deleted.
    """
    opened = opened._replace(plan=None)
    require_seen(opened)
    return why_best(
        begun(opened).own.observed,
        _searched_best(opened, plan_choice),
        _starts(opened),
        topic,
        partition,
    ).sentences
