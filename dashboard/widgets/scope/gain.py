"""From which gain on a switch is worth it: the administrator's, or what a reader chooses for one group. It stands in the address."""

import streamlit as st

from dashboard.widgets.opening import opened
from dashboard.widgets.parts import address
from data.configuration import configuration
from data.words.formats import NARROW

_KEY, _GROUP = "gain", "gain-group"
_CHOICES = (1, 5, 10, 15, 20, 30, 50)
"""Percent."""


def choose_first() -> None:
    """Take the gain of the address before anything is drawn; one that was chosen for another group is forgotten."""
    group = opened.current()
    if group is None:
        return
    if st.session_state.get(_GROUP) != group.lasting:
        st.session_state.pop(_KEY, None)
        st.session_state[_GROUP] = group.lasting
    address.follow(_KEY, [str(percent) for percent in range(1, 101)], str(_default()), "gain in percent that is worth a switch")


def asked() -> float:
    """Return the gain, a part of 1."""
    return int(st.session_state.get(_KEY) or _default()) / 100


def show() -> None:
    """Draw the choice behind one short text."""
    chosen = int(st.session_state[_KEY])
    with st.popover(f"Worth it from {chosen}{NARROW}%", type="tertiary", key="gain-box", on_change="rerun") as box:
        if box.open:
            choices = sorted({*_CHOICES, _default(), chosen})
            st.selectbox(
                "A switch is worth it from this gain on, percent",
                [str(percent) for percent in choices],
                index=choices.index(chosen),
                key=_KEY,
                on_change=address.chosen,
                args=(_KEY,),
                persist_state="session",
                help="How much less lag the worst member has, or how much earlier the group drains. For this group; the address holds it.",
            )
    address.show(gain=None if chosen == _default() else str(chosen))
    address.show_refused(_KEY)


def _default() -> int:
    return max(round(100 * configuration().gain), 1)
