"""The groups of a cluster. Sources, in this order: snapshots in the lake, a metrics store, the
brokers.
"""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.dashboard.alerts import panel as alerts
from evenkeel.dashboard.groups import choices, home, loading
from evenkeel.dashboard.groups.columns import Row
from evenkeel.dashboard.groups.verdicts import newest_slots
from evenkeel.dashboard.groups.words import JUDGING
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts import reader_zone
from evenkeel.dashboard.scope import choose_cluster, live
from evenkeel.dashboard.shell import address, age, by_link, opened, problem, walk, watch
from evenkeel.dashboard.shell.loading import clusters
from evenkeel.dashboard.shell.loading.clusters import LiveList, live_list, of_cluster, snapshot_of
from evenkeel.dashboard.shell.loading.example import is_example
from evenkeel.dashboard.shell.reader import reader
from evenkeel.dashboard.times import moment
from evenkeel.data import clock
from evenkeel.data.errors import NoGroupsError, SnapshotError
from evenkeel.data.group.tables.load import with_lag_change
from evenkeel.data.prometheus.facts import StoredLast
from evenkeel.data.text.formats import duration

FROM_STORE = (
    "Lag and findings compare the last scrape with an earlier scrape, at least five"
    " minutes before. Prometheus records no owners, no members and no rebalances"
)
_AS_LISTED = "; the brokers list states, members and assignors now"
_WATCH = "watch-list"
_OLD_SECONDS = 180.0
_OLD_SLOTS = 5


def show() -> None:
    """Draw the list; open the group that the reader clicked."""
    every = watch.seconds(_WATCH)
    st.fragment(_look, run_every=every)(every)


def _look(every: float | None) -> None:
    if not choose_cluster.has_choice():
        # The reader closed the example, and this fragment runs alone.
        address.draw_again(is_clicked=True)
    picked = home.picked()
    with st.container(gap="xsmall"):
        try:
            cluster = _list(every)
        except SnapshotError as error:
            # The entry file cannot catch an error of a fragment that runs alone.
            problem.show(str(error))
            return
    if picked and _open(cluster, picked):
        by_link.open_first()


def _open(cluster: str, group_id: str) -> bool:
    """Open a group from the brokers, or else from its last snapshot. Return whether the group is
    open.
    """
    if clusters.can_be_read(cluster):
        return live.open_now(cluster, group_id)
    opened.open_group(of_cluster(cluster, group_id))
    return True


def _list(every: float | None) -> str:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="home-head"):
        sentence = st.empty()
        st.space("stretch")
        facts = st.container(
            horizontal=True, vertical_alignment="center", gap="small", width="content"
        )
        cluster = choose_cluster.show() or ""
        has_now = not is_example(cluster)
        if has_now:
            _show_again(every)
        else:
            home.show_close("close-example", choose_cluster.close_example)
    slots = newest_slots(cluster)
    is_followed = bool(slots.batches) and not (has_now and _is_old(slots.axis.time))
    if is_followed or (choices.chosen().topic and slots.batches):
        with facts:
            slot = datetime.fromtimestamp(slots.axis.time[-1], UTC)
            age.show(slot) if has_now else age.show_example(slot)
            reader_zone.show()
            alerts.show_button(choices.fold)
        _show(cluster, partial(loading.of_slots, cluster, slots), sentence, facts)
        return cluster
    last, reading = _in_store(cluster), read(cluster)
    if last:
        with facts:
            _show_source(last, reading)
            reader_zone.show()
        of_brokers = None if reading is None else reading.groups
        _show(cluster, partial(loading.of_store, last, of_brokers), sentence, facts)
    elif reading is not None:
        with facts:
            age.show(reading.now.read_at, watch.due(every, clusters.LIST_SECONDS))
            reader_zone.show()
        home.show(loading.of_list(reading.groups), sentence)
        command = f"`evenkeel collect --cluster {literal(cluster)}`"
        st.caption(f"Findings of each group need snapshots: {command} writes them.")
    elif slots.batches:
        _show(cluster, partial(loading.of_slots, cluster, slots), sentence, facts)
    if slots.batches:
        slot = datetime.fromtimestamp(slots.axis.time[-1], UTC)
        ago = duration(datetime.now(UTC).timestamp() - slots.axis.time[-1])
        st.warning(f"The last snapshot is of {moment(slot, datetime.now(UTC))}, {ago} ago.")
    return cluster


def _show_again(every: float | None) -> None:
    if watch.show(_WATCH) != every:
        st.rerun()
    st.button("Read again", icon=":material/refresh:", key="list-again", type="tertiary")


