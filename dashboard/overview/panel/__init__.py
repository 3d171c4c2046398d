"""The four bands of the page in the browser: rows and evidence open there, without another run."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent
_FILES = {kind: (_HERE / f"panel.{kind}").read_text() for kind in ("html", "css", "js")}
_panel = st.components.v2.component("evenkeel.overview", **_FILES)
_KEY = "overview"


def show(
    page: dict[str, Any], tried: Callable[[dict[str, Any]], None], later: Callable[[], None]
) -> None:
    """Draw the bands. `tried` gets the remedy that is tried; `later`: a later reading is asked
    for.
    """
    _panel(
        key=_KEY,
        data=page,
        on_tried_change=lambda: tried(dict(st.session_state[_KEY].tried)),
        on_later_change=later,
    )
