"""The address under which this browser sees a share."""

from urllib.parse import urlencode

import streamlit as st


def link_of(share_id: str, step: int, candidate: str) -> str:
    """Return the address that opens a share at a step, for a candidate."""
    base = (st.context.url or "").partition("?")[0].rstrip("/")
    return f"{base.rpartition('/')[0]}/shared?{urlencode({'share': share_id, 'step': step, 'candidate': candidate})}"
