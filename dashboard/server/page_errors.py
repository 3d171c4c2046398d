"""Errors that end a page, a fragment or a callback: one sentence instead of a trace."""

import logging
import secrets

import streamlit as st

from evenkeel.dashboard.words.names import literal
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import refusal_of

_LOG = logging.getLogger("evenkeel")


def show(error: Exception) -> bool:
    """Draw an exception in place of Streamlit's own box; the log has the trace of an unexpected one under the id that is shown."""
    error = refusal_of(error) or error
    if isinstance(error, SnapshotError):
        st.error(literal(str(error)))
        return True
    error_id = secrets.token_hex(4)
    _LOG.error("error %s", error_id, exc_info=error)
    st.error(f"Evenkeel failed here: error {error_id}. The server's log has the details under this id. Reload the page to go on.")
    return True
