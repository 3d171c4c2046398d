"""Which member's partitions are listed: chosen in a select box, or by a click on a chart."""

import streamlit as st

from dashboard.view import View

_KEY = "member"


def picked(view: View) -> int:
    """Return the row of the chosen member; the worst one before anybody chooses. The row that another group left may not exist here."""
    row = st.session_state.get(_KEY)
    return row if row is not None and 0 <= row < len(view.names) else int(view.order[0])


def show(view: View) -> int:
    """Draw the select box, worst member first, and return the row of the chosen member."""
    members = view.order.tolist()
    st.session_state[_KEY] = picked(view)
    full = view.observed.snapshot.member_id
    return st.selectbox(
        "Member", members, format_func=lambda row: view.names[row] if view.names[row] == full[row] else f"{view.names[row]} ({full[row]})", key=_KEY, width=420
    )


def pick_from(chart: str, view: View) -> None:
    """Choose the member whose mark was clicked; for callbacks. Marks that are no member carry -1."""
    for point in st.session_state[chart].selection.points:
        row = point.get("customdata", [-1])
        row = int(row[0] if isinstance(row, list) else row)
        if 0 <= row < len(view.names):
            st.session_state[_KEY] = row
