"""The open application of the Streams page; without one, what the page is for and examples that fill it in one click."""

import streamlit as st

from evenkeel.dashboard.loading import applications
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import by_link, opened
from evenkeel.data.scenarios.examples.worked_examples import STREAMS_EXAMPLES


def require() -> Opened:
    """Return what is open; without an application, explain and stop."""
    by_link.follow()
    group = opened.current()
    if group and applications.is_application(group):
        return applications.key_of(group)
    _explain("No Kafka Streams application is open" if group is None else "This group is no Kafka Streams application")
    st.stop()


def _explain(title: str) -> None:
    with st.container(border=True):
        st.subheader(title, anchor=False)
        st.write(
            "Streams shows which instance runs which task, who keeps copies of state, who is warming up, and when the application is "
            "balanced (KIP-441). Open a streams document or what `kafka-streams-groups.sh` prints on the start page, or a worked example:"
        )
        st.page_link("app_pages/start.py", label="Start page", icon=":material/home:")
        with st.container(horizontal=True):
            for example in STREAMS_EXAMPLES:
                st.button(
                    example.title,
                    key=f"empty-streams-{example.slug}",
                    on_click=opened.open_example,
                    args=(example.slug,),
                    help=example.sentence,
                )
