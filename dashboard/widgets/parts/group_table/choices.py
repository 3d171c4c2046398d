"""What a person chose on a table of groups: search, filters, sort, page, groups without lag; it stands in the address."""

from typing import get_args

import streamlit as st

from evenkeel.dashboard.tables.group_columns import COLUMNS
from evenkeel.dashboard.tables.group_listing import Choice, verdict_choices
from evenkeel.dashboard.widgets.parts import address
from evenkeel.data.document import STATES, GroupType

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
_WORDS = {"group_type": get_args(GroupType), "state": STATES, "sort": _SORTS, "shows_quiet": [_SHOWN]}
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
    address.show(**{_NAMES[name]: _written(value) for name, value in chosen(table)._asdict().items()})


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
        address.refuse(_NAMES[name], f"The address asks for {_NAMES[name]} “{linked[:40]}”, expected {', '.join(expected)}.")


def _written(value: str | int | bool | None) -> str | None:
    """Return what the address says for a value, None for what is chosen when nothing is."""
    if value is True:
        return _SHOWN
    return None if value in (None, "", False, 1) else str(value)


def _key(table: str) -> str:
    return f"chosen-{table}"
