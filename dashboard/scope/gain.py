"""From which gain on a switch is worth it: the administrator's, or a reader's for one group. It is
part of the address.
"""

import streamlit as st

from evenkeel.dashboard.shell import address, opened
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.conversion import Percentage
from evenkeel.data.text.formats import NARROW, percent_number

_KEY, _GROUP = "gain", "gain-group"
_CHOICES = (1, 5, 10, 15, 20, 30, 50)
"""Percent."""


def choose_first() -> None:
    """Take the gain of the address before anything is drawn; a gain for another group is
    forgotten.
    """
    group = opened.current()
    if group is None:
        return
    if st.session_state.get(_GROUP) != group.lasting:
        st.session_state.pop(_KEY, None)
        st.session_state[_GROUP] = group.lasting
    linked = address.take(_KEY)
    gain = linked and _read(linked)
    if gain or address.is_followed() or _KEY not in st.session_state:
        st.session_state[_KEY] = gain or _default()
    if linked and not gain:
        sentence = (
            f"The address asks for the gain “{linked[:80]}” in percent, expected a number from 1 to"
            " 100."
        )
        address.refuse(_KEY, sentence)
    chosen = st.session_state[_KEY]
    address.show(gain=None if chosen == _default() else chosen)


def asked() -> float:
    """Return the gain, a part of 1."""
    return float(st.session_state.get(_KEY) or _default()) / 100


def show() -> None:
    """Draw the choice behind one short text."""
    chosen = st.session_state[_KEY]
    with st.popover(
        f"Worth it from {chosen}{NARROW}%", type="tertiary", key="gain-box", on_change="rerun"
    ) as box:
        if box.open:
            choices = sorted({*map(str, _CHOICES), _default(), chosen}, key=float)
            st.selectbox(
                "A switch is worth it from this gain on, percent",
                choices,
                index=choices.index(chosen),
                key=_KEY,
                on_change=address.chosen,
                args=(_KEY,),
                persist_state="session",
                help=(
                    "How much less lag the worst member has, or how much earlier the group drains."
                    " For this group; the address holds it."
                ),
            )


def show_refused() -> None:
    """Say that the address asks for no gain."""
    address.show_refused(_KEY)


def _default() -> str:
    return percent_number(configuration().gain)


def _read(text: str) -> str | None:
    try:
        return percent_number(Percentage.parse(f"{text} %"))
    except ValueError:
        return None
