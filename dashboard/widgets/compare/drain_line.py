"""The line below the table: who keeps the group from being drained, now or under an assignor, and which rates are assumed."""

from html import escape

import streamlit as st

from evenkeel.assignors.figures.comparison import CURRENT
from evenkeel.dashboard.loading.answer_facts import drain_times, stuck_partitions
from evenkeel.dashboard.view import View
from evenkeel.dashboard.words.drains import assumed_rates, never_line
from evenkeel.data.errors import SnapshotError


def show(view: View) -> None:
    """Draw it; nothing for a group that drains by what was seen, or without a history."""
    try:
        drains = drain_times(view) or {}
        words = never_line(drains, stuck_partitions(view), view.name_of)
    except SnapshotError:
        # The table has said it.
        return
    since = "Timeline shows since when." if CURRENT in drains and drains[CURRENT].is_never else ""
    said = " ".join(filter(None, [words, since, *(f"{one}." for one in assumed_rates(drains.values(), view.name_of))]))
    if said:
        st.html(f'<span class="note">{escape(said)}</span>')
