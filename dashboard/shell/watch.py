"""Watching a live cluster: the interval after which it is read again."""

import math
from datetime import UTC, datetime, timedelta

import streamlit as st

from evenkeel.dashboard.names import literal
from evenkeel.dashboard.shell import age
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.loading.clusters import live_snapshot
from evenkeel.data.errors import SnapshotError

_OFF = "Off"
_EVERY = {_OFF: None, "10 s": 10.0, "30 s": 30.0, "1 min": 60.0, "5 min": 300.0}
_GRACE_SECONDS = 5.0
"""Time that a reading may take before it is overdue."""


def seconds(key: str) -> float | None:
    """Return the chosen interval in seconds. None if the cluster is not watched. Call this before
    `show`.
    """
    return _EVERY[_choice(key).follow()]


def show(key: str) -> float | None:
    """Draw the choice of the interval and return the interval in seconds, or None."""
    st.html('<span class="note">Watch</span>', width="content")
    return _EVERY[_choice(key).show("Watch")]


def _choice(key: str) -> Options:
    return Options(key, list(_EVERY), _OFF, "interval of Watch", "watch")


def due(every: float | None, at_most_every: float = 0.0) -> float | None:
    """Return the age in seconds at which a refresh is overdue. None if the cluster is not watched.
    `at_most_every`: the shortest time between two refreshes.
    """
    return every and max(math.ceil(at_most_every / every), 1) * every + _GRACE_SECONDS


# The next reading of a live group. If the cluster does not answer, the old reading and its age
# remain.


def is_due(taken_at: datetime | None, every: float | None) -> bool:
    """Return whether a reading is about as old as `every` seconds, or was made before the clock
    was set back. False if the cluster is not watched.
    """
    if not (every and taken_at):
        return False
    return abs(datetime.now(UTC) - taken_at) >= 0.9 * timedelta(seconds=every)


def next_reading(cluster: str, group_id: str) -> str | None:
    """Read a group again and return the new batch. If there is no new reading, show why and return
    None.
    """
    try:
        return live_snapshot(cluster, group_id)
    except SnapshotError as error:
        age.is_overdue()
        st.warning(
            f"{literal(str(error))}. The last reading is shown.", icon=":material/cloud_off:"
        )
        return None
