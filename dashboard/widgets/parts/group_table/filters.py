"""Which groups a table shows: a search in their names, their states and types with the number of groups of each."""

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from dashboard.widgets.parts.group_table import choices
from dashboard.words.formats import exact
from dashboard.words.names import literal

_ALL = ""


def show(groups: pa.Table, table: str) -> None:
    """Draw the filters; what is chosen with them is kept by `choices`."""
    choice, key = choices.chosen(table), f"{table}-search"
    st.session_state[key] = choice.search
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="group-filters"):
        st.text_input(
            "Search",
            key=key,
            placeholder="Search group",
            label_visibility="collapsed",
            width=236,
            icon=":material/search:",
            on_change=lambda: choices.choose(table, search=st.session_state[key].strip(), page=1),
        )
        _one(groups, table, "state", "All", choice.state)
        st.space("stretch")
        _one(groups, table, "group_type", "All types", choice.group_type)


def _one(groups: pa.Table, table: str, column: str, every: str, chosen: str | None) -> None:
    """Draw the values of a column with their numbers; what is chosen stays among them when no group has it any more."""
    if column not in groups.column_names:
        return
    counts = {one["values"]: one["counts"] for one in pc.value_counts(groups[column].drop_null()).to_pylist()}
    values = sorted({*counts, *([chosen] if chosen else [])})
    if len(values) < 2 and not chosen:
        return
    texts = {_ALL: f"{every} :gray[{exact(groups.num_rows)}]"} | {
        value: f"{literal(value)} :gray[{exact(counts.get(value, 0))}]" for value in values
    }
    key = f"{table}-{column}"
    st.session_state[key] = chosen or _ALL
    st.segmented_control(
        column.removeprefix("group_").capitalize(),
        list(texts),
        key=key,
        required=True,
        format_func=texts.get,
        label_visibility="collapsed",
        on_change=lambda: choices.choose(table, **{column: st.session_state[key] or None, "page": 1}),
    )
