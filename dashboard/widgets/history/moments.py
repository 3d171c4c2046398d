"""Moments A and B of the Timeline: what a person chose, else the first reading that lists the group and the last of the range.

The choice stands in the address.
"""

from datetime import UTC, datetime
from typing import NamedTuple

import streamlit as st

from evenkeel.dashboard.loading.history.timelines import Timeline
from evenkeel.dashboard.widgets.parts import address

_KEYS = {"a": "moment-a", "b": "moment-b"}
"""Names in the address, and where the choice is kept: seconds since 1970."""


_MOST_SECONDS = 10**12


class Moments(NamedTuple):
    """Seconds since 1970; a reading counts that began before them."""

    a: float
    b: float


def choose(shown: Timeline) -> Moments:
    """Return both, A before B."""
    for name in _KEYS:
        _follow(name)
    chosen = {name: st.session_state.get(key) for name, key in _KEYS.items()}
    a = chosen["a"] if _is_within(chosen["a"], shown.since, shown.until) else shown.listed_since
    b = chosen["b"] if _is_within(chosen["b"], a + 1, shown.until) else shown.until
    shown_in_address = {"a": a if a != shown.listed_since else None, "b": b if b != shown.until else None}
    address.show(**{name: None if time is None else str(int(time)) for name, time in shown_in_address.items()})
    for name in _KEYS:
        address.show_refused(name)
    return Moments(a, b)


def pick(name: str, time: float) -> None:
    """Make a reading `a` or `b`, or no longer where it is; for callbacks."""
    # The address has whole seconds: the reading that began within this one counts.
    chosen = float(int(time) + 1)
    if st.session_state.get(_KEYS[name]) == chosen:
        st.session_state.pop(_KEYS[name])
    else:
        st.session_state[_KEYS[name]] = chosen
        _drop_other(name, chosen)
    address.chosen(name)


def end_at(moment: datetime) -> None:
    """Make the reading of a moment, in UTC and without its zone, B, unless the address asks for a B."""
    if not address.says("b"):
        st.session_state[_KEYS["b"]] = moment.replace(tzinfo=UTC).timestamp()


def _drop_other(name: str, time: float) -> None:
    """Forget the other moment where it no longer comes after A, or before B."""
    other = _KEYS["b" if name == "a" else "a"]
    before = st.session_state.get(other)
    if before is not None and (before <= time if name == "a" else before >= time):
        st.session_state.pop(other)


def _follow(name: str) -> None:
    linked = address.take(name)
    seconds = address.whole(linked, _MOST_SECONDS)
    if seconds is not None:
        st.session_state[_KEYS[name]] = float(seconds)
    elif linked is not None:
        address.refuse(name, f"The address asks for the moment “{linked[:40]}”, expected seconds since 1970.")
    elif address.is_followed():
        st.session_state.pop(_KEYS[name], None)


def _is_within(time: float | None, first: float, last: float) -> bool:
    return time is not None and first <= time < last
