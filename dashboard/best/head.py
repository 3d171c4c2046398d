"""Top of Best: aim and limits, figures, and the first sentence. Figures and sentence use the best
plan and its bound.
"""

from collections.abc import Iterable, Sequence
from html import escape

import streamlit as st

from evenkeel.assignors.best.answer import Beside, Best
from evenkeel.assignors.best.objective import NEVER
from evenkeel.assignors.best.request import Rates
from evenkeel.dashboard.best.loading import Closing, SearchEnd, hot_partition, objectives
from evenkeel.dashboard.best.plans import Frontier
from evenkeel.dashboard.best.words import AIMS, HELP, Basis, as_if_reading, sentence
from evenkeel.dashboard.parts import kpi_strip
from evenkeel.dashboard.parts.facts import WORST_MEMBER
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.dashboard.scope.group_facts import Reassignment
from evenkeel.dashboard.shell.choice import Choice, Number, Options
from evenkeel.dashboard.view import PlanChoice, View
from evenkeel.data.best.unread import Unread
from evenkeel.data.best.words import UNITS, gap_words, value_text
from evenkeel.data.text.formats import change, compact, counted, exact
from evenkeel.data.text.names import elided


def show(
    view: View,
    plan_choice: PlanChoice,
    best: Best,
    shown: Frontier | None,
    reassignment: Reassignment,
) -> None:
    """Draw the figures and the first sentence.

    If the plan reaches the bound, the bound is not shown. The plan is drawn as advice only if
    another assignment may help.
    """
    is_advice = reassignment.may_help
    kpi_strip.show(_kpis(view, plan_choice, best, shown, is_advice))
    others = [(other.name, other.moves, other.value) for other in shown.others] if shown else []
    lead, rest = sentence(
        Basis(
            plan_choice.objective,
            None if best.current_value is None else float(best.current_value),
            _number(best.value),
            0.0 if best.unknown else _number(best.bound),
            best.is_proved,
            best.moves,
            plan_choice.moves,
            "" if best.unknown else hot_partition(best),
            others,
        )
    )
    lead = f"<b>{escape(lead)}</b>" if is_advice else escape(lead)
    counted_in = escape(as_if_reading([view.names[row] for row in reassignment.not_reading]))
    st.html(
        f'<p class="verdict">{lead}{escape(rest)}{counted_in}{_unknown(best)}'
        f"{_unread(view, best)}</p>"
    )


def _unread(view: View, best: Best) -> str:
    sentence = Unread.of(view.comparison.rows[0].assignment, best).sentence
    return f" {escape(sentence)}" if sentence else ""


def show_beside(best: Best, other: SearchEnd | Closing | None, reassignment: Reassignment) -> None:
    """If rates and lag disagree about the better plan, draw the values of both plans.

    Draw nothing if the group is fine, or if a member reads nothing.
    """
    if reassignment.is_fine or reassignment.not_reading:
        return
    if not isinstance(other, SearchEnd) or other.result is None:
        return
    both = Beside(best, other.result)
    if not both.disagree:
        return
    values = [(best.value, both.mine_for_other), (both.other_for_mine, both.other.value)]
    aims = [plan.problem.objective for plan in (both.mine, both.other)]
    heads = "".join(f"<th>{escape(f'{AIMS[aim]}: worst, {UNITS[aim]}')}</th>" for aim in aims)
    rows = []
    for aim, pair, plan in zip(aims, values, (both.mine, both.other), strict=True):
        cells = "".join(
            f"<td>{value_text(kind, _number(value))}</td>"
            for kind, value in zip(aims, pair, strict=True)
        )
        rows.append(f"<tr><th>{escape(AIMS[aim])}</th>{cells}<td>{exact(plan.moves)}</td></tr>")
    head = f"<thead><tr><th>Best plan for</th>{heads}<th>moves</th></tr></thead>"
    st.html(
        "<p><b>Rates and lag disagree about the better plan.</b> Rates are for a group that keeps"
        " up, lag is for a backlog.</p>"
        f'<div class="restarts"><table>{head}<tbody>{"".join(rows)}</tbody></table></div>'
    )


