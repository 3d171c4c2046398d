"""One row for each assignor; a click, Enter or Space on a row makes it the candidate, headers sort."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from assignors.explain.facts import Facts
from dashboard.tables.assignors import COLUMNS, assignor_rows
from dashboard.view import View
from dashboard.widgets.parts import address
from dashboard.widgets.scope import scope
from data.scenarios.assignor_in_use import in_use

_SORT = "sort"
_HERE = Path(__file__).parent
_FILES = {kind: (_HERE / f"table.{kind}").read_text() for kind in ("html", "css", "js")}
_table = st.components.v2.component("evenkeel.assignor_table", **_FILES)


def show(view: View, candidate: str, facts: Mapping[str, Facts], why: Mapping[str, Sequence[str]], key: str = "assignors") -> None:
    """Draw the table; the address has the column that sorts it, with `-` in front for the highest first."""
    rows = assignor_rows(view.comparison.rows, view.comparison.group.tp_count, facts, why, view.observed.group_type, in_use(view.observed))
    _table(
        key=key,
        data={"columns": COLUMNS, "rows": rows, "candidate": candidate, "sort": _sort()},
        on_picked_change=lambda: scope.choose(st.session_state[key].picked),
        on_sorted_change=lambda: _sorted_by(st.session_state[key].sorted),
    )


def _sort() -> str | None:
    columns = [column["key"] for column in COLUMNS if "key" in column]
    address.follow(_SORT, [*columns, *(f"-{column}" for column in columns)], None, "order")
    address.show(sort=st.session_state.get(_SORT))
    address.show_refused(_SORT)
    return st.session_state.get(_SORT)


def _sorted_by(column: str) -> None:
    st.session_state[_SORT] = column
    address.chosen(_SORT)
