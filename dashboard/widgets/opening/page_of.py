"""The page on which what is open is shown first."""

import streamlit as st

from evenkeel.dashboard.loading import applications
from evenkeel.dashboard.widgets.opening import by_link, opened

COMPARE, STREAMS = "app_pages/compare.py", "app_pages/streams.py"


def first_page() -> str:
    """Return the script of Streams for an application, else that of Compare."""
    group = opened.current()
    return STREAMS if group and applications.is_application(group) else COMPARE


def open_first() -> None:
    """Leave for that page, with the address of what is open: Back must not come to one that names no group."""
    group = opened.current()
    st.switch_page(first_page(), query_params=by_link.params(group) if group else None)