def _in_store(cluster: str) -> StoredLast | None:
    """Return the last slot of a metrics store. None if there is no slot. If the store cannot be
    read, draw the error and return None.
    """
    try:
        with st.spinner("Reading the metrics store …"):
            return clusters.store_list(cluster)
    except SnapshotError as error:
        problem.show(str(error))
        return None


def _show_source(last: StoredLast, reading: "Reading | None") -> None:
    if taken := snapshot_of(last.batch).taken_at:
        age.show(taken)
    st.badge(
        f"{last.facts.words}; owners not recorded",
        icon=":material/database:",
        color="gray",
        help=f"{FROM_STORE}{_AS_LISTED * (reading is not None)}.",
    )


def _stop(cluster: str, row: Row) -> walk.Stop:
    return walk.Stop(row["group_id"], {"cluster": cluster, "group": row["group_id"]})


def _show(
    cluster: str,
    groups_now: Callable[[], loading.Groups],
    sentence: DeltaGenerator,
    facts: DeltaGenerator,
) -> None:
    groups = groups_now()
    if groups.is_behind:
        facts.html(f'<span class="note" role="status">{JUDGING}</span>', width="content")
    home.remember(cluster, groups, partial(_stop, cluster))
    home.show(groups, sentence, cluster)
    if groups.is_behind:
        st.fragment(_wait, run_every=1.0)(groups_now)


def _wait(groups: Callable[[], loading.Groups]) -> None:
    """Draw the page again when all its parts are computed. If the lake cannot be read, draw the
    error.
    """
    try:
        is_behind = groups().is_behind
    except SnapshotError as error:
        problem.show(str(error))
        return
    if not is_behind:
        address.draw_again()


def _is_old(time: np.ndarray) -> bool:
    """Return whether the last slot is so old that the collector must have stopped."""
    step = (time[-1] - time[0]) / max(time.size - 1, 1)
    passed = datetime.now(UTC).timestamp() - time[-1]
    return passed > max(_OLD_SECONDS, _OLD_SLOTS * step)


# The last two readings of a cluster's groups in this session. The last reading is used until the
# cluster answers again.


_KEY = "groups-read"
_LOADING_SECONDS = 60.0
"""Brokers list no groups just after a restart. An empty list counts only after this time in
seconds.
"""


class Reading(NamedTuple):
    """The last two readings of a cluster's groups.

    `now`: the last reading. `before`: the reading before it. `groups`: groups of `now`, with the
    change of lag since `before`. `empty_since`: moment of the first empty list, by `clock.steady`.
    """

    cluster: str
    now: LiveList
    before: LiveList | None
    groups: pa.Table
    empty_since: float | None = None


def read(cluster: str) -> Reading | None:
    """Return the groups of a cluster. If they cannot be read, draw the error."""
    had = st.session_state.get(_KEY)
    had = had if had and had.cluster == cluster and reader().sees_some(cluster) else None
    try:
        # If groups are shown already, they stay visible with their age.
        with st.spinner("Reading the groups …") if had is None else nullcontext():
            now = live_list(cluster)
    except SnapshotError as error:
        had = had and _without_groups(had, error)
        _say(had, error)
        st.session_state[_KEY] = had
        return had
    if had is None or had.now.read_at != now.read_at or had.empty_since:
        st.session_state[_KEY] = _next(cluster, now, had)
    return st.session_state[_KEY]


def _next(cluster: str, now: LiveList, had: Reading | None) -> Reading:
    before = had and (had.now if had.now.read_at != now.read_at else had.before)
    groups = (
        with_lag_change(now.groups, before.groups, now.steady - before.steady)
        if before
        else now.groups
    )
    return Reading(cluster, now, before, groups)


def _without_groups(had: Reading, error: SnapshotError) -> Reading | None:
    """Return the reading that stays visible after an error. None if the cluster has listed no
    groups for `_LOADING_SECONDS`.
    """
    if not isinstance(error, NoGroupsError):
        return had._replace(empty_since=None)
    since = had.empty_since or clock.steady()
    return had._replace(empty_since=since) if clock.steady() - since < _LOADING_SECONDS else None


def _say(had: Reading | None, error: SnapshotError) -> None:
    if had is None:
        problem.show(str(error))
        return
    failure = (
        f"cluster {had.cluster}: the brokers list no groups now, and may still be loading them"
        if had.empty_since
        else str(error)
    )
    age.is_overdue()
    st.warning(f"{literal(failure)}. The last reading is shown.", icon=":material/cloud_off:")
