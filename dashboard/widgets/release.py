"""Which release of Kafka answers: of the brokers for their assignors, of the clients for theirs. It stands in the address."""

import streamlit as st

from assignors.release import NEWEST, RELEASES
from dashboard.widgets import address
from dashboard.widgets.opened import Opened

_KEY = "kafka"


def asked(group: Opened | None) -> Opened | None:
    """Return the group as the chosen release answers it."""
    return group and group._replace(kafka=st.session_state.get(_KEY, NEWEST))


def choose_first() -> None:
    """Take the release of the session's first address before anything is drawn."""
    linked = address.take(_KEY)
    if linked in RELEASES:
        st.session_state[_KEY] = linked
    elif linked is not None:
        address.refuse(_KEY, f"The address asks for Kafka “{linked[:20]}”; there are {', '.join(RELEASES)}, and a release between two answers as the older one.")


def show() -> None:
    """Draw the select box."""
    chosen = st.selectbox(
        "Kafka",
        RELEASES,
        key=_KEY,
        format_func=lambda release: f"Kafka {release}",
        persist_state="session",
        on_change=address.chosen,
        args=(_KEY,),
        label_visibility="collapsed",
        width=118,
        help="The release that answers; one between two answers as the older one. Choose what runs now to see what an upgrade moves.",
    )
    address.show(kafka=None if chosen == NEWEST else chosen)
