"""A warning while the server has no login and other machines reach it."""

import streamlit as st

_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def show() -> None:
    """Warn if other machines reach the server."""
    if st.get_option("server.address") not in _THIS_MACHINE:
        text = "This server has no login. Anyone who reaches it can use it: read the lake's groups and the configured clusters."
        st.warning(text, icon=":material/lock_open:")
