"""The least gain for which a switch is recommended.

The administrator sets it for all groups; a reader can change it for one group, in the address.
"""

from dataclasses import dataclass

import streamlit as st

from evenkeel.dashboard.shell import opened
from evenkeel.dashboard.shell.choice import Choice
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.conversion import Percentage
from evenkeel.data.text.formats import NARROW, percent_number

_GROUP = "gain-group"
_CHOICES = (1, 5, 10, 15, 20, 30, 50)
"""Percent."""


@dataclass(frozen=True)
class _Gain(Choice[str]):
    default: str
    key: str = "gain"

    def read(self, linked: str) -> tuple[str, str]:
        try:
            return percent_number(Percentage.parse(f"{linked} %")), ""
        except ValueError:
            return (
                self.default,
                f"The URL asks for the gain “{linked[:80]}” in percent, expected a number from"
                " 1 to 100.",
            )


def _gain() -> _Gain:
    return _Gain(percent_number(configuration().gain))


def choose_first() -> None:
    """Read the gain from the address, before the page draws anything.

    A gain chosen for another group is removed.
    """
    group = opened.current()
    if group is None:
        return
    gain = _gain()
    if st.session_state.get(_GROUP) != group.lasting:
        st.session_state.pop(gain.key, None)
        st.session_state[_GROUP] = group.lasting
    gain.follow()
    gain.write()


def asked() -> float:
    """Return the least gain as a fraction: 0.1 for 10 %."""
    gain = _gain()
    return float(st.session_state.get(gain.key) or gain.default) / 100


def show() -> None:
    """Draw a button that opens the select box of the gain."""
    gain = _gain()
    with st.popover(
        f"Worth it from {gain.value}{NARROW}%", type="tertiary", key="gain-box", on_change="rerun"
    ) as box:
        if box.open:
            choices = sorted({*map(str, _CHOICES), gain.default, gain.value}, key=float)
            st.selectbox(
                "Least gain that makes a switch worthwhile, percent",
                choices,
                index=choices.index(gain.value),
                help=(
                    "A switch is worthwhile if it reduces the worst member's lag or the group's"
                    " drain time by at least this much. The value is for this group, and part"
                    " of the address."
                ),
                **gain.widget | {"label_visibility": "visible"},
            )
