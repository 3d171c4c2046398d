"""The four bands of the page, drawn in the browser. When the reader opens rows or evidence, the
page does not run again.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from evenkeel.dashboard.shell.component import component

_panel = component("overview", Path(__file__).with_name("panel.html"))
_KEY = "overview"


def show(
    page: dict[str, Any], tried: Callable[[dict[str, Any]], None], later: Callable[[], None]
) -> None:
    """Draw the bands. `tried` is called with a remedy to try. `later` is called if the reader wants
    a later reading.
    """
    _panel(
        key=_KEY,
        data=page,
        on_tried_change=lambda: tried(dict(st.session_state[_KEY].tried)),
        on_later_change=later,
    )
