"""The restore rate of the instances, where the input has none: without it no time is known."""

import streamlit as st

from evenkeel.dashboard.loading.applications import application
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.parts import address

_KEY, _WIDGET = "rate", "streams-rate"
_MOST = 10**9
_HELP = (
    "Records per second that one instance reads from changelogs while it restores. Measure it: the restore-rate metrics of Kafka Streams, "
    "or how fast the lag of a warm-up falls between two readings."
)


def asked(opened: Opened) -> Opened:
    """Take the rate of the address before anything is drawn; return the application with it."""
    linked = address.take(_KEY)
    if number := address.whole(linked, _MOST):
        st.session_state[_WIDGET] = number
    elif linked is not None:
        address.refuse(_KEY, f"The address asks for the restore rate “{linked[:20]}”, expected a number of records per second.")
    elif address.is_followed():
        st.session_state[_WIDGET] = None
    rate = st.session_state.get(_WIDGET)
    return opened._replace(restore_rate=float(rate)) if rate and is_missing(opened) else opened


def is_missing(opened: Opened) -> bool:
    """Tell whether the input lacks the rate of an instance."""
    document = application(opened._replace(restore_rate=None)).document
    return any(process.process_id not in (document.restore_rates or {}) for process in document.processes or ())


def show(opened: Opened) -> None:
    """Draw the question where the input lacks rates."""
    rate = st.session_state.get(_WIDGET)
    if is_missing(opened):
        st.html('<span class="note">Restore rates are unknown. Assume for each instance, records/s:</span>', width="content")
        st.number_input(
            "Restore rate, records/s",
            1,
            _MOST,
            None,
            1_000,
            key=_WIDGET,
            persist_state="session",
            on_change=address.chosen,
            args=(_KEY,),
            label_visibility="collapsed",
            placeholder="unknown",
            help=_HELP,
            width=150,
        )
    address.show(rate=str(rate) if rate and is_missing(opened) else None)
    address.show_refused(_KEY)
