"""The choice of a member, in a select box or by a click on a chart, and a line with the load of the chosen one."""

from html import escape

import streamlit as st

from evenkeel.assignors.figures.balance import Balance
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.charts.loads import count_load, lag_load
from evenkeel.dashboard.view import View
from evenkeel.dashboard.words.names import UNDER
from evenkeel.data.words.formats import UNKNOWN

ANCHOR = "partitions-of-a-member"

_KEY = "member"


def picked(view: View) -> int:
    """Return the row of the chosen member, by default the worst one. A row that another group left may not exist here."""
    row = st.session_state.get(_KEY)
    return row if row is not None and 0 <= row < len(view.names) else int(view.order[0])


def show(view: View) -> int:
    """Draw the select box, worst member first, and return the row of the chosen member."""
    members = view.order.tolist()
    # Before the select box: Streamlit refuses to set the key of a widget that is drawn.
    st.session_state[_KEY] = picked(view)
    full = view.observed.snapshot.member_id
    names = [name if name == member_id else f"{name} ({member_id})" for name, member_id in zip(view.names, full, strict=True)]
    return st.selectbox("Member", members, format_func=names.__getitem__, key=_KEY, width=420)


def pick_from(chart: str, view: View) -> None:
    """Choose the member whose mark was clicked; for callbacks. Marks of no member carry -1."""
    for point in st.session_state[chart].selection.points:
        row = point.get("customdata", [-1])
        row = int(row[0] if isinstance(row, list) else row)
        if 0 <= row < len(view.names):
            st.session_state[_KEY] = row


def show_picked(view: View, current: Row, candidate: Row) -> None:
    """Draw the line: the picked member, its load now and with the candidate, and the link to its partitions."""
    member = picked(view)
    loads = (("lag", lag_load), ("partitions", count_load))
    facts = [f"{noun} {_text(load, current.balance, member)} → {_text(load, candidate.balance, member)}" for noun, load in loads]
    change = f"{' · '.join(facts)} {UNDER} <code>{escape(candidate.name)}</code>"
    st.html(
        f'<div class="picked"><b>{escape(view.names[member])}</b> <span>{change}</span> '
        f'<a href="#{ANCHOR}" target="_self">its partitions ↓</a> <span class="note">Click a member in a chart for another.</span></div>'
    )


def _text(load, balance: Balance | None, member: int) -> str:
    return load(balance, [member]).short()[0] if balance else UNKNOWN
