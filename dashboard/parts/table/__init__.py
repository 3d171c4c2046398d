"""A table in the browser, one component for all tables: columns, rows and clicks' requests are
data.

    data = {"columns": columns, "rows": rows, "candidate": "lag"}
    table.show("Assignors", "assignors", data, key="assignors", picked=choose)

A line below names the columns hidden in a narrow window.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from evenkeel.dashboard.shell.component import component

FILE = Path(__file__).with_name("table.html")
"""Draws a table; with a script `insideOf(data, ask)` before it also the content of an open row."""

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
        The table's name for screen readers.
    look : str
        A class of the style: `assignors`, `steps`, `groups home` or another class.
    data : dict
        `columns`: each with `label`, `help`, `over` (the heading above it and its neighbours),
        `key`, `kind` (classes of its cells) and `wide` (a narrow table leaves it out); a column
        with `first` sorts (`-` first: highest first); a column with `heads` heads the row. `rows`:
        each with `cells`, and with `name`, `note`, `mark`, `warning`, `inUse`, `error` if headed by
        an assignor; with `isOpen` and `inside` if it opens; or only a `fold`, which opens the rows
        below. `candidate`, `picks`, `sort`, `isTree`, `none`, `foot`: options of the table.
    acts : callables
        Called with a click's request: `picked` (a row, empty when it closes), `sorted`, `paged`,
        `folded`.
    """
    # An id may have two underscores; Streamlit takes them for a delimiter of its own.
    key = key.replace("__", "_.")
    reactions = {f"on_{name}_change": _reaction(key, name, act) for name, act in acts.items()}
    component(key=key, data={"label": label, "look": look, **data}, **reactions)


def _reaction(key: str, name: str, act: Callable[[Any], object]) -> Callable[[], object]:
    return lambda: act(getattr(st.session_state[key], name))
