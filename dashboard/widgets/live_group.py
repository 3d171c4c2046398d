"""One group of a live cluster: opened as a snapshot, watched on request, each new snapshot beside the one before it."""

from datetime import UTC, datetime

import streamlit as st

from dashboard import loading
from dashboard.formats import as_of, duration
from dashboard.names import literal
from dashboard.widgets import importing, opened, problem
from dashboard.widgets.opened import Opened
from data.errors import SnapshotError

_KEY = "watch"
_EVERY = {"Off": None, "10 s": 10.0, "30 s": 30.0, "1 min": 60.0, "5 min": 300.0}


def open_now(cluster: str, group_id: str) -> bool:
    """Read a group and open the snapshot; what goes wrong is shown. Return whether it is open."""
    try:
        importing.open_stored(loading.live_snapshot(cluster, group_id))
    except SnapshotError as error:
        problem.show(str(error))
        return False
    return True


def show(group: Opened) -> None:
    """Draw the watch of a group that comes from a live cluster: its interval, and what has changed since the snapshot before."""
    cluster = loading.cluster_of(group)
    if cluster is None:
        return
    for text in loading.imported(group.batch).manifest.problems:
        st.warning(literal(f"Cannot be seen: {text}"))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="watch-line"):
        every = st.segmented_control("Watch", list(_EVERY), default="Off", required=True, key=_KEY, persist_state="session")
        st.fragment(_look, run_every=_EVERY[every or "Off"])(cluster, group, _EVERY[every or "Off"])


def _look(cluster: str, group: Opened, every: float | None) -> None:
    """Read the group again when its snapshot is as old as the interval; while the cluster does not answer, what is shown stays and its age is said."""
    taken_at = loading.view(group).observed.taken_at
    age = (datetime.now(UTC) - taken_at).total_seconds()
    pressed = st.button("Read again", icon=":material/refresh:", key="read-again")
    if pressed or (every and age >= 0.9 * every):
        try:
            batch = loading.live_snapshot(cluster, group.group_id)
        except SnapshotError as error:
            st.warning(f"{literal(str(error))}. Shown is what was read {as_of(taken_at, datetime.now(UTC))}.", icon=":material/cloud_off:")
            return
        loading.follow(group, batch)
        opened.open_group(group._replace(batch=batch))
        st.rerun()
    before = loading.before(group)
    if before:
        st.html(f'<span class="note">Since {duration(age + before.seconds)} ago: {before.words}</span>', width="content")
