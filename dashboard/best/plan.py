"""The moves of the plan, most helpful first; the answers of all assignors; and ways to save the
plan.
"""

import json
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from evenkeel.assignors.best.answer import Best, in_order
from evenkeel.assignors.best.answer import Step as Move
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.assignors.protocol import CONSUMER, CURRENT
from evenkeel.dashboard.best import why
from evenkeel.dashboard.best.loading import planned, rates_of
from evenkeel.dashboard.best.plans import Frontier
from evenkeel.dashboard.best.words import AIMS
from evenkeel.dashboard.parts import long_table
from evenkeel.dashboard.shell import address
from evenkeel.dashboard.shell.choice import Choice, Options
from evenkeel.dashboard.shell.loading import views
from evenkeel.dashboard.shell.loading.views import PLAN
from evenkeel.dashboard.shell.navigation import MOVES, WHAT_IF
from evenkeel.dashboard.view import OpenGroup, PlanChoice, View
from evenkeel.data.best.words import UNITS, value_text
from evenkeel.data.group.columns.rows import plan_by_name
from evenkeel.data.scenarios.edits.set_owners import SetOwners
from evenkeel.data.scenarios.scenario.draft import Draft, NamedSteps, text_of
from evenkeel.data.scenarios.scenario.scenario import Step
from evenkeel.data.text.formats import UNKNOWN, counted, exact, upper_percent

_SIDES = {"plan": "Plan", "assignors": "Assignors"}
_HEIGHT = 300
_RUN = (
    "Kafka cannot move single partitions. Only an assignor can carry out this plan, in"
    " the members or on the brokers."
)
_ON_BROKERS = (
    " If the brokers run evenkeel-weighted (docs/deploy-broker.md), `evenkeel best … --plan-out"
    " FILE` writes the plan to the file that they read. The plan applies from the next epoch, as"
    " long as the group has exactly these members."
)
_OF = "plan-of"


def show(
    view: View, plan_choice: PlanChoice, best: Best, shown: Frontier | None, opens_assignors: bool
) -> None:
    """Draw the plan or the assignors.

    `opens_assignors`: whether to show the assignors first, because a single partition sets the
    bound.
    """
    default = "assignors" if opens_assignors else "plan"
    choice = Options("best-table", _SIDES, default, "table")
    side = choice.follow()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        title = (
            "The plan, most helpful moves first" if side == "plan" else "Answers of all assignors"
        )
        st.html(f'<span class="table-title">{title}</span>', width="content")
        st.space("stretch")
        choice.show("Table")
    if side == "plan":
        _show_plan(view, plan_choice, best)
    elif shown:
        _show_assignors(plan_choice, best, shown)
    else:
        st.caption("Searching the gain of each move …")


def _show_plan(view: View, plan_choice: PlanChoice, best: Best) -> None:
    steps = in_order(best.problem, best.owner)
    if not steps:
        st.caption("Nothing moves: all owners stay.")
    else:
        rows = pd.DataFrame(
            [_row(view, plan_choice, best, steps, place) for place in range(len(steps))]
        )
        why.show(
            rows,
            "Plan",
            f"why-{_written(plan_choice)}",
            why.by_search(view, plan_choice),
            most_height=_HEIGHT,
        )
    homeless = int((best.problem.home < 0).sum())
    unmoved = best.problem.n - best.moves - homeless
    notes = [f"Kept: {exact(unmoved)}"] + [f"previously unowned: {exact(homeless)}"] * bool(
        homeless
    )
    more = best.moves - len(steps)
    notes += [f"{counted(more, 'move')} more in the file"] * bool(more)
    rises = best.current_value is not None and any(
        step.value > best.current_value for step in steps
    )
    notes += ["between the two moves of a swap, the worst member can have more than now"] * rises
    st.caption(f"{'; '.join(notes)}.")


