"""How much of a group's history is shown; the choice stands in the address."""

import streamlit as st

from dashboard.widgets.parts import address, linked_choice

_HOURS = {"6h": 6.0, "24h": 24.0, "7d": 168.0}
_TEXTS = {"6h": "6 h", "24h": "24 h", "7d": "7 d"}
_KEY, _DEFAULT = "range", "24h"


def choose() -> float:
    """Draw the choice and return hours, counted back from the last snapshot."""
    address.follow(_KEY, list(_TEXTS), _DEFAULT, "range")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen = linked_choice.show("Range", _TEXTS, _KEY)
    address.show(range=None if chosen == _DEFAULT else chosen)
    address.show_refused(_KEY)
    return _HOURS[chosen]
