"""What a person chose on a table of groups: search, filters, sort, page, groups without lag; it
stands in the address.
"""

from typing import get_args

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from evenkeel.assignors.timeline.verdicts import trouble
from evenkeel.dashboard.groups.columns import COLUMNS
from evenkeel.dashboard.groups.listing import IN_TROUBLE, Choice, verdict_choices
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.shell import address
from evenkeel.data.group.document import STATES, GroupType
from evenkeel.data.text.formats import exact

_NAMES = {
    "search": "search",
    "group_type": "type",
    "state": "state",
    "verdict": "verdict",
    "sort": "sort",
    "page": "page",
    "shows_quiet": "quiet",
}
"""What each choice is called in the address."""

_SHOWN = "shown"
_MOST_PAGES = 10**9
_SORTS = [f"{sign}{column.key}" for column in COLUMNS if column.order for sign in ("", "-")]
_WORDS = {
    "group_type": get_args(GroupType),
    "state": STATES,
    "sort": _SORTS,
    "shows_quiet": [_SHOWN],
}
"""What the address can say of a choice; a search is any text."""


def chosen(table: str) -> Choice:
    """Return what is chosen on a table."""
    return st.session_state.get(_key(table), Choice())


def choose(table: str, **changed: str | int | bool | None) -> None:
    """Change what is chosen; for callbacks."""
    st.session_state[_key(table)] = chosen(table)._replace(**changed)
    for name in changed:
        address.chosen(_NAMES[name])


def follow(table: str) -> None:
    """Choose what the address says, and write into it what is chosen; before anything is drawn."""
    if address.is_followed():
        st.session_state[_key(table)] = Choice()
    for name, key in _NAMES.items():
        linked = address.take(key)
        if linked is not None:
            _take(table, name, linked)
    address.show(
        **{_NAMES[name]: _written(value) for name, value in chosen(table)._asdict().items()}
    )


def show_refused() -> None:
    """Say what the address asks for in vain."""
    for key in _NAMES.values():
        address.show_refused(key)


def _take(table: str, name: str, linked: str) -> None:
    if name == "page":
        value, expected = address.whole(linked, _MOST_PAGES), ["a number from 1"]
    else:
        expected = verdict_choices() if name == "verdict" else _WORDS.get(name, [linked])
        value = (True if name == "shows_quiet" else linked) if linked in expected else None
    if value:
        st.session_state[_key(table)] = chosen(table)._replace(**{name: value})
    else:
        address.refuse(
            _NAMES[name],
            f"The address asks for {_NAMES[name]} “{linked[:40]}”, expected {', '.join(expected)}.",
        )


def _written(value: str | int | bool | None) -> str | None:
    """Return what the address says for a value, None for what is chosen when nothing is."""
    if value is True:
        return _SHOWN
    return None if value in (None, "", False, 1) else str(value)


def _key(table: str) -> str:
    return f"chosen-{table}"


# Which groups a table shows: a search in names, verdicts or states, and types, with the number of
# groups of each.


_ALL = ""


def show_filters(groups: pa.Table, table: str) -> None:
    """Draw the filters; what is chosen with them is kept by `choices`."""
    choice, key = chosen(table), f"{table}-search"
    st.session_state[key] = choice.search
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="group-filters"
    ):
        st.text_input(
            "Search",
            key=key,
            placeholder="Group, topic, member, client, host"
            if "names" in groups.column_names
            else "Search group",
            label_visibility="collapsed",
            width=276,
            icon=":material/search:",
            on_change=lambda: choose(table, search=st.session_state[key].strip(), page=1),
        )
        if "verdict" in groups.column_names:
            _verdict(groups, table, choice.verdict)
        if "verdict" not in groups.column_names or choice.state:
            _one(groups, table, "state", "All", choice.state)
        st.space("stretch")
        _one(groups, table, "group_type", "All types", choice.group_type)


def _verdict(groups: pa.Table, table: str, chosen: str | None) -> None:
    counts = {
        one["values"]: one["counts"]
        for one in pc.value_counts(groups["verdict"].drop_null()).to_pylist()
    }
    counts[IN_TROUBLE] = sum(number for name, number in counts.items() if name in trouble())
    _choose(
        groups,
        table,
        "verdict",
        "All",
        {name: counts.get(name, 0) for name in verdict_choices()},
        chosen,
    )


def _one(groups: pa.Table, table: str, column: str, every: str, chosen: str | None) -> None:
    """Draw the values of a column with their numbers; what is chosen stays among them when no group
    has it any more.
    """
    if column not in groups.column_names:
        return
    counts = {
        one["values"]: one["counts"]
        for one in pc.value_counts(groups[column].drop_null()).to_pylist()
    }
    values = sorted({*counts, *([chosen] if chosen else [])})
    if len(values) < 2 and not chosen:
        return
    _choose(groups, table, column, every, {value: counts.get(value, 0) for value in values}, chosen)


def _choose(
    groups: pa.Table,
    table: str,
    column: str,
    every: str,
    counts: dict[str, int],
    chosen: str | None,
) -> None:
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
        on_change=lambda: choose(table, **{column: st.session_state[key] or None, "page": 1}),
    )
