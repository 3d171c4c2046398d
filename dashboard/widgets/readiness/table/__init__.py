"""The groups of a cluster by verdict, the worst first; a few of each, and one row open with its restarts, settings and order."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from evenkeel.dashboard.widgets.parts import hidden_columns

_component = st.components.v2.component("evenkeel.readiness_table", **hidden_columns.files(Path(__file__).parent))
_KEY = "readiness-table"
_COLUMNS = (
    ("verdict", "Verdict"),
    ("group", "Group"),
    ("members", "Members, clients"),
    ("assignor", "Assignor"),
    ("why", "Why"),
    ("moves", "moves"),
    ("pairs", "pairs lost"),
    ("racks", "racks"),
    ("pause", "pause"),
    ("order", "Order"),
)


def show(
    sections: Sequence[Mapping[str, Any]],
    opened: Mapping[str, Any] | None,
    none: str,
    act: Callable[[str, Any], None],
) -> None:
    """Draw the table.

    Parameters
    ----------
    sections : sequence of mapping
        `verdict`, `rows`, and `more`: what is folded below them, None where nothing is.
    opened : mapping or None
        What the open row shows.
    act : callable
        Gets what was asked for: `open` with a group or None, `fold` with a verdict, `whatif` with a group.
    """
    _component(
        key=_KEY,
        data={"columns": [{"key": key, "label": label} for key, label in _COLUMNS], "sections": sections, "open": opened, "none": none},
        on_opened_change=lambda: act("open", st.session_state[_KEY].opened),
        on_folded_change=lambda: act("fold", st.session_state[_KEY].folded),
        on_walked_change=lambda: act("whatif", st.session_state[_KEY].walked),
    )
