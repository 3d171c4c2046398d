"""The groups of a live cluster, watched on request; a click opens a group."""

from functools import partial

import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.widgets.groups import cluster_choice, kpis, live_reading, verdicts
from evenkeel.dashboard.widgets.opening import opened, page_of
from evenkeel.dashboard.widgets.parts import age, group_table, kpi_strip, problem, reader_zone, watch
from evenkeel.dashboard.widgets.parts.group_table import choices
from evenkeel.dashboard.widgets.scope import diagnosis_line
from evenkeel.dashboard.widgets.scope.live import live_group
from evenkeel.data.errors import SnapshotError

_TABLE, _WATCH, _PICKED = "groups", "watch-list", "groups-picked"


def show() -> None:
    """Draw scope, numbers and table; open the group that was clicked."""
    every = watch.seconds(_WATCH)
    st.fragment(_look, run_every=every)(every)


def _look(every: float | None) -> None:
    # Taken out at once: if this run ends early, no later run opens it.
    picked, since = st.session_state.pop(_PICKED, (None, None))
    with st.container(gap="xsmall"):
        try:
            cluster = _list(every)
        except SnapshotError as error:
            # The entry file cannot catch an error of a fragment that runs alone.
            problem.show(str(error))
            return
    if picked and live_group.open_now(cluster, picked):
        if since is None:
            page_of.open_first()
        diagnosis_line.open_timeline(opened.current(), since)


def _list(every: float | None) -> str:
    choices.follow(_TABLE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="scope"):
        st.html('<h1 class="scope-title">Groups</h1>', width="content")
        facts = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
        st.space("stretch")
        cluster = cluster_choice.show()
        if watch.show(_WATCH) != every:
            st.rerun()
        rate = f"The list is read at most every {loading.LIST_SECONDS} seconds, once for all sessions."
        st.button("Read again", icon=":material/refresh:", key="list-again", type="tertiary", help=rate)
    found = live_reading.read(cluster)
    if found is None:
        return cluster
    with facts:
        st.badge("Live", icon=":material/sensors:", color="green", help="This list sends only describe, list and offset calls to Kafka.")
        age.show(found.now.read_at, watch.due(every, loading.LIST_SECONDS))
        reader_zone.show()
    groups = verdicts.added(cluster, found.groups, facts)
    kpi_strip.show(kpis.kpis(groups), "groups")
    group_table.show(groups, _TABLE, id_column="group_id", pick=_pick, diagnosed=partial(verdicts.diagnosed, cluster), explain=_pick)
    return cluster


def _pick(group_id: str, since: float | None = None) -> None:
    st.session_state[_PICKED] = group_id, since
