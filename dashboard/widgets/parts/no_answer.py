"""Why an assignor has no answer: Kafka's own class would throw, a plug-in has failed or not answered yet."""

import streamlit as st

from assignors import ASSIGNORS
from assignors.errors import REQUEST_ERROR, NotKnownError
from assignors.figures.comparison import Row
from dashboard.widgets.parts import problem
from dashboard.words.answers.failures import in_words, message
from dashboard.words.names import literal


def require(row: Row) -> None:
    """Stop where Kafka's own class would throw, or a plug-in has no answer."""
    if isinstance(row.error, NotKnownError):
        st.info(literal(f"{row.name}: {in_words(row.error)}."))
        st.stop()
    if show(row):
        st.stop()


def show(row: Row) -> bool:
    """Say why an assignor has no answer, below a table that says of releases why; False where it has one."""
    if isinstance(row.error, NotKnownError):
        st.info(literal(f"No charts of {row.name}. Choose another candidate, or Kafka {row.error.since} or a later release."))
    elif row.error:
        if row.name not in ASSIGNORS:
            problem.show(f"{row.name}: no answer from the plug-in, {row.error.java_class} on this group: {message(row.error)}")
        elif row.error.java_class == REQUEST_ERROR:
            problem.show(f"{row.name}: {message(row.error)}")
        else:
            problem.show(f"{row.name}: Kafka's own class throws {row.error.java_class} on this group: {message(row.error)}")
    elif row.assignment is None:
        st.info(f"{literal(row.name)} has not answered yet. The other assignors can be chosen meanwhile.")
    return row.assignment is None
