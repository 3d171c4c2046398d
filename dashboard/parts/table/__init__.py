"""A table in the browser. All tables use this component; columns, rows and the requests of clicks
are data.

    data = {"columns": columns, "rows": rows, "candidate": "lag"}
    table.show("Assignors", "assignors", data, key="assignors", picked=choose)

A line below the table names the columns that a narrow window hides.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from evenkeel.dashboard.shell.component import component

FILE = Path(__file__).with_name("table.html")
"""Draws a table. With a script `insideOf(data, ask)` before it, it also draws the content of an
open row.
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
        A CSS class: `assignors`, `steps`, `groups home` or another class.
    data : dict
        `columns`: each has `label`, `help`, `over` (heading above neighbouring columns), `key`,
        `kind` (CSS classes of its cells) and `wide` (hidden in a narrow window). A column with
        `first` can be sorted (`-`: highest first). A column with `heads` is the head of each row.

        `rows`: each has `cells`. Rows of assignors also have `name`, `note`, `mark`, `warning`,
        `inUse` and `error`. Rows that open have `isOpen` and `inside`. A row with only a `fold`
        opens the rows below it.

        `candidate`, `picks`, `sort`, `isTree`, `none`, `foot`: options of the table.
    acts : callables
        Called with a click's request: `picked` (a row, empty when it closes), `sorted`, `paged`,
        `folded`.
    """
    # An id may contain two underscores, but Streamlit uses them as a delimiter.
    key = key.replace("__", "_.")
    reactions = {f"on_{name}_change": _reaction(key, name, act) for name, act in acts.items()}
    component(key=key, data={"label": label, "look": look, **data}, **reactions)


def _reaction(key: str, name: str, act: Callable[[Any], object]) -> Callable[[], object]:
    return lambda: act(getattr(st.session_state[key], name))
