"""Another group of the same reading or cluster, for the line above the Timeline."""

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import opened
from evenkeel.dashboard.words.names import visible
from evenkeel.data.errors import SnapshotError

_KEY = "timeline-group"
_MOST = 200


def show(group: Opened) -> None:
    """Draw the choice, worst first; nothing where there is one group."""
    names = loading.groups_beside(group)
    if not set(names) - {group.group_id}:
        return
    shown = names[:_MOST] if group.group_id in names[:_MOST] else [group.group_id, *names[:_MOST]]
    st.session_state[_KEY] = group.group_id
    # Together: where the line wraps, the label goes with its choice.
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width="content"):
        st.html('<span class="note">Group</span>', width="content")
        look = {"format_func": visible, "label_visibility": "collapsed", "width": 200}
        st.selectbox("Group, most lag first", shown, key=_KEY, on_change=_open, args=(group,), **look)


def _open(group: Opened) -> None:
    chosen = st.session_state[_KEY]
    is_here = chosen in loading.imported(group.batch).groups.table["group_id"].to_pylist()
    try:
        opened.open_group(group._replace(group_id=chosen) if is_here else loading.of_cluster(loading.cluster_of(group), chosen))
    except SnapshotError as error:
        st.toast(str(error), icon=":material/warning:")
