"""Which member's partitions are listed: chosen in a select box, or by a click on a chart; a line below the charts says what it carries."""

from html import escape

import streamlit as st

from assignors.figures.balance import Balance
from assignors.figures.comparison import Row
from dashboard.charts.numbers.loads import count_load, lag_load
from dashboard.view import View
from dashboard.words.formats import UNKNOWN
from dashboard.words.names import UNDER

ANCHOR = "partitions-of-a-member"

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


def show_picked(view: View, current: Row, candidate: Row) -> None:
    """Draw the line: the picked member, its load now and with the candidate, and the link to its partitions."""
    member = picked(view)
    facts = [f"{noun} {_text(load, current.balance, member)} → {_text(load, candidate.balance, member)}" for noun, load in (("lag", lag_load), ("partitions", count_load))]
    st.html(
        f'<div class="picked"><b>{escape(view.names[member])}</b> <span>{" · ".join(facts)} {UNDER} <code>{escape(candidate.name)}</code></span> '
        f'<a href="#{ANCHOR}" target="_self">its partitions ↓</a> <span class="note">Click a member in a chart for another.</span></div>'
    )


def _text(load, balance: Balance | None, member: int) -> str:
    return load(balance, [member]).short()[0] if balance else UNKNOWN
