"""Who asks: the secret cookie of this browser, and the address under which it sees the pages."""

from urllib.parse import urlencode

import streamlit as st

OWNER = "evenkeel_owner"
"""The cookie that makes shares one's own; the server sets it."""


def owner() -> str | None:
    """Return this browser's secret, None for a browser that keeps no cookie."""
    return st.context.cookies.get(OWNER)


def link_of(share_id: str, step: int, candidate: str) -> str:
    """Return the address that opens a share at a step, for a candidate."""
    base = (st.context.url or "").partition("?")[0].rstrip("/")
    return f"{base.rpartition('/')[0]}/shared?{urlencode({'share': share_id, 'step': step, 'candidate': candidate})}"
