"""Which group is open: a worked example, named in the link, or an upload, known to this browser session only."""

from typing import NamedTuple

import streamlit as st

from data.worked_examples import worked_example

_KEY = "opened"
_LINK = "sample"


class Opened(NamedTuple):
    """A worked example by its slug, or one group of an upload; a listing that names no group is known by its file."""

    slug: str | None = None
    batch: str | None = None
    group_id: str | None = None
    source_file: str | None = None


def current() -> Opened | None:
    """Return what is open. A worked example in the link wins; the link is written again where a page change has dropped it."""
    linked = st.query_params.get(_LINK)
    if linked and worked_example(linked):
        st.session_state[_KEY] = Opened(slug=linked)
    opened = st.session_state.get(_KEY)
    if opened and opened.slug and linked != opened.slug:
        st.query_params[_LINK] = opened.slug
    return opened


def by_link() -> bool:
    """Tell, once in a session, that it began with the link of a worked example."""
    first = not st.session_state.get("opened_before", False)
    st.session_state["opened_before"] = True
    return first and worked_example(st.query_params.get(_LINK, "")) is not None


def open_example(slug: str) -> None:
    """Open a worked example."""
    st.session_state[_KEY] = Opened(slug=slug)
    st.query_params[_LINK] = slug


def open_group(group: Opened) -> None:
    """Open one group of an upload; nothing of it goes into the link."""
    st.session_state[_KEY] = group
    st.query_params.pop(_LINK, None)