def _number(value) -> float:
    return float("nan") if value is None else float(value)


def _unknown(best: Best) -> str:
    unit = "lag" if best.problem.objective == "lag" else "rate"
    return (
        f" The {unit} of {counted(best.unknown, 'partition')} is unknown: values are lower bounds."
        if best.unknown
        else ""
    )


def _kpis(
    view: View, plan_choice: PlanChoice, best: Best, shown: Frontier | None, is_advice: bool
) -> Sequence[Kpi]:
    hot = hot_partition(best) if best.bound_by.name == "largest" else ""
    bounds = [] if best.is_proved and not best.unknown else [_possible(plan_choice, best)]
    if hot:
        floor = f"⚠ {value_text(plan_choice.objective, _number(best.bound))} in one partition"
        bounds.append(Kpi("The floor", elided(hot, 18), floor, "worse"))
    elif shown is not None and shown.plans[-1].moves > best.moves:
        bounds.append(_any(plan_choice, shown))
    return [
        _now(plan_choice, best),
        _then(view, plan_choice, best, is_advice),
        *bounds,
        _moved(best),
        _members(view, best),
    ]


def _now(plan_choice: PlanChoice, best: Best) -> Kpi:
    if best.current_value is None:
        return Kpi(WORST_MEMBER, "unknown", "no partition has an owner")
    return Kpi(
        WORST_MEMBER,
        value_text(plan_choice.objective, _number(best.current_value), bool(best.unknown)),
        UNITS[plan_choice.objective],
    )


def _then(view: View, plan_choice: PlanChoice, best: Best, is_advice: bool) -> Kpi:
    text = value_text(plan_choice.objective, _number(best.value), bool(best.unknown))
    name = elided(view.names[best.worst], 14) if best.worst >= 0 else ""
    now = best.current_value
    if now in (None, NEVER, 0) or best.never:
        return Kpi("With this plan", text, name)
    step = change(round(now), round(best.value))
    return Kpi(
        "With this plan",
        text,
        " · ".join([f"{'▼ ' * (best.value < now)}{step}", name]),
        "better" if is_advice and best.value < now else "",
    )


def _possible(plan_choice: PlanChoice, best: Best) -> Kpi:
    label = "Best possible" + (
        f" with {counted(plan_choice.moves, 'move')}" if plan_choice.moves is not None else ""
    )
    text = value_text(plan_choice.objective, _number(best.bound))
    return Kpi(
        label,
        text,
        gap_words(_number(best.value), _number(best.bound), best.is_proved)
        if not best.unknown
        else "a lower bound",
    )


def _any(plan_choice: PlanChoice, shown: Frontier) -> Kpi:
    last = shown.plans[-1]
    words = gap_words(last.value, last.bound, last.is_proved)
    return Kpi(
        "Best with any moves",
        value_text(plan_choice.objective, last.value),
        f"{counted(last.moves, 'move')}, {words}",
    )


def _moved(best: Best) -> Kpi:
    problem = best.problem
    has_moved = (problem.home >= 0) & (best.owner != problem.home)
    lag = int(problem.lag[has_moved].sum())
    note = f"of {exact(problem.n)}" + (f" · {compact(lag)} lag waits" if lag else "")
    return Kpi("Moved", exact(best.moves), note)


def _members(view: View, best: Best) -> Kpi:
    counts = [int((best.owner == member).sum()) for member in range(len(view.names))]
    idle = counts.count(0)
    high, low = max(counts, default=0), min(counts, default=0)
    return Kpi(
        "Partitions, max / min",
        f"{high} / {low}",
        f"{counted(idle, 'member')} idle" if idle else "none idle",
    )


