"""Which of several groups of an upload is open, the one furthest behind first."""

import streamlit as st

from dashboard.formats import at_least, compact, count
from dashboard.loading import Group, Import
from dashboard.widgets import opened
from dashboard.widgets.opened import Opened


def show(found: Import) -> Opened:
    """Return the chosen group; one group needs no choice."""
    groups = {group.opened: group for group in found.groups}
    if len(groups) == 1:
        return found.groups[0].opened
    names = list(groups)
    current = opened.current()
    index = names.index(current) if current in groups else 0
    return st.selectbox(
        "Group, most lag first", names, index=index, format_func=lambda name: _line(groups[name]), key=f"group-{found.manifest.batch}", width=560
    )


def _line(group: Group) -> str:
    name = group.opened.group_id or f"unnamed, {group.opened.source_file}"
    if group.partition_count is None:
        return name
    return f"{name}: {at_least(compact(group.lag), bool(group.unknown_lag_count))} lag, {count(group.member_count, 'member')}, {count(group.partition_count, 'partition')}"
