"""The Streams page without an application: what it is for, and examples that fill it in one click."""

import streamlit as st

from dashboard.widgets.streams import open_application
from data.scenarios.streams_examples import STREAMS_EXAMPLES


def show() -> None:
    """Explain the page and offer the worked examples."""
    with st.container(border=True):
        st.subheader("No Kafka Streams application is open", anchor=False)
        st.write(
            "Streams shows which instance runs which task, who keeps copies of state, who is warming up, and when the application is "
            "balanced (KIP-441). Upload a streams document on the start page, or open a worked example:"
        )
        st.page_link("app_pages/start.py", label="Start page", icon=":material/home:")
        with st.container(horizontal=True):
            for example in STREAMS_EXAMPLES:
                st.button(
                    example.title,
                    key=f"empty-streams-{example.slug}",
                    on_click=open_application.open_example,
                    args=(example.slug,),
                    help=example.sentence,
                )
