"""Verdicts of all groups that a collector follows, from the lake."""

from functools import partial

from dashboard.loading.cache.cache import ALL
from data.configuration import configuration
from data.lake.history.instants import collected_clusters
from data.lake.history.recent import recent_verdicts
from data.tables.transforms.history.verdicts import VerdictTables

SECONDS = 15
"""Younger verdicts serve again."""


def verdicts_of(cluster: str) -> VerdictTables:
    """Return GROUP_VERDICT and MEMBER_VERDICT of a cluster's last slots, empty where none is collected.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    lake = configuration().lake
    return ALL.get((verdicts_of, lake, cluster), partial(recent_verdicts, lake, cluster), SECONDS)


def followed_clusters() -> list[str]:
    """Return the clusters of which the lake has slots."""
    lake = configuration().lake
    return ALL.get((followed_clusters, lake), partial(collected_clusters, lake), SECONDS)
