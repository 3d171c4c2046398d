"""The address of a page: every choice that it shows, so that a copied or reloaded address shows the same.

Never a name out of a listing: servers and proxies write addresses to their logs.
"""

import streamlit as st

from dashboard.names import literal

_LINK = "link"
_REFUSED = "link-refused"


def begin() -> bool:
    """Keep what the address says while a session begins, after which it follows the page; return whether it begins now."""
    if _LINK in st.session_state:
        return False
    st.session_state[_LINK] = st.query_params.to_dict()
    return True


def take(key: str) -> str | None:
    """Return once what the session's first address said."""
    return st.session_state[_LINK].pop(key, None)


def says(*keys: str) -> bool:
    """Tell whether the session's first address has one of these, not yet taken."""
    return any(key in st.session_state[_LINK] for key in keys)


def show(**choices: str | None) -> None:
    """Write choices into the address; None takes one out."""
    shown = st.query_params.to_dict()
    wanted = {key: value for key, value in (shown | choices).items() if value is not None}
    if wanted != shown:
        # At once: each change of the address is a step for the browser's back button.
        st.query_params.from_dict(wanted)


def refuse(key: str, text: str) -> None:
    """Keep one line about what the first address says in vain, until something else is chosen."""
    st.session_state.setdefault(_REFUSED, {})[key] = text


def chosen(key: str) -> None:
    """Drop that line: a person has chosen."""
    st.session_state.get(_REFUSED, {}).pop(key, None)


def show_refused(key: str) -> None:
    """Draw that line where there is one."""
    text = st.session_state.get(_REFUSED, {}).get(key)
    if text:
        st.warning(literal(text))
