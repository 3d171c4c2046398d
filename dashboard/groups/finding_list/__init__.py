"""Groups that are not fine, one line each, in the browser. A click opens the group, J and K select
the next and the previous group, and C copies the command.
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
    """Draw the lines. `pick` is called with the id of a clicked line, `unfold` with the class of a
    clicked fold.
    """
    _LIST(
        key=_KEY,
        data={"lines": list(lines), "hasHistory": has_history},
        on_picked_change=lambda: pick(st.session_state[_KEY].picked),
        on_unfolded_change=lambda: unfold(st.session_state[_KEY].unfolded),
    )
