"""A step's table, one row for each assignor; a click, Enter or Space on a row makes it the candidate."""

from collections.abc import Callable

from evenkeel.dashboard.tables.steps import step_columns, step_rows
from evenkeel.dashboard.widgets.parts import table
from evenkeel.data.scenarios.run.step_figures import Figures


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
    rows = step_rows(figures, step, in_use, was, group_type, gain)
    data = {
        "columns": [{"over": "", "label": "Assignor"}, *step_columns(figures, was)],
        "rows": [row | {"isCurrent": bool(row["inUse"])} for row in rows],
        "candidate": candidate,
        "picks": pick is not None,
    }
    table.show(f"Assignors in step {step}", "steps", data, key=key, picked=pick or (lambda name: None))
