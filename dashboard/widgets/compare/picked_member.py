"""One line below the charts: the member that is picked, what it carries now and with the candidate, and the way to its partitions."""

from html import escape

import streamlit as st

from assignors.figures.balance import Balance
from assignors.figures.comparison import Row
from dashboard.charts.numbers.loads import count_load, lag_load
from dashboard.view import View
from dashboard.widgets.compare import member_picker
from dashboard.words.formats import UNKNOWN
from dashboard.words.names import UNDER

ANCHOR = "partitions-of-a-member"


def show(view: View, current: Row, candidate: Row) -> None:
    """Draw the line; a click on a mark of the charts changes it."""
    member = member_picker.picked(view)
    facts = [f"{noun} {_text(load, current.balance, member)} → {_text(load, candidate.balance, member)}" for noun, load in (("lag", lag_load), ("partitions", count_load))]
    st.html(
        f'<div class="picked"><b>{escape(view.names[member])}</b> <span>{" · ".join(facts)} {UNDER} <code>{escape(candidate.name)}</code></span> '
        f'<a href="#{ANCHOR}" target="_self">its partitions ↓</a> <span class="note">Click a member in a chart for another.</span></div>'
    )


def _text(load, balance: Balance | None, member: int) -> str:
    return load(balance, [member]).short()[0] if balance else UNKNOWN
