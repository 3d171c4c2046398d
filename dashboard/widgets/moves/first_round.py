"""What a first round withholds, and which switch never ends.

A cooperative assignor hands a partition out once its owner has revoked it; a client may refuse to.
"""

from collections.abc import Iterable, Mapping
from html import escape

import streamlit as st

from evenkeel.assignors.explain.facts import NO_FACTS, Facts
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.tables.assignors import is_whole
from evenkeel.dashboard.view import View
from evenkeel.dashboard.words.answers import NEVER_ENDS
from evenkeel.dashboard.words.names import literal
from evenkeel.dashboard.words.remarks import sentence
from evenkeel.dashboard.words.verdict import sentences
from evenkeel.data.words.formats import exact


def show(view: View, rows: Iterable[Row], facts: Mapping[str, Facts]) -> None:
    """Draw a line for each answer whose rounds never end, and for each that is a first round."""
    for row in rows:
        found = facts.get(row.name, NO_FACTS)
        if found.switch and found.switch.is_endless:
            said = " ".join([sentences(found.switch, row), *(sentence(view, row.name, quirk) for quirk in found.quirks)])
            st.html(f'<p class="switch"><b class="worse">The switch to {escape(row.name)} {NEVER_ENDS}.</b> {escape(said)}</p>')
        elif row.assignment and not is_whole(row):
            withheld = exact(len(row.assignment.withheld))
            counted = "All figures count them for the member that will get them."
            st.caption(f"{literal(row.name)}, first round: {withheld} withheld, handed out in the next. {counted}")
