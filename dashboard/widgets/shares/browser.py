"""The addresses under which this browser sees the open page and a share."""

from urllib.parse import urlencode

import streamlit as st


def address_here() -> str:
    """Return the address of the view that is open."""
    query = urlencode(st.query_params.to_dict())
    return f"{_base()}?{query}" if query else _base()


def _base() -> str:
    return (st.context.url or "").partition("?")[0].rstrip("/")


def link_of(share_id: str, step: int, candidate: str) -> str:
    """Return the address that opens a share at a step, for a candidate."""
    return f"{_base().rpartition('/')[0]}/shared?{urlencode({'share': share_id, 'step': step, 'candidate': candidate})}"
