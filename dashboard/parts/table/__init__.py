"""The table component of all pages, written in JavaScript.

    data = {"columns": columns, "rows": rows, "candidate": "lag"}
    table.show("Assignors", "assignors", data, key="assignors", picked=choose)

If a narrow window hides columns, a line below the table names them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from evenkeel.dashboard.shell.component import component

FILE = Path(__file__).with_name("table.html")
"""Script that draws a table. If a script with the function `insideOf(data, ask)` is before this
script, the table also draws the content of open rows.
"""

_TABLE = component("table", FILE)


def show(
    label: str,
    look: str,
    data: dict[str, Any],
    *,
    key: str,
    component: Callable[..., Any] = _TABLE,
    **acts: Callable[[Any], object],
) -> None:
    """Draw a table.

    Parameters
    ----------
    label : str
        Name of the table for screen readers.
    look : str
        CSS classes of the table: `assignors`, `steps`, `groups home` and so on.
    data : dict
        `columns`: each has `label`, `help`, `over` (heading above neighbouring columns), `key`,
        `kind` (CSS classes of its cells) and `wide` (hidden in a narrow window). `first`: the
        column can be sorted (`-`: highest first). `heads`: the column's cells name their rows.

        `rows`: each has `cells`. Rows of assignors also have `name`, `note`, `mark`, `warning`,
        `inUse` and `error`. Rows that can be opened have `isOpen` and `inside`. A row that has only
        `fold` shows or hides the rows below it.

        `candidate`: id of the selected row. `picks`: a click selects a row. `sort`: key of the
        sorted column (`-`: descending). `isTree`: rows contain rows. `none`: text if there are no
        rows. `foot`: text, page number and number of pages below the table.
    acts : callables
        Called after a click. `picked`: with the row, or nothing if the row was closed. Others:
        `sorted`, `paged`, `folded`.
    """
    # An id may contain two underscores, but Streamlit uses them as a delimiter.
    key = key.replace("__", "_.")
    reactions = {f"on_{name}_change": _reaction(key, name, act) for name, act in acts.items()}
    component(key=key, data={"label": label, "look": look, **data}, **reactions)


def _reaction(key: str, name: str, act: Callable[[Any], object]) -> Callable[[], object]:
    return lambda: act(getattr(st.session_state[key], name))
