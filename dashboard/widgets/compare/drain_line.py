"""The line below the table of a group that never drains: which members and partitions keep it from that."""

from html import escape

import streamlit as st

from assignors.figures.comparison import CURRENT
from dashboard.loading.history.drain_times import drain_times, stuck_partitions
from dashboard.view import View
from dashboard.words.history.drains import never_line
from data.errors import SnapshotError


def show(view: View) -> None:
    """Draw it; nothing for a group that drains, or without a history."""
    try:
        drains = drain_times(view) or {}
        if CURRENT not in drains or not drains[CURRENT].is_never:
            return
        words = never_line(drains, stuck_partitions(view), view.name_of)
    except SnapshotError:
        # The table has said it.
        return
    st.html(f'<span class="note">{escape(words)} Timeline shows since when.</span>')
