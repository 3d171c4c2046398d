"""The groups that are not fine, a line each, in the browser: a press opens the group, J and K walk,
C copies the command.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from evenkeel.dashboard.shell.component import component

_LIST = component("finding_list", Path(__file__).with_name("finding_list.html"))
_KEY = "finding-list"


def show(
    lines: Sequence[dict[str, Any]],
    has_history: bool,
    pick: Callable[[str], None],
    unfold: Callable[[str], None],
) -> None:
    """Draw the lines; `pick` gets the id of the pressed line, `unfold` the class of a fold."""
    _LIST(
        key=_KEY,
        data={"lines": list(lines), "hasHistory": has_history},
        on_picked_change=lambda: pick(st.session_state[_KEY].picked),
        on_unfolded_change=lambda: unfold(st.session_state[_KEY].unfolded),
    )
