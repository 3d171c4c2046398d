"""Two figures of Best: the frontier (the best plan for each number of moves) and the right size
(the number of members). Also the progress of searches.

On the frontier, each assignor is a point, and a click on a point chooses a plan.
"""

from collections.abc import Mapping
from html import escape
from math import inf

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.assignors.best.answer import Best
from evenkeel.assignors.best.frontier import Frontier as Searched
from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.right_size import RightSize
from evenkeel.dashboard.best.frontier import finding, frontier
from evenkeel.dashboard.best.head import MOVES
from evenkeel.dashboard.best.loading import (
    Closing,
    SearchEnd,
    hot_partition,
    moves_and_value,
    searched,
)
from evenkeel.dashboard.best.plans import Frontier, Other, Plan
from evenkeel.dashboard.best.right_size import Size, Sizes, right_size
from evenkeel.dashboard.best.right_size import finding as size_finding
from evenkeel.dashboard.best.words import size_sentence
from evenkeel.dashboard.parts import plot
from evenkeel.dashboard.shell import address, problem
from evenkeel.dashboard.shell.loading.views import figure
from evenkeel.dashboard.view import OpenGroup, PlanChoice, View
from evenkeel.data.best.words import value_text

_FIGURE = "frontier"
_LONGEST_SECONDS = 30 * 86_400
"""Longer drain times are drawn as never; years on the axis would leave no room for other values."""


def shown(
    view: View, plan_choice: PlanChoice, best: Best, curve: SearchEnd | Closing
) -> Frontier | None:
    """Return the data of the figure; None during the search, or if there are no points."""
    if isinstance(curve, Closing) or not isinstance(curve.result, Searched):
        return None
    bests = [point.best for point in curve.result.points if point.best]
    if not bests:
        return None
    lowest = bests[-1]
    if all(each.moves != best.moves for each in bests):
        bests = sorted([*bests, best], key=lambda each: each.moves)
    plans = [
        Plan(
            each.moves,
            _drawn(plan_choice, each.value),
            _drawn(plan_choice, each.bound),
            each.is_proved,
        )
        for each in bests
    ]
    now = None if best.current_value is None else _drawn(plan_choice, best.current_value)
    homes = int((best.problem.home >= 0).sum())
    return Frontier(
        plan_choice.objective,
        _distinct(plans),
        [each._replace(value=_drawn(plan_choice, each.value)) for each in _others(view, best)],
        now,
        homes,
        _floor(plan_choice, lowest),
    )


def _drawn(plan_choice: PlanChoice, value: Value | float) -> float:
    is_long = plan_choice.objective == "drain" and value > _LONGEST_SECONDS
    return inf if is_long else float(value)


def _distinct(plans: list[Plan]) -> list[Plan]:
    """Return the best plan for each number of moves, sorted by this number."""
    by_moves: dict[int, Plan] = {}
    for plan in plans:
        if plan.moves not in by_moves or plan.value < by_moves[plan.moves].value:
            by_moves[plan.moves] = plan
    return [by_moves[moves] for moves in sorted(by_moves)]


def _others(view: View, best: Best) -> list[Other]:
    """Return the assignors whose answers have an owner for every partition of the plan."""
    values = ((row.name, moves_and_value(best, row.assignment)) for row in view.comparison.rows[1:])
    return [Other(name, *reached) for name, reached in values if reached]


def _floor(plan_choice: PlanChoice, best: Best) -> str:
    bound = best.bound_by
    text = value_text(plan_choice.objective, float(bound.value))
    if best.hot is not None:
        return f"{hot_partition(best)} alone: {text}, whoever owns it"
    return (
        f"fair share {text}: no plan gets below it"
        if bound.name == "mean"
        else f"proved: nothing below {text}"
    )


def chosen(shown: Frontier, best: Best) -> int:
    """Return the index of the chosen plan in `shown.plans`: the last plan with at most as many
    moves as `best`.
    """
    places = [place for place, plan in enumerate(shown.plans) if plan.moves <= best.moves]
    return places[-1] if places else 0


def pick() -> None:
    """Limit the number of moves to the moves of the clicked plan."""
    points = st.session_state[_FIGURE].selection.points
    if points and "customdata" in points[0]:
        MOVES.choose(round(points[0]["x"] ** 2))


