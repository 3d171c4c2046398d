"""Who reaches this server, said as long as it asks for no login."""

import streamlit as st

_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def show() -> None:
    """Warn where other machines reach the server."""
    if st.get_option("server.address") not in _THIS_MACHINE:
        st.warning("This server has no login. Anyone who reaches it can use it: read the lake's groups and the configured clusters.", icon=":material/lock_open:")
