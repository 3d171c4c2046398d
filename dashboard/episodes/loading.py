"""Figures for gauges, from the last slots of the lake: members of all collected groups, and whether
the collector has stopped.
"""

import threading
from collections.abc import Callable

import numpy as np

from evenkeel.dashboard.episodes.members import MemberLoad, member_loads
from evenkeel.dashboard.shell.cache import ALL, missing
from evenkeel.dashboard.shell.loading.episodes import cluster_slots
from evenkeel.dashboard.shell.loading.example import lake_of
from evenkeel.dashboard.shell.reader import reader
from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.episodes.recent_slots import recent_slots
from evenkeel.data.episodes.silent import Silent, silent
from evenkeel.data.lake.history.instants import Instants
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.place import Place

_SLOTS = 120
"""Number of last slots that are searched for a member's time lag."""

_TURN = threading.Lock()


def open_members(cluster: str) -> list[MemberLoad]:
    """Return the members of the cluster's groups. Groups that the reader may not see are left out.
    Empty if no gauge shows members. While newer slots are being read, the members are from earlier
    slots.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    if not configuration().member_series:
        return []
    lake, newest = lake_of(cluster), last_of(cluster_slots(cluster), _SLOTS)
    if not newest.batches:
        return []
    last = (open_members, lake, cluster)

    def read(is_asked: Callable[[], bool]) -> None:
        ALL.put(last, _loads(lake, cluster, newest))

    missing({(*last, newest.batches[-1].batch): read}, turn=_TURN)
    who = reader()
    loads: list[MemberLoad] = ALL.find(last) or []
    return [load for load in loads if who.sees(cluster, load.group)]


def _loads(lake: Place, cluster: str, newest: Instants) -> list[MemberLoad]:
    return [
        load
        for group, evidence in recent_slots(lake, cluster).evidence_of(newest)
        for load in member_loads(cluster, group, evidence)
    ]


def silent_cluster(cluster: str) -> Silent | None:
    """Return the cluster if its last three slots are missing and the reader may see the cluster;
    otherwise None.
    """
    newest = cluster_slots(cluster) if reader().sees_some(cluster) else None
    if newest is None or newest.axis.time.size < 2:
        return None
    step = float(np.median(np.diff(newest.axis.time)))
    return silent(cluster, cluster, float(newest.axis.time[-1]), step, clock.seconds())
