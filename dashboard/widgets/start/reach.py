"""Who sees what is pasted, and who reaches this server: said as long as it asks for no login."""

import streamlit as st

from evenkeel.data.configuration import configuration
from evenkeel.data.words.formats import duration

_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def show() -> None:
    """Say where pasted text stays and for how long; warn where other machines reach the server."""
    kept = duration(configuration().keep_uploads.total_seconds())
    st.html(
        '<p class="note" style="margin:0">Nothing in Kafka is ever changed. What you paste stays on this server. '
        f"Anyone with the page's address can see it. It is deleted after {kept}.</p>"
    )
    if st.get_option("server.address") not in _THIS_MACHINE:
        st.warning(
            "This server has no login. Anyone who reaches it can use it: read the lake's groups and the configured clusters.",
            icon=":material/lock_open:",
        )
