"""Groups of live clusters. A list is read every 15 seconds at most, and never twice at once."""

from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

import pyarrow as pa

from dashboard.loading.cache.cache import ALL, kept
from dashboard.loading.uploads import imported
from dashboard.view import Opened
from data.configuration import configuration
from data.document import Document
from data.lake import store
from data.lake.manifest import Manifest
from data.live import for_pages
from data.live import on_the_way as underway
from data.live.on_the_way import OnTheWay
from data.live.replay import Replay, replay

_MOST_SNAPSHOTS = 500

LIST_SECONDS = 15
"""A younger list serves again."""


class LiveList(NamedTuple):
    """GROUPS of a cluster, worst first, and when they were read."""

    groups: pa.Table
    read_at: datetime


def cluster_names() -> list[str]:
    """Return the clusters of the configuration."""
    return for_pages.cluster_names()


def takes_addresses() -> bool:
    """Tell whether a person may type the address of a cluster."""
    return for_pages.takes_addresses()


def live_list(cluster: str) -> LiveList:
    """Return the groups of a cluster.

    Raises
    ------
    SnapshotError
        When it does not answer, or refuses.
    """
    return ALL.get((live_list, cluster), partial(_read_list, cluster), LIST_SECONDS)


def _read_list(cluster: str) -> LiveList:
    return LiveList(for_pages.groups_of(cluster), datetime.now(UTC))


def live_snapshot(cluster: str, group_id: str) -> str:
    """Read one group now and return the batch that holds it.

    Raises
    ------
    SnapshotError
        When the cluster does not answer, or the group is not there.
    """
    return for_pages.stored_snapshot(cluster, group_id)


def cluster_of(group: Opened) -> str | None:
    """Return the cluster that a group was read from, None for listings and worked examples."""
    return imported(group.batch).manifest.cluster if group.batch else None


@kept
def replayed(group: Opened) -> Replay | None:
    """Return the replay of what the members of a live group sent, None where it is not known."""
    return replay(_document(group))


@kept
def on_the_way(group: Opened) -> OnTheWay:
    """Return the members of a live group that are still moving to their target assignment."""
    return underway.on_the_way(_document(group))


@kept
def _document(group: Opened) -> Document:
    """Read a stored group once, for all that is asked of it."""
    return for_pages.document_of_batch(group.batch, group.group_id)


def collected(cluster: str) -> list[Manifest]:
    """Return the snapshots of a cluster that `evenkeel collect` has stored, the latest first."""
    return [one for one in store.batches(configuration().lake) if one.cluster == cluster and not one.gap][:_MOST_SNAPSHOTS]


def snapshot_of(batch: str) -> Manifest:
    """Return the manifest of a snapshot."""
    return store.batch(configuration().lake, batch)
