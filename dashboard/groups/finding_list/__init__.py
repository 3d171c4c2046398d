"""The groups that are not fine, a line each, in the browser: a press opens the group, J and K walk,
C copies the command.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent
_FILES = {kind: (_HERE / f"finding_list.{kind}").read_text() for kind in ("html", "css", "js")}
_LIST = st.components.v2.component("evenkeel.finding_list", **_FILES)
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
