"""A step's table, one row for each assignor; a click, Enter or Space on a row makes it the candidate."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from evenkeel.dashboard.tables.steps import step_columns, step_rows
from evenkeel.dashboard.widgets.parts import hidden_columns
from evenkeel.data.scenarios.run.step_figures import Figures

_table = st.components.v2.component("evenkeel.step_table", **hidden_columns.files(Path(__file__).parent))


def show(
    figures: Figures,
    step: int,
    candidate: str | None,
    in_use: str | None,
    pick: Callable[[str], None] | None = None,
    *,
    was: Figures | None = None,
    group_type: str | None = None,
    gain: float,
    key: str = "step-table",
) -> None:
    """Draw the table.

    Parameters
    ----------
    pick : callable, optional
        Gets the name of the row that is chosen; without it no row can be.
    was : Figures, optional
        Those of another time; a cell that differs shows both.
    gain : float
        The least part of 1 by which lag falls where that is green.
    """
    _table(
        key=key,
        data={
            "label": f"Assignors in step {step}",
            "columns": step_columns(figures, was),
            "rows": step_rows(figures, step, in_use, was, group_type, gain),
            "candidate": candidate,
            "picks": pick is not None,
        },
        on_picked_change=lambda: pick and pick(st.session_state[key].picked),
    )
