"""The partitions of one member, now and with the candidate."""

import streamlit as st

from evenkeel.dashboard.tables import moves
from evenkeel.dashboard.view import Change, View
from evenkeel.dashboard.widgets.parts import long_table
from evenkeel.dashboard.words.names import literal


def show(view: View, change: Change, member: int) -> None:
    """Draw the table, most lag first; a partition that comes or goes names its other owner."""
    frame = moves.of_member(view, change, member)
    if frame.empty:
        st.info(f"{literal(view.names[member])} has no partitions, neither now nor after.")
        return
    long_table.show(frame, f"Partitions of {view.names[member]}")
