"""What is wrong with the open group, at most two sentences; each leads to what shows it.

The history shows on Timeline since when: moment A is then the reading from which on it does. Idle members are on Compare.
"""

from collections.abc import Sequence
from html import escape
from math import isnan

import streamlit as st

from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import by_link
from evenkeel.dashboard.widgets.parts import address
from evenkeel.data.words.history import Sentence

_TIMELINE = "app_pages/timeline.py"
_SINCE = "Timeline, with the reading from then on as moment A"


def show(sentences: Sequence[Sentence], group: Opened, members: str = "") -> None:
    """Draw them; nothing where nothing is wrong. `members`: the anchor of the members on this page, if it has one."""
    if not sentences:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="diagnosis"):
        for place, one in enumerate(sentences):
            is_of_members = isnan(one.since)
            here = f' <a href="#{members}" target="_self">members ↓</a>' if is_of_members and members else ""
            st.html(f'<p class="diagnosis">⚠ {escape(one.text)}.{here}</p>', width="content")
            if not here:
                _lead(f"diagnosis-{place}", group, None if is_of_members else one.since)


def _lead(key: str, group: Opened, since: float | None) -> None:
    if since is None:
        if st.button("Members", icon=":material/group:", type="tertiary", key=key, help="Compare shows who has which partition"):
            by_link.open_first()
    elif st.button("Since when", icon=":material/timeline:", type="tertiary", key=key, help=_SINCE):
        open_timeline(group, since)


def open_timeline(group: Opened, since: float) -> None:
    """Leave for the Timeline of a group, with a reading as moment A."""
    # The address has whole seconds: the reading that began within this one counts.
    moment = {"a": str(int(since) + 1)}
    address.lead_to(**moment)
    st.switch_page(_TIMELINE, query_params=by_link.params(group) | moment)
