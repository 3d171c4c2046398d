"""An upload that is made of the open one and takes its place in the session."""

from collections.abc import Callable

import streamlit as st

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import importing, opened
from evenkeel.dashboard.widgets.parts import problem
from evenkeel.data.errors import SnapshotError


def open_made(make: Callable[[], Opened | None]) -> None:
    """Open what `make` returns, which may be nothing; say why where it is refused."""
    try:
        made = make()
    except SnapshotError as error:
        problem.show(str(error))
        return
    if made is not None:
        importing.take_over(made.batch)
        opened.open_group(made)
        st.rerun()
