"""Which plug-ins are still at work; the page is drawn again when one of them has answered."""

from html import escape

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.view import Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.words.formats import duration

_KEY = "awaited"


def show(group: Opened) -> None:
    """Name the plug-ins that have not answered yet, and how long they may take."""
    st.session_state[_KEY] = loading.view(group).waiting
    _look(group)


@st.fragment(run_every=1.0)
def _look(group: Opened) -> None:
    waiting = loading.view(group).waiting
    if waiting != st.session_state[_KEY]:
        st.rerun()
    plugins = configuration().plugins
    names = ", ".join(f"{name} (at most {duration(plugins[name].time_limit.total_seconds())})" for name in waiting)
    st.html(f'<span class="note">Waiting for {escape(names)}</span>', width="content")
