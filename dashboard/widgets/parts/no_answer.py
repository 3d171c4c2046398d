"""Why an assignor has no answer: Kafka's own class would throw, a plug-in has failed or not answered yet."""

import streamlit as st

from evenkeel.assignors import ASSIGNORS, JAVA
from evenkeel.assignors.assignment import REQUEST_ERROR, NotKnownError
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard.widgets.parts import problem
from evenkeel.dashboard.words.answers import in_words, is_deadly, is_gap, message
from evenkeel.dashboard.words.names import literal


def require(row: Row, client: str = JAVA) -> None:
    """Stop where Kafka's own class would throw, or a plug-in has no answer; `client`: whose code answers."""
    if isinstance(row.error, NotKnownError):
        st.info(literal(f"{row.name}: {in_words(row.error)}."))
        st.stop()
    if show(row, client):
        st.stop()


def show(row: Row, client: str = JAVA) -> bool:
    """Say why an assignor has no answer, below a table that says of releases why; False where it has one."""
    if isinstance(row.error, NotKnownError):
        st.info(literal(f"No charts of {row.name}. Choose another candidate, or Kafka {row.error.since} or a later release."))
    elif row.error:
        if row.name not in ASSIGNORS:
            problem.show(f"{row.name}: no answer from the plug-in, {row.error.java_class} on this group: {message(row.error)}")
        elif is_gap(row.error):
            st.info(literal(f"{in_words(row.error)}. Choose another candidate, or another leader."))
        elif row.error.java_class == REQUEST_ERROR or is_deadly(row.error):
            problem.show(f"{row.name}: {in_words(row.error)}")
        else:
            problem.show(f"{row.name}: {_whose(client)} throws {row.error.java_class} on this group: {message(row.error)}")
    elif row.assignment is None:
        st.info(f"{literal(row.name)} has not answered yet. The other assignors can be chosen meanwhile.")
    return row.assignment is None


def _whose(client: str) -> str:
    return "Kafka's own class" if client == JAVA else f"the own class of {client}"