def _row(view: View, plan_choice: PlanChoice, best: Best, steps: list[Move], place: int) -> dict:
    step = steps[place]
    problem = best.problem
    row = int(problem.tp.searchsorted(step.tp))
    shown: dict = {
        "Partition": tp_name(problem.group, step.tp),
        "From → to": f"{view.names[step.giver]} → {view.names[step.taker]}",
    }
    lag = int(page_lag(problem.group)[step.tp])
    shown["Lag"] = None if lag == UNKNOWN_LAG else lag
    if plan_choice.objective != "lag":
        shown["Per second"] = round(int(problem.rate[row]) / 1000, 1)
    return shown | {
        "Worst then": value_text(plan_choice.objective, float(step.value)),
        "Why": _why(view, steps, place),
    }


def _why(view: View, steps: list[Move], place: int) -> str:
    step = steps[place]
    if step.worst != step.giver:
        return f"{view.names[step.worst]} is worst, but the plan moves no more of its partitions"
    if place == 0:
        return f"{view.names[step.giver]} is worst"
    return (
        f"{view.names[step.giver]}"
        f" {'again' if steps[place - 1].worst == step.worst else 'is now worst'}"
    )


def _show_assignors(plan_choice: PlanChoice, plan: Best, shown: Frontier) -> None:
    best = shown.plans[-1].bound
    rows = (
        [_assignor(plan_choice, "current", None, shown.now, best)] if shown.now is not None else []
    )
    rows += [
        _assignor(plan_choice, other.name, other.moves, other.value, best) for other in shown.others
    ]
    rows.append(_assignor(plan_choice, "this plan", plan.moves, float(plan.value), best))
    long_table.show(pd.DataFrame(rows), "Assignors", most_height=_HEIGHT)
    if plan_choice.objective != "drain":
        st.caption(
            f"Above the best: no assignment is below {value_text(plan_choice.objective, best)}"
            f" {UNITS[plan_choice.objective]}."
        )


def _assignor(
    plan_choice: PlanChoice, name: str, moves: int | None, value: float, bound: float
) -> dict:
    above = None if bound <= 0 or value == float("inf") else value / bound - 1
    text = UNKNOWN
    if above is not None:
        text = "0" if above < 1e-9 else f"+{upper_percent(above)}"
    return {
        "Assignor": name,
        "Moves": moves,
        f"Worst, {UNITS[plan_choice.objective]}": value_text(plan_choice.objective, value),
        "Above the best": text,
    }


