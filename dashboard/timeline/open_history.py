"""The open group of the Timeline. Without a group, the page shows its purpose and how to open a
group.
"""

from typing import NoReturn

import streamlit as st

from evenkeel.dashboard.scope import readings
from evenkeel.dashboard.shell import by_link, opened
from evenkeel.dashboard.shell.loading.readings import Range
from evenkeel.dashboard.shell.navigation import HOME
from evenkeel.dashboard.timeline import moments, time_range
from evenkeel.dashboard.times import between
from evenkeel.dashboard.view import OpenGroup

_COLLECT = "evenkeel collect --cluster production --every 30s"


def require() -> OpenGroup:
    """Return the open group. If no stored group is open, show what the page is for, and stop."""
    moment = by_link.follow()
    group = opened.current()
    if group and group.batch and group.group_id is not None:
        if moment:
            time_range.end_at(moment, group)
            moments.end_at(moment)
        return group
    if group and group.batch:
        # The listing has no group name. A later reading names the group after its file.
        readings.show(group)
        stop_without_any()
    _explain()
    st.stop()


def stop_without(within: Range | None) -> NoReturn:
    """Stop the page. If `within` is a range, first show that no reading in it has a partition of
    the open group.
    """
    if within is None:
        st.stop()
    st.info(f"No reading from {between(within.since, within.until)} has a partition of this group.")
    st.stop()


def stop_without_any() -> None:
    """Show how to collect a history of the open group, and stop."""
    st.info(
        "A history needs more than one reading. This command collects snapshots of the group's"
        " cluster:"
    )
    st.code(_COLLECT, language=None)
    st.stop()


def _explain() -> None:
    with st.container(border=True):
        st.subheader("No group with a history is open", anchor=False)
        st.write(
            "Timeline shows owners over time, how lag changed, and events. It reads the"
            " snapshots of `evenkeel collect`, or at least two readings of an upload."
        )
        st.page_link(HOME.script, label="Groups", icon=":material/home:")
        st.code(_COLLECT, language=None)
