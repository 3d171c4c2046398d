"""Which groups a table shows: a search in names, verdicts or states, and types, with the number of groups of each."""

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from evenkeel.assignors.history.verdicts import trouble
from evenkeel.dashboard.tables.group_listing import IN_TROUBLE, verdict_choices
from evenkeel.dashboard.widgets.parts.group_table import choices
from evenkeel.dashboard.words.names import literal
from evenkeel.data.words.formats import exact

_ALL = ""


def show(groups: pa.Table, table: str) -> None:
    """Draw the filters; what is chosen with them is kept by `choices`."""
    choice, key = choices.chosen(table), f"{table}-search"
    st.session_state[key] = choice.search
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="group-filters"):
        st.text_input(
            "Search",
            key=key,
            placeholder="Group, topic, member, client, host" if "names" in groups.column_names else "Search group",
            label_visibility="collapsed",
            width=276,
            icon=":material/search:",
            on_change=lambda: choices.choose(table, search=st.session_state[key].strip(), page=1),
        )
        if "verdict" in groups.column_names:
            _verdict(groups, table, choice.verdict)
        if "verdict" not in groups.column_names or choice.state:
            _one(groups, table, "state", "All", choice.state)
        st.space("stretch")
        _one(groups, table, "group_type", "All types", choice.group_type)


def _verdict(groups: pa.Table, table: str, chosen: str | None) -> None:
    counts = {one["values"]: one["counts"] for one in pc.value_counts(groups["verdict"].drop_null()).to_pylist()}
    counts[IN_TROUBLE] = sum(number for name, number in counts.items() if name in trouble())
    _choose(groups, table, "verdict", "All", {name: counts.get(name, 0) for name in verdict_choices()}, chosen)


def _one(groups: pa.Table, table: str, column: str, every: str, chosen: str | None) -> None:
    """Draw the values of a column with their numbers; what is chosen stays among them when no group has it any more."""
    if column not in groups.column_names:
        return
    counts = {one["values"]: one["counts"] for one in pc.value_counts(groups[column].drop_null()).to_pylist()}
    values = sorted({*counts, *([chosen] if chosen else [])})
    if len(values) < 2 and not chosen:
        return
    _choose(groups, table, column, every, {value: counts.get(value, 0) for value in values}, chosen)


def _choose(groups: pa.Table, table: str, column: str, every: str, counts: dict[str, int], chosen: str | None) -> None:
    texts = {_ALL: f"{every} :gray[{exact(groups.num_rows)}]"} | {
        value: f"{literal(value)} :gray[{exact(number)}]" for value, number in counts.items()
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