def show_take(view: View, plan_choice: PlanChoice, best: Best) -> None:
    """Draw the ways to use the plan: the file of the plan, and the programs that apply it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<span class="table-title">Use the plan</span>', width="content")
        st.space("stretch")
        if st.button("Open in Moves", key="best-to-moves", icon=":material/move_down:"):
            address.lead_to(plan=_written(plan_choice))
            st.switch_page(MOVES.script)
        if st.button(
            "Open in What-if",
            key="best-to-what-if",
            icon=":material/experiment:",
            disabled=not best.moved.size,
        ):
            step = Step(name="Best plan", edits=[SetOwners(owners=moved_owners(best))])
            address.lead_to(steps=text_of(Draft([NamedSteps(None, [step])])))
            st.switch_page(WHAT_IF.script)
        st.download_button(
            "Plan (JSON)",
            plan_file(best),
            "plan.json",
            "application/json",
            key="best-plan",
            icon=":material/download:",
            on_click="ignore",
        )
    eager = view.observed.is_classic
    pauses = (
        " Under an eager protocol all partitions pause anyway; fewer moves only keep more state"
        " and caches."
        if eager
        else ""
    )
    way = _ON_BROKERS if view.observed.group_type == CONSUMER else ""
    st.html(f'<p class="switch"><b>Run it.</b> {escape(_RUN + way + pauses)}</p>')


# The plan on Moves, as an additional row; the address contains the request, such as
# `lag.8.10.keep`.


class _PlanInAddress(Choice[PlanChoice | None]):
    key, default = "plan", None

    def read(self, linked: str) -> tuple[PlanChoice | None, str]:
        plan = _read(linked)
        words = f"The URL asks for the plan “{linked[:80]}”, expected a plan such as lag.8.10.keep."
        return plan, words if linked and plan is None else ""

    def text(self, value: PlanChoice | None) -> str:
        return _written(value) if value else ""


_IN_ADDRESS = _PlanInAddress()


def choose(group: OpenGroup, view: View) -> tuple[OpenGroup, View, list[str]]:
    """Return the group and its view, both with the plan that the address names. Also return the two
    rows to compare.

    Draw a button that removes the plan.
    """
    plan_choice = _IN_ADDRESS.follow()
    if (
        plan_choice is None
        or st.session_state.get(_OF) not in (None, group.lasting)
        or (plan_choice.objective != "lag" and rates_of(group) is None)
    ):
        st.session_state[_IN_ADDRESS.key] = None
        return group, view, []
    st.session_state[_OF] = group.lasting
    _IN_ADDRESS.write()
    with_plan = planned(group, plan_choice)
    seen = views.view(with_plan)
    st.button(
        f"{_in_words(plan_choice)}: leave it",
        key="best-leave",
        on_click=_leave,
        icon=":material/close:",
        type="tertiary",
    )
    return with_plan, seen, [CURRENT, PLAN]


def decider(view: View, name: str) -> why.Decider:
    """Return the explanations for a row on Moves. The search explains the row of the plan. An
    assignor explains any other row.
    """
    plan_choice = _IN_ADDRESS.value
    return (
        why.by_search(view, plan_choice)
        if plan_choice and name == PLAN
        else why.by_assignor(view, name)
    )


def _leave() -> None:
    st.session_state.pop(_IN_ADDRESS.key, None)


def _in_words(plan_choice: PlanChoice) -> str:
    moves = (
        f", at most {counted(plan_choice.moves, 'move')}" if plan_choice.moves is not None else ""
    )
    most = (
        f", {counted(plan_choice.partitions_per_member, 'partition')} a member"
        if plan_choice.partitions_per_member is not None
        else ""
    )
    racks = ", racks kept" if plan_choice.keeps_racks else ""
    return f"Best plan, {AIMS[plan_choice.objective]}{moves}{most}{racks}"


def _written(plan_choice: PlanChoice) -> str:
    numbers = (
        "" if number is None else str(number)
        for number in (plan_choice.moves, plan_choice.partitions_per_member)
    )
    return ".".join(
        [plan_choice.objective, *numbers, "keep" if plan_choice.keeps_racks else ""]
    ).rstrip(".")


def _read(text: str) -> PlanChoice | None:
    objective, moves, most, racks = (text.split(".") + [""] * 4)[:4]
    numbers = [address.whole(number, 10**6) for number in (moves, most)]
    is_read = objective in AIMS and all(
        number is not None or not given
        for number, given in zip(numbers, (moves, most), strict=True)
    )
    return (
        PlanChoice(objective, numbers[0], numbers[1], racks == "keep")
        if is_read and racks in ("", "keep") and text.count(".") < 4
        else None
    )


# The plan as a file.


def plan_file(best: Best) -> str:
    """Return the owners of all partitions as `evenkeel best --json` prints them: {member: {topic:
    [numbers]}}.
    """
    group, owner = best.problem.group, best.assignment.owner
    plan = {name: {} for name in group.member_id}
    plan |= plan_by_name(group, owner, np.flatnonzero(owner >= 0))
    return json.dumps({"assignment": plan}, ensure_ascii=False, indent=1)


def moved_owners(best: Best) -> dict[str, dict[str, list[int]]]:
    """Return the new owners of the moved partitions."""
    return plan_by_name(best.problem.group, best.assignment.owner, best.moved)
