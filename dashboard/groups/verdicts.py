"""Verdicts of all groups that a collector follows, from the lake."""

import threading
from functools import partial
from typing import NamedTuple

import pyarrow as pa

from evenkeel.dashboard.shell.cache import ALL, missing
from evenkeel.dashboard.shell.loading.example import lake_of
from evenkeel.dashboard.shell.reader import reader, seen
from evenkeel.data.configuration import configuration
from evenkeel.data.group.tables.series import Axis
from evenkeel.data.lake.history.instants import Instants, collected_clusters, instants
from evenkeel.data.lake.history.recent import SLOTS, last_of, verdicts_in, with_older_time_lags
from evenkeel.data.lake.history.verdict_ages import with_older_since
from evenkeel.data.lake.place import Place

SECONDS = 15
"""Seconds for which the list of clusters is reused."""

LIST_SECONDS = 60
"""Seconds for which verdicts are reused; thousands of groups take seconds of processor time."""

_TURN = threading.Lock()


class ListedVerdicts(NamedTuple):
    """Table GROUP_VERDICT of some slots, and the `axis` of these slots. `is_behind`: whether newer
    slots are being read.
    """

    groups: pa.Table | None
    axis: Axis | None
    is_behind: bool


def listed_verdicts(cluster: str) -> ListedVerdicts:
    """Return the verdicts of a cluster's groups at once.

    The newest slots are read in the background, because thousands of groups take seconds. Until
    they are read, the verdicts are from earlier slots. If there are no earlier slots, `groups` is
    None.

    Raises
    ------
    SnapshotError
        If the lake cannot be read.
    """
    who = reader()
    if not who.sees_some(cluster):
        return ListedVerdicts(None, None, False)
    verdicts = _listed(cluster)
    if verdicts.groups is None or who.sees_all(cluster):
        return verdicts
    key = (listed_verdicts, lake_of(cluster), cluster, verdicts.axis.batch[-1], who.scope)
    return verdicts._replace(
        groups=ALL.get(key, lambda: seen(verdicts.groups, cluster), LIST_SECONDS)
    )


def _listed(cluster: str) -> ListedVerdicts:
    """Return the verdicts of all groups, including groups that the reader may not see."""
    lake, newest = lake_of(cluster), newest_slots(cluster)
    if not newest.batches:
        return ListedVerdicts(None, None, False)
    key, last = (_looked_at, lake, cluster, newest.batches[-1].batch), (_looked_at, lake, cluster)
    verdicts = ALL.find(last)
    if verdicts and verdicts.axis.batch[-1] == newest.batches[-1].batch:
        return verdicts
    is_behind = bool(
        missing(
            {key: lambda is_asked: ALL.put(last, _looked_at(lake, cluster, newest))}, turn=_TURN
        )
    )
    verdicts = ALL.find(last)
    if verdicts is None and not is_behind:
        # The cache has removed the verdicts to free memory.
        verdicts = _looked_at(lake, cluster, newest)
    return (
        verdicts._replace(is_behind=is_behind)
        if verdicts
        else ListedVerdicts(None, None, is_behind)
    )


def last_batch(cluster: str) -> str | None:
    """Return the batch of a cluster's last slot, None if no slot is stored."""
    newest = newest_slots(cluster) if reader().sees_some(cluster) else None
    return newest.axis.batch[-1] if newest and newest.batches else None


def newest_slots(cluster: str) -> Instants:
    """Return the last slots of a cluster, as many as a verdict needs."""
    lake = lake_of(cluster)
    return ALL.get(
        (newest_slots, lake, cluster), lambda: last_of(instants(lake, cluster), SLOTS), LIST_SECONDS
    )


def _looked_at(lake: Place, cluster: str, newest: Instants) -> ListedVerdicts:
    groups = with_older_since(lake, cluster, verdicts_in(lake, newest, cluster).groups, newest)
    return ListedVerdicts(with_older_time_lags(lake, cluster, groups, newest), newest.axis, False)


def followed_clusters() -> list[str]:
    """Return the clusters that have slots in the lake. A cluster is left out if the reader may see
    none of its groups.
    """
    lake = configuration().lake
    clusters = ALL.get((followed_clusters, lake), partial(collected_clusters, lake), SECONDS)
    return [cluster for cluster in clusters if reader().sees_some(cluster)]
