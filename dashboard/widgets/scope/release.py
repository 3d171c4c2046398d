"""Which release of Kafka answers: of the brokers for their assignors, of the clients for theirs. It stands in the address."""

import streamlit as st

from assignors import ASSIGNORS
from assignors.kafka.release import NEWEST, RELEASES
from dashboard.view import Opened
from dashboard.widgets.parts import address
from data.words.lists import listed

_KEY = "kafka"
_HELP = (
    "The Kafka release that assigns: the brokers' release for {}, the clients' release for the others. "
    "A release between two of the list behaves like the older one. Choose the release you run to see what an upgrade moves."
)
_CLASSIC = "classic"


def asked(group: Opened | None) -> Opened | None:
    """Return the group as the chosen release answers it."""
    return group and group._replace(kafka=st.session_state.get(_KEY, NEWEST))


def choose_first() -> None:
    """Take the release of the session's first address before anything is drawn."""
    address.follow(_KEY, RELEASES, NEWEST, "release of Kafka")


def whose(assignor: str) -> str:
    """Return whose release decides what an assignor answers: `brokers` or `clients`."""
    return "brokers" if assignor in ASSIGNORS and ASSIGNORS[assignor].group_type != _CLASSIC else "clients"


def show(candidate: str) -> None:
    """Draw the select box, and in front of it whose release it is for the candidate."""
    of_brokers = listed([name for name in ASSIGNORS if whose(name) == "brokers"], most=len(ASSIGNORS))
    st.caption(f"Release of the {whose(candidate)}", help=_HELP.format(of_brokers), width="content")
    chosen = st.selectbox(
        "Release of Kafka",
        RELEASES,
        key=_KEY,
        format_func=lambda release: f"Kafka {release}",
        persist_state="session",
        on_change=address.chosen,
        args=(_KEY,),
        label_visibility="collapsed",
        width=118,
    )
    address.show(kafka=None if chosen == NEWEST else chosen)
