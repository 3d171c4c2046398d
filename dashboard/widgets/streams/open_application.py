"""The Streams application that this session has open, and its address."""

import streamlit as st

from dashboard.view import OpenedApplication
from dashboard.widgets.parts import address
from data.scenarios.streams_examples import STREAMS_EXAMPLES, streams_example

KEY = "application"
PAGE = "app_pages/streams.py"


def current() -> OpenedApplication | None:
    """Return what is open."""
    return st.session_state.get(KEY)


def open_example(slug: str) -> None:
    """Open a worked example."""
    st.session_state[KEY] = OpenedApplication(slug=slug)
    address.chosen(KEY)


def follow() -> OpenedApplication | None:
    """Open the application that the address names, else say why not, and keep the address true to it."""
    slug = address.take(KEY)
    if slug is not None and streams_example(slug):
        open_example(slug)
    elif slug is not None:
        available = ", ".join(example.slug for example in STREAMS_EXAMPLES)
        address.refuse(KEY, f"No Streams example is called “{slug[:80]}”; available: {available}.")
    found = current()
    address.show(application=found and found.slug)
    address.show_refused(KEY)
    return found
