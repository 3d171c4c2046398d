"""What an answer keeps back: a cooperative assignor gives a partition out once its owner has let go."""

from collections.abc import Iterable

import streamlit as st

from assignors.comparison import Row
from dashboard.assignor_rows import is_whole
from dashboard.formats import exact
from dashboard.names import literal


def show(rows: Iterable[Row]) -> None:
    """Draw a line for each answer that is a first round."""
    for row in rows:
        if row.assignment and not is_whole(row):
            withheld = exact(len(row.assignment.withheld))
            counted = "All figures count them for the member that will get them."
            st.caption(f"{literal(row.name)}, first round: {withheld} withheld, handed out in the next. {counted}")
