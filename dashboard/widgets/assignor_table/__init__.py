"""One row for each assignor; a click, Enter or Space on a row makes it the candidate, headers sort."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from assignors.comparison import Row
from dashboard.assignor_rows import COLUMNS, assignor_rows
from dashboard.widgets import scope

_HERE = Path(__file__).parent
_table = st.components.v2.component("evenkeel.assignor_table", **{kind: (_HERE / f"table.{kind}").read_text() for kind in ("html", "css", "js")})


def show(rows: Sequence[Row], tp_count: int, candidate: str, key: str = "assignors") -> None:
    """Draw the table; `rows` begins with the current assignment."""
    _table(
        key=key,
        data={"columns": COLUMNS, "rows": assignor_rows(rows, tp_count), "candidate": candidate},
        on_picked_change=lambda: scope.choose(st.session_state[key].picked),
    )
