"""Owner: the secret cookie by which a browser lists and deletes the shares that it made."""

import re
import secrets

import streamlit as st

COOKIE = "evenkeel_owner"

_FORM = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


def new_owner() -> str:
    """Return 256 random bits."""
    return secrets.token_urlsafe(32)


def is_owner(text: str | None) -> bool:
    """Tell whether a text has the form of such a cookie."""
    return text is not None and _FORM.fullmatch(text) is not None


def owner() -> str | None:
    """Return the cookie of the browser that looks at this page; None where it keeps no cookies."""
    found = st.context.cookies.get(COOKIE)
    return found if is_owner(found) else None
