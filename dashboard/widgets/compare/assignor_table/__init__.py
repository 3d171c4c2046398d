"""One row for each assignor; a click, Enter or Space on a row makes it the candidate, headers sort; below, who is never drained."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import streamlit as st

from evenkeel.assignors.explain.facts import Facts
from evenkeel.assignors.figures.comparison import CURRENT
from evenkeel.dashboard.loading.answer_facts import drain_times, stuck_partitions
from evenkeel.dashboard.tables.assignors import assignor_columns, assignor_rows
from evenkeel.dashboard.view import View
from evenkeel.dashboard.widgets.parts import address, hidden_columns, problem
from evenkeel.dashboard.widgets.scope import scope
from evenkeel.dashboard.words.drains import assumed_rates, never_line
from evenkeel.dashboard.words.remarks import outcome_line
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.scenarios.leaders import in_use

_SORT = "sort"
_table = st.components.v2.component("evenkeel.assignor_table", **hidden_columns.files(Path(__file__).parent))


def show(view: View, candidate: str, facts: Mapping[str, Facts], why: Mapping[str, Sequence[str]], key: str = "assignors") -> None:
    """Draw which answers are one valid outcome of several, once, and the table; `why`: of `reasons`.

    The address has the column that sorts it, with `-` in front for the highest first.
    """
    outcome = outcome_line(why)
    if outcome:
        st.html(f'<span class="note">{escape(outcome)}</span>')
    drains = _drains(view)
    columns = assignor_columns(drains is not None)
    group_type, tp_count = view.observed.group_type, view.comparison.group.tp_count
    rows = assignor_rows(view.comparison.rows, tp_count, facts, group_type, in_use(view.observed), drains, view.name_of)
    _table(
        key=key,
        data={"columns": columns, "rows": rows, "candidate": candidate, "sort": _sort()},
        on_picked_change=lambda: scope.choose(st.session_state[key].picked),
        on_sorted_change=lambda: _sorted_by(st.session_state[key].sorted),
    )


def _drains(view: View) -> dict[str, GroupDrain] | None:
    """Return when each answer drains; the table stands without it where the lake cannot be read."""
    try:
        return drain_times(view)
    except SnapshotError as error:
        problem.show(str(error))
        return None


def _sort() -> str | None:
    columns = [column["key"] for column in assignor_columns(is_timed=True) if "key" in column]
    address.follow(_SORT, [*columns, *(f"-{column}" for column in columns)], None, "order")
    address.show(sort=st.session_state.get(_SORT))
    address.show_refused(_SORT)
    return st.session_state.get(_SORT)


def _sorted_by(column: str) -> None:
    st.session_state[_SORT] = column
    address.chosen(_SORT)


# The line below the table: who keeps the group from being drained, now or under an assignor, and which rates are assumed.


def show_drain(view: View) -> None:
    """Draw it; nothing for a group that drains by what was seen, or without a history."""
    try:
        drains = drain_times(view) or {}
        words = never_line(drains, stuck_partitions(view), view.name_of)
    except SnapshotError:
        # The table has said it.
        return
    since = "Timeline shows since when." if CURRENT in drains and drains[CURRENT].is_never else ""
    said = " ".join(filter(None, [words, since, *(f"{one}." for one in assumed_rates(drains.values(), view.name_of))]))
    if said:
        st.html(f'<span class="note">{escape(said)}</span>')
