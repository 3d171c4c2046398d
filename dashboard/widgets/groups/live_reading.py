"""The last two readings of a cluster's groups in this session; the last one stays while the cluster gives no other."""

from contextlib import nullcontext
from typing import NamedTuple

import pyarrow as pa
import streamlit as st

from evenkeel.dashboard import loading
from evenkeel.dashboard.widgets.parts import age, problem
from evenkeel.dashboard.words.names import literal
from evenkeel.data import clock
from evenkeel.data.errors import NoGroupsError, SnapshotError
from evenkeel.data.tables.lag import with_lag_change

_KEY = "groups-read"
_LOADING_SECONDS = 60.0
"""Brokers that restart list no groups at first: an empty list counts only after this time."""


class Reading(NamedTuple):
    """`groups` of the reading `now`, with the change of their lags since `before`.

    `empty_since`: when the first empty list came, by `clock.steady`.
    """

    cluster: str
    now: loading.LiveList
    before: loading.LiveList | None
    groups: pa.Table
    empty_since: float | None = None


def read(cluster: str) -> Reading | None:
    """Return the groups of a cluster; show the error if they cannot be read."""
    had = st.session_state.get(_KEY)
    had = had if had and had.cluster == cluster else None
    try:
        # Groups that are shown already stay, with their age.
        with st.spinner("Reading the groups …") if had is None else nullcontext():
            now = loading.live_list(cluster)
    except SnapshotError as error:
        had = had and _without_groups(had, error)
        _say(had, error)
        st.session_state[_KEY] = had
        return had
    if had is None or had.now.read_at != now.read_at or had.empty_since:
        st.session_state[_KEY] = _next(cluster, now, had)
    return st.session_state[_KEY]


def _next(cluster: str, now: loading.LiveList, had: Reading | None) -> Reading:
    before = had and (had.now if had.now.read_at != now.read_at else had.before)
    groups = with_lag_change(now.groups, before.groups, now.steady - before.steady) if before else now.groups
    return Reading(cluster, now, before, groups)


def _without_groups(had: Reading, error: SnapshotError) -> Reading | None:
    """Return the reading that stays after an error: none if the cluster has listed no groups for long."""
    if not isinstance(error, NoGroupsError):
        return had._replace(empty_since=None)
    since = had.empty_since or clock.steady()
    return had._replace(empty_since=since) if clock.steady() - since < _LOADING_SECONDS else None


def _say(had: Reading | None, error: SnapshotError) -> None:
    if had is None:
        problem.show(str(error))
        return
    what = f"cluster {had.cluster}: the brokers list no groups now, and may still be loading them" if had.empty_since else str(error)
    age.is_overdue()
    st.warning(f"{literal(what)}. The last reading is shown.", icon=":material/cloud_off:")
