"""The readings of an open group: the snapshots of its cluster, or the times in its files."""

from functools import partial
from typing import NamedTuple

from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.clusters import cluster_of
from evenkeel.dashboard.view import Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.lake import store
from evenkeel.data.lake.history.history import History, history_in
from evenkeel.data.lake.history.instants import Instants, instants
from evenkeel.data.lake.history.recent import SLOTS, last_of
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.store import EVERY_GROUP

SECONDS = 15
"""A younger list of readings serves again."""


class Readings(NamedTuple):
    """What a lake has of a group: an upload is a lake of its own."""

    lake: Place
    cluster: str | None
    found: Instants

    def history(self, group_id: str, found: Instants | None = None) -> History:
        """Read the group at all of them, or at some."""
        return history_in(self.lake, group_id, found or self.found, self.cluster)

    def last(self) -> Instants:
        """Return the last ones, which say what is so now."""
        return last_of(self.found, SLOTS)


def readings(group: Opened) -> Readings:
    """Return the readings of a stored group.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    lake = configuration().lake
    # A page asks several times, and a day's manifest has thousands of slots.
    cluster = ALL.get((cluster_of, lake, group.batch), partial(cluster_of, group), SECONDS)
    home = lake if cluster else store.home_of(lake, group.batch)
    # Of a cluster all groups are read at once, of files each group has times of its own.
    group_id = EVERY_GROUP if cluster else group.group_id
    key = (instants, home, cluster, None if cluster else group_id)
    return Readings(home, cluster, ALL.get(key, partial(instants, home, cluster, group_id=group_id), SECONDS))