# Request for the best assignment: the objective in words, and the limits. The address contains
# them.


_LARGEST = 10**6
MOVES = Number("at-most", "“Moves, at most” of", _LARGEST)
_MOST = Number("per-member", "“Partitions of a member, at most” of", _LARGEST)
_WITHIN = Number("within", "“Right size: worst member at most” of", _LARGEST)
_GROUP = "best-group"


class _Racks(Choice[bool]):
    key, default = "racks", False

    def read(self, linked: str) -> tuple[bool, str]:
        return linked == "keep", ""

    def text(self, value: bool) -> str:
        return "keep"


_RACKS = _Racks()


def show_limits(view: View, rates: Rates | None, is_uneven: bool) -> PlanChoice:
    """Draw a box with aims and limits. Return the reader's choice.

    Without rates there is only one aim. Without capacities there is no field for the right size.
    `is_uneven`: whether lag is uneven; if so, lag is the default aim.
    """
    possible = objectives(rates, is_uneven)
    aim = Options("aim", AIMS, possible[0], "aim")
    limits = (MOVES, _MOST, _RACKS, _WITHIN)
    _forget_other_group(view, (aim, *limits))
    if aim.follow() not in possible:
        refused = AIMS[aim.value]
        st.session_state[aim.key] = possible[0]
        aim.refuse(
            f"The aim “{refused}” needs rates, but the history of this group does not"
            f" contain them. Shown: {AIMS[possible[0]]}."
        )
    for limit in limits:
        limit.follow()
    within = None
    words = _limits_in_words(AIMS[aim.value] if len(possible) > 1 else None)
    with st.popover(words, type="tertiary", icon=":material/tune:", key="best-limits"):
        if len(possible) > 1:
            aim.show("Aim", {objective: AIMS[objective] for objective in possible}, help=HELP)
        moves = _field("Moves, at most", MOVES)
        most = _field("Partitions of a member, at most", _MOST)
        keeps_racks = _racks(view)
        if rates is not None and rates.capacity is not None:
            unit = "minutes" if aim.value == "drain" else UNITS[aim.value]
            within = _field(f"Right size: worst member at most, {unit}", _WITHIN)
    if rates is not None and rates.assumed:
        words = (
            f"Capacity assumed for {len(rates.assumed)} of {len(view.names)} members: the median of"
            " the others."
        )
        st.html(f'<span class="note">{escape(words)}</span>')
    seconds = within and float(60 * within if aim.value == "drain" else within)
    return PlanChoice(aim.value, moves, most, keeps_racks, seconds)


def _limits_in_words(aim: str | None) -> str:
    """Return the limits in words. If there are several aims, the chosen aim comes first."""
    moves, most = MOVES.value, _MOST.value
    words = [
        *[aim or ""] * (aim is not None),
        *[f"at most {counted(moves or 0, 'move')}"] * (moves is not None),
        *[f"at most {counted(most or 0, 'partition')} a member"] * (most is not None),
    ]
    return ", ".join(words) or "Limits"


def _forget_other_group(view: View, choices: Iterable[Choice]) -> None:
    """Remove the limits when another group is opened, because limits belong to one group."""
    if st.session_state.get(_GROUP) not in (None, view.opened.lasting):
        for choice in choices:
            st.session_state.pop(choice.key, None)
    st.session_state[_GROUP] = view.opened.lasting


def _field(label: str, limit: Number) -> int | None:
    return limit.show(label, step=1, placeholder="any")


def _racks(view: View) -> bool:
    has_racks = bool(view.observed.snapshot.rack_name)
    why = (
        "A partition goes to a member in the rack of a replica, if a member is in such a rack."
        if has_racks
        else "The listing names no racks."
    )
    st.checkbox(
        "keep racks",
        _RACKS.value,
        disabled=not has_racks,
        help=why,
        **_RACKS.widget | {"label_visibility": "visible"},
    )
    _RACKS.write()
    return _RACKS.value
