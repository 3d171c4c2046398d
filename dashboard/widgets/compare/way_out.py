"""The steps out of an assignor that kills the leader, or under which the group never rests."""

import streamlit as st

from evenkeel.assignors.explain.facts import Facts
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.view import View
from evenkeel.dashboard.words.answers import ways_out
from evenkeel.dashboard.words.names import literal


def show(view: View, row: Row, facts: Facts) -> None:
    """Draw them in an open box; nothing where the group comes to rest."""
    steps = ways_out(view.client, row, facts)
    if not steps:
        return
    with st.expander(f"How to get out of {literal(row.name)}", icon=":material/emergency_home:", expanded=True, key="way-out"):
        for place, step in enumerate(steps, 1):
            st.markdown(f"{place}. {literal(step.text)}")
            if step.setting:
                st.code(step.setting, language="properties", wrap_lines=True)
