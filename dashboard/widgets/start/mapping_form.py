"""The form that asks for the meaning of columns, for tables with unknown names in their header."""

from collections import Counter
from collections.abc import Mapping
from operator import itemgetter

import pandas as pd
import streamlit as st

from evenkeel.dashboard.widgets.parts import long_table, problem
from evenkeel.dashboard.widgets.start import waiting_files
from evenkeel.dashboard.words.names import literal
from evenkeel.data.sources import unknown_header
from evenkeel.data.sources.separated.header import NEEDED, TableHeader
from evenkeel.data.sources.source import labels
from evenkeel.data.words.formats import UNKNOWN, listed

_MEANINGS = {
    "taken_at": "time",
    "group_id": "group",
    "begin_offset": "first offset",
    "committed_offset": "committed offset",
    "end_offset": "end offset",
    "listed_lag": "lag",
    "member_id": "member id",
    "instance_id": "group instance id",
    "client_id": "client id",
}


def show() -> list[tuple[str, bytes]]:
    """Draw the form for the first table that needs it; return all files in the run with the last answer, else none."""
    name, data, layout = waiting_files.first_unknown()
    with st.form("mapping-form", border=True):
        st.html('<h2 class="section">Which column is what?</h2>')
        required = "Topic and partition are required; a column without a meaning is not used."
        st.caption(f"Some columns of this header are unknown. {_guesses(layout)}{required}")
        long_table.show(pd.DataFrame(unknown_header.first_rows(data, layout), columns=labels(layout.cells)), f"First rows of {name}")
        mapping = _choices(layout)
        with st.container(horizontal=True):
            pressed = st.form_submit_button("Read with these columns", type="primary")
            st.form_submit_button("Read something else", on_click=waiting_files.drop)
    missing = [column for column in NEEDED if column not in mapping]
    shared = _shared(mapping)
    if pressed and shared:
        column = labels(layout.cells)[mapping[shared[0]]]
        problem.show(f"{name}: {column!r} is chosen for {' and '.join(map(_meaning, shared))}, expected one of them")
    elif pressed and missing:
        problem.show(f"{name}: no column is {' and '.join(missing)}, expected one for each")
    elif pressed:
        found = waiting_files.answered(layout, mapping)
        if found is None:
            st.rerun()
        return found
    return []


def _guesses(layout: TableHeader) -> str:
    """Return which meanings are guessed by parts of names and the order of columns, for a person to confirm; empty without one."""
    names = labels(layout.cells)
    guessed = [f"{names[place]} is {_meaning(column)}" for column, place in sorted(layout.likely.items(), key=itemgetter(1))]
    return f"Guessed, please check: {literal(listed(guessed, len(guessed)))}. " if guessed else ""


def _choices(layout: TableHeader) -> dict[str, int]:
    options, guesses = [UNKNOWN, *labels(layout.cells)], {**layout.mapping, **layout.likely}
    chosen = {}
    grid = st.grid(4, min_column_width=150, gap="xsmall")
    for column in unknown_header.COLUMNS:
        guess = guesses.get(column)
        with grid.cell():
            place = options.index(
                st.selectbox(_meaning(column).capitalize(), options, index=0 if guess is None else guess + 1, key=f"map-{column}")
            )
        if place:
            chosen[column] = place - 1
    return chosen


def _shared(mapping: Mapping[str, int]) -> list[str]:
    """Return the meanings of the first column that is chosen for several."""
    times = Counter(mapping.values())
    return next(([column for column in mapping if mapping[column] == place] for place in times if times[place] > 1), [])


def _meaning(column: str) -> str:
    return _MEANINGS.get(column, column)
