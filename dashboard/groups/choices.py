"""Filters for the list of groups: search, topic, class, order and page. The page's address contains
the filters.
"""

from typing import NamedTuple

import streamlit as st

from evenkeel.dashboard.groups.columns import SORTS
from evenkeel.dashboard.groups.words import CLASSES, MORE
from evenkeel.dashboard.shell import address

ALL = "all"
_KEY = "groups-choice"
_MOST_PAGES = 10**9
_WORDS = {"show": (ALL, *CLASSES), "sort": SORTS}


class ListFilter(NamedTuple):
    """Filters of the list. Each filter is a parameter of the address.

    `topic`: only groups that read this topic. `show`: a class, `all`, or None for the default: fine
    groups in the table, other groups above the table. `more`: classes with an open fold, joined by
    commas. `sort`: key of the column that sorts the table; a `-` before the key means highest
    first.
    """

    search: str = ""
    topic: str = ""
    show: str | None = None
    more: str = ""
    sort: str | None = None
    page: int = 1

    def unfolds(self, group_class: str) -> bool:
        """Return whether the fold of a class is open."""
        return group_class in self.more.split(",")


def chosen() -> ListFilter:
    """Return the filters of this session."""
    return st.session_state.get(_KEY, ListFilter())


def choose(**changed: str | int | None) -> None:
    """Change some filters and return to page 1; for callbacks."""
    st.session_state[_KEY] = ListFilter(**chosen()._asdict() | {"page": 1} | changed)
    for name in changed:
        address.chosen(name)


def turn_fold(group_class: str) -> None:
    """Open the fold of a class, or close the open fold; for callbacks."""
    opened = {*chosen().more.split(",")} ^ {group_class}
    choose(more=",".join(name for name in MORE if name in opened), page=chosen().page)


def fold() -> None:
    """Close all folds; for callbacks."""
    choose(more="", page=chosen().page)


def follow() -> None:
    """Set the filters from the address, before anything is drawn."""
    if address.is_followed():
        st.session_state[_KEY] = ListFilter()
    for name in ListFilter._fields:
        linked = address.take(name)
        if linked is not None:
            _take(name, linked)
    write()


def write() -> None:
    """Write the filters into the address. `follow` also writes them, but is not called if a click
    draws only the list.
    """
    written = {name: _written(value) for name, value in chosen()._asdict().items()}
    address.show(**written)


def show_refused() -> None:
    """Draw an error for each filter whose value in the address does not exist."""
    for name in ListFilter._fields:
        address.show_refused(name)


def _take(name: str, linked: str) -> None:
    value: str | int | None
    expected: tuple[str, ...]
    if name == "page":
        value, expected = address.whole(linked, _MOST_PAGES), ("a number from 1",)
    elif name == "more":
        value, expected = linked if {*linked.split(",")} <= MORE.keys() else None, tuple(MORE)
    else:
        expected = _WORDS.get(name, (linked,))
        value = linked if linked in expected else None
    if value:
        st.session_state[_KEY] = ListFilter(**chosen()._asdict() | {name: value})
    else:
        address.refuse(
            name,
            f"The URL asks for {name} “{linked[:40]}”, expected {', '.join(expected)}.",
        )


def _written(value: str | int | None) -> str | None:
    """Return the text of a filter in the address. None for the filter's default."""
    return None if value in (None, "", 1) else str(value)
