"""The groups of a live cluster, watched on request, each reading beside the one before it; a click opens a group."""

from datetime import UTC, datetime
from html import escape
from typing import NamedTuple

import streamlit as st

from dashboard import loading
from dashboard.formats import as_of, at_least, compact, count, duration
from dashboard.names import literal
from dashboard.widgets import cluster_choice, group_filters, group_rows, live_group, problem, watch
from data.errors import SnapshotError

_READ = "groups-read"


class _Read(NamedTuple):
    """What this session has seen of a cluster last, and before that."""

    cluster: str
    now: loading.LiveList
    before: loading.LiveList | None


def show() -> None:
    """Draw the choice of a cluster and its list; go to the page of the group that was clicked."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        cluster = cluster_choice.show()
        st.space("stretch")
        every = watch.interval("watch-list")
    st.fragment(_look, run_every=every)(cluster)


def _look(cluster: str) -> None:
    # Taken at once: whatever ends this run, no later one opens it.
    picked = group_rows.picked()
    read = _read(cluster)
    if read is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        wanted = group_filters.show(read.now.groups)
        st.space("stretch")
        _show_age(read)
    group_rows.show(wanted, len(read.now.groups), read.before)
    if picked and live_group.open_now(cluster, picked):
        st.switch_page("app_pages/compare.py")


def _read(cluster: str) -> _Read | None:
    """Return what the list is now; while the cluster does not answer, what was read last stays, and its age is said."""
    had = st.session_state.get(_READ)
    had = had if had and had.cluster == cluster else None
    try:
        now = loading.live_list(cluster)
    except SnapshotError as error:
        if had is None:
            problem.show(str(error))
        else:
            st.warning(f"{literal(str(error))}. Shown is what was read {as_of(had.now.read_at, datetime.now(UTC))}.", icon=":material/cloud_off:")
        return had
    if had is None or had.now.read_at != now.read_at:
        st.session_state[_READ] = _Read(cluster, now, had and had.now)
    return st.session_state[_READ]


def _show_age(read: _Read) -> None:
    """Say what the whole list amounts to, how old it is and since when lags are said to have changed, and offer to read it again."""
    groups = read.now.groups
    moving = int((~groups["state"].dropna().isin(["Stable", "Empty"])).sum())
    lag = at_least(compact(groups["lag"].sum(min_count=1)), not group_rows.is_whole(groups).all())
    facts = [count(len(groups), "group"), f"{moving:,} not at rest", f"lag {lag}", as_of(read.now.read_at, datetime.now(UTC))]
    if read.before:
        facts.append(f"changes since the reading {duration((read.now.read_at - read.before.read_at).total_seconds())} before")
    st.html(f'<span class="note">{escape(" · ".join(facts))}</span>', width="content")
    st.button("Read again", icon=":material/refresh:", key="list-again", help="The list is read at most every 15 seconds, once for all who look at it.")
