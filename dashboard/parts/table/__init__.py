"""A table in the browser, one component for all: columns and rows are data, and so is a click's
request.

    data = {"columns": columns, "rows": rows, "candidate": "lag"}
    table.show("Assignors", "assignors", data, key="assignors", picked=choose)

A line below it names the columns that a narrow window hides.
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
        Its name for screen readers.
    look : str
        A class of the style: `assignors`, `steps`, `groups home` or another one's own.
    data : dict
        `columns`: each with `label`, `help`, `over` (the heading above it and its neighbours),
        `key`, `kind` (classes of its cells) and `wide` (a narrow table leaves it out); one with
        `first` sorts, and begins with `-` for the highest first; one with `heads` heads the row.
        `rows`: each with `cells`, and with `name`, `note`, `mark`, `warning`, `inUse`, `error` if
        an assignor heads it; with `isOpen` and `inside` if it can be opened; or a `fold` alone,
        which opens the rows below it. `candidate`, `picks`, `sort`, `isTree`, `none`, `foot`: as
        the table has them.
    acts : callables
        Called with the request of a click: `picked` (a row, empty when it closes), `sorted`,
        `paged`, `folded`.
    """
    # An id may have two underscores; Streamlit takes them for a delimiter of its own.
    key = key.replace("__", "_.")
    reactions = {f"on_{name}_change": _reaction(key, name, act) for name, act in acts.items()}
    component(key=key, data={"label": label, "look": look, **data}, **reactions)


def _reaction(key: str, name: str, act: Callable[[Any], object]) -> Callable[[], object]:
    return lambda: act(getattr(st.session_state[key], name))
