"""How often what comes from a live cluster is read again while a person looks."""

import streamlit as st

_EVERY = {"Off": None, "10 s": 10.0, "30 s": 30.0, "1 min": 60.0, "5 min": 300.0}


def interval(key: str) -> float | None:
    """Draw the choice and return its seconds, None while nothing is watched."""
    st.html('<span class="note">Watch</span>', width="content")
    chosen = st.segmented_control("Watch", list(_EVERY), default="Off", required=True, key=key, persist_state="session", label_visibility="collapsed")
    return _EVERY[chosen or "Off"]