def wait(
    group: OpenGroup, plan_choice: PlanChoice, answers: Mapping[str, SearchEnd | Closing]
) -> None:
    """Show the progress of the searches. Draw the page again after each search. A search ends if
    the reader leaves the page.
    """
    going = [name for name, answer in answers.items() if isinstance(answer, Closing)]
    if going:
        _look(group, plan_choice, going)


@st.fragment(run_every=0.4)
def _look(group: OpenGroup, plan_choice: PlanChoice, going: list[str]) -> None:
    now = searched(group, plan_choice)
    if any(not isinstance(now[name], Closing) for name in going):
        address.draw_again()
        return
    first = now[going[0]]
    so_far = ""
    if isinstance(first, Closing) and first.value is not None:
        best, bound = (value_text(plan_choice.objective, value) for value in first)
        so_far = f": {best} so far, no value can be below {bound}"
    words = {
        "best": "the best assignment",
        "frontier": "the gain of each move",
        "size": "the right size",
        "other": "the other aim",
    }
    st.html(
        f'<span class="note">Searching for {words[going[0]]}{so_far}. Leave the page to end'
        " it.</span>"
    )


# The right size: the best value for each number of members, the requested value, and one sentence.


def columns(has_picture: bool) -> tuple[DeltaGenerator | None, DeltaGenerator]:
    """Return the places of the picture and of the words next to it. If there is no picture, the
    words have the whole width.
    """
    if not has_picture:
        return None, st.container()
    picture, words = st.columns([58, 42], gap="small")
    return picture, words


def show_frontier(
    view: View,
    plan_choice: PlanChoice,
    best: Best,
    shown: Frontier | None,
    curve: SearchEnd | Closing,
) -> None:
    """Draw the frontier. During the search, draw nothing."""
    if shown:
        place = chosen(shown, best)
        drawn = figure(
            view, [str(plan_choice), str(place), str(best.value)], frontier, shown, place
        )
        plot.show(drawn, _FIGURE, finding(shown, place), pick)
    elif isinstance(curve, SearchEnd):
        problem.show(curve.error or "No point of the curve was found in time.")


def show_sizes(
    view: View, plan_choice: PlanChoice, best: Best, answer: SearchEnd | Closing
) -> None:
    """Draw how many members are useful, or the progress of the search for this number."""
    if isinstance(answer, Closing) or answer.result is None:
        st.caption(
            answer.error if isinstance(answer, SearchEnd) else "Searching for the right size …"
        )
        return
    sizes = answer.result
    shown = _sizes_shown(view, plan_choice, best, sizes)
    drawn = figure(
        view, [plan_choice.objective, str(plan_choice), str(best.value)], right_size, shown
    )
    plot.show(drawn, "right-size", size_finding(shown))


def has_size(answer: SearchEnd | Closing) -> bool:
    """Return whether there is something to draw: a finite value, or the progress of the search."""
    if isinstance(answer, Closing) or answer.result is None:
        return True
    return any(size.value != NEVER for size in answer.result.points)


def show_size_sentence(view: View, plan_choice: PlanChoice, answer: SearchEnd | Closing) -> None:
    """Draw the sentence on how many members suffice."""
    if isinstance(answer, Closing) or answer.result is None:
        return
    sizes = answer.result
    floor = value_text(plan_choice.objective, float(sizes.floor))
    lead, rest = size_sentence(
        plan_choice.objective,
        sizes.useful,
        sizes.within,
        plan_choice.within,
        floor,
        len(view.names),
    )
    st.html(f'<p class="verdict"><b>{escape(lead)}</b>{escape(rest)}</p>')


def _sizes_shown(view: View, plan_choice: PlanChoice, best: Best, sizes: RightSize) -> Sizes:
    members = len(view.names)
    now = best.current_value
    floor = ""
    if sizes.floor != NEVER:
        least = value_text(plan_choice.objective, float(sizes.floor))
        floor = f"floor {least}: the largest partition alone"
    return Sizes(
        plan_choice.objective,
        [Size(size.members, float(size.value), float(size.bound)) for size in sizes.points],
        plan_choice.within,
        None if now is None else (members, float(now)),
        (members, float(best.value)),
        floor,
    )
