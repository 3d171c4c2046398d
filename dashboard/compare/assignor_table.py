"""A table with a row for each assignor. Below the table, a line says what prevents the group from
draining.

A click, Enter or Space on a row chooses the candidate. A click on a header sorts the table.
"""

from collections.abc import Mapping
from html import escape

import streamlit as st

from evenkeel.assignors.compare.comparison import Row, row_of
from evenkeel.assignors.compare.facts import Facts
from evenkeel.dashboard.best.best_plan import BestPlan
from evenkeel.dashboard.compare.tables import (
    BEST_ROW,
    assignor_columns,
    assignor_rows,
    in_order,
)
from evenkeel.dashboard.parts import table
from evenkeel.dashboard.parts.drain_words import assumed_rates, never_line
from evenkeel.dashboard.scope import scope
from evenkeel.dashboard.shell import address, problem
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.loading.answer_facts import drain_times, stuck_partitions
from evenkeel.dashboard.shell.navigation import BEST
from evenkeel.dashboard.view import View
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.scenarios.leaders import in_use

_TO_BEST = "to-best"


def show(
    view: View,
    candidate: str,
    facts: Mapping[str, Facts],
    plan: BestPlan | None,
) -> None:
    """Draw the table.

    The address contains the key of the column that sorts the table. A `-` before the key means
    highest first.
    """
    drains = _drains(view)
    columns = assignor_columns(drains is not None)
    group_type, tp_count = view.observed.group_type, view.comparison.group.tp_count
    rows = assignor_rows(
        view.comparison.rows,
        tp_count,
        facts,
        group_type,
        in_use(view.observed),
        drains,
        view.name_of,
    )
    if plan:
        pair = [view.comparison.rows[0], _best_row(view, plan)]
        made = assignor_rows(pair, tp_count, {}, group_type, None, drains and {})[1]
        rows.append(made | {"note": plan.quality, "isBest": True})
    order = _order()
    sort = order.follow() or None
    order.write()
    data = {
        "columns": columns,
        "rows": in_order(rows, columns, sort),
        "candidate": candidate,
        "picks": True,
        "sort": sort,
    }
    table.show("Assignors", "assignors", data, key="assignors", picked=_pick, sorted=order.choose)
    if st.session_state.pop(_TO_BEST, False):
        address.lead_to(aim="lag")
        st.switch_page(BEST.script)
    if plan:
        plan.wait()


def _pick(name: str) -> None:
    if name == BEST_ROW:
        st.session_state[_TO_BEST] = True
    else:
        scope.choose(name)


def _best_row(view: View, plan: BestPlan) -> Row:
    comparison = view.comparison
    if plan.best is None:
        return Row(BEST_ROW)
    return row_of(
        comparison.group, comparison.lag, view.observed.current, BEST_ROW, plan.best.assignment
    )


def _drains(view: View) -> dict[str, GroupDrain] | None:
    """Return the drain time of each answer; None if the lake cannot be read."""
    try:
        return drain_times(view)
    except SnapshotError as error:
        problem.show(str(error))
        return None


def _order() -> Options:
    """Return the keys by which the address can sort the table. A `-` before a key means highest
    first.
    """
    columns = [column["key"] for column in assignor_columns(is_timed=True) if "key" in column]
    return Options("sort", [*columns, *(f"-{column}" for column in columns)], "", "order")


# Line below the table: what prevents the group from draining, now or under an assignor, and the
# assumed rates.


def show_drain(view: View) -> None:
    """Draw the line on what prevents the group from draining. Draw nothing if the group drains at
    observed rates, or has no history.
    """
    try:
        drains = drain_times(view) or {}
        words = never_line(drains, stuck_partitions(view), view.name_of)
    except SnapshotError:
        # The table has drawn the error already.
        return
    notes = " ".join(
        filter(
            None,
            [words, *(f"{rate}." for rate in assumed_rates(drains.values(), view.name_of))],
        )
    )
    if notes:
        st.html(f'<span class="note">{escape(notes)}</span>')
