"""Owner: the secret cookie by which a browser lists and deletes the shares that it made."""

import re
import secrets
from collections.abc import Mapping

import streamlit as st

COOKIE = "evenkeel_owner"
SECURE_COOKIE = f"__Host-{COOKIE}"
"""The name under TLS: browsers take it from this host alone, and neither from plain HTTP nor for a whole domain."""

_FORM = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


def new_owner() -> str:
    """Return 256 random bits."""
    return secrets.token_urlsafe(32)


def is_owner(text: str | None) -> bool:
    """Tell whether a text has the form of such a cookie."""
    return text is not None and _FORM.fullmatch(text) is not None


def owner_in(cookies: Mapping[str, str]) -> str | None:
    """Return the owner of a browser by its cookies; one that it got before the server had TLS counts where it has no other."""
    return next(filter(is_owner, map(cookies.get, (SECURE_COOKIE, COOKIE))), None)


def owner() -> str | None:
    """Return the cookie of the browser that looks at this page; None where it keeps no cookies."""
    return owner_in(st.context.cookies)
