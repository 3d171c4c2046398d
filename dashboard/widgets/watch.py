"""How often what comes from a live cluster is read again while a person looks."""

import streamlit as st

from dashboard.widgets import address

_KEY, _OFF = "watch", "Off"
_EVERY = {_OFF: None, "10 s": 10.0, "30 s": 30.0, "1 min": 60.0, "5 min": 300.0}


def interval(key: str) -> float | None:
    """Draw the choice and return its seconds, None while nothing is watched."""
    address.follow(_KEY, list(_EVERY), _OFF, "interval of Watch", key)
    st.html('<span class="note">Watch</span>', width="content")
    chosen = st.segmented_control(
        "Watch", list(_EVERY), required=True, key=key, persist_state="session", label_visibility="collapsed", on_change=address.chosen, args=(_KEY,)
    )
    address.show(watch=None if chosen == _OFF else chosen)
    address.show_refused(_KEY)
    return _EVERY[chosen or _OFF]
