"""Live clusters for pages: one connection for each cluster and process, lists of groups, and
snapshots of groups. A snapshot is stored as a batch, so that every page can open it.

Kafka's clients are imported only at the first request to a cluster.
"""

import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import pyarrow as pa

from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.clusters import profile_of, profiles
from evenkeel.data.errors import NoGroupsError, SnapshotError, UnansweredError
from evenkeel.data.extras import required
from evenkeel.data.group.document import Document
from evenkeel.data.lake import run
from evenkeel.data.lake.import_folder import private_place
from evenkeel.data.live.application_replay import with_found_settings
from evenkeel.data.live.reading.application import LiveApplication
from evenkeel.data.tally import LIVE_ERRORS, LIVE_REQUESTS

if TYPE_CHECKING:
    from evenkeel.data.live.connection import Connection
    from evenkeel.data.live.reading.documents import LiveGroup
    from evenkeel.data.live.reading.readiness import LiveReadiness

T = TypeVar("T")

_LOADING_SECONDS, _PAUSE_SECONDS = 4.0, 0.5
_AGE_SECONDS = 2.0


def cluster_names() -> list[str]:
    """Return the clusters of the configuration.

    Raises
    ------
    SnapshotError
        If the settings of a cluster are wrong.
    """
    return list(profiles(configuration().clusters))


def can_be_read(cluster: str) -> bool:
    """Return whether this process may connect to the cluster: it is configured, or its address is
    allowed. Collected and uploaded groups may be from other clusters.
    """
    try:
        return bool(profile_of(cluster))
    except SnapshotError:
        return False


def takes_addresses() -> bool:
    """Return whether users may enter the address of a cluster (`[live] free_form`)."""
    return configuration().free_form


@required("live")
def groups_of(cluster: str) -> pa.Table:
    """Return GROUPS of a cluster, largest lag first.

    Raises
    ------
    NoGroupsError
        If no group is visible for four seconds. Restarted brokers list no groups at first.
    SnapshotError
        If the cluster does not answer or refuses.
    """
    from evenkeel.data.live.reading.group_list import group_list, none_visible

    deadline = time.monotonic() + _LOADING_SECONDS
    while not (rows := _with_connection(cluster, group_list)).num_rows:
        if time.monotonic() > deadline:
            raise NoGroupsError(none_visible(cluster))
        time.sleep(_PAUSE_SECONDS)
    return rows


@required("live")
def read_group(cluster: str, group_id: str) -> "LiveGroup":
    """Read a group now.

    Raises
    ------
    SnapshotError
        If the cluster does not answer, or does not have the group.
    """
    from evenkeel.data.live.reading.documents import live_groups
    from evenkeel.data.live.reading.group_list import chosen_groups

    (group,) = _with_connection(
        cluster,
        lambda connection: live_groups(
            connection, chosen_groups(connection, [group_id]), age_seconds=_AGE_SECONDS
        ),
    )
    if group.document is None:
        raise SnapshotError(f"cluster {cluster}, group {group_id}: {'; '.join(group.problems)}")
    problems = [*group.problems, *([group.unread] if group.unread else [])]
    return group._replace(
        problems=problems, application=group.application and with_found_settings(group.application)
    )


@required("live")
def readiness_of(cluster: str) -> "LiveReadiness":
    """Read a cluster's groups with their members' data, and the broker settings that decide whether
    a group can change its protocol.

    Raises
    ------
    SnapshotError
        If the cluster does not answer, or no group is visible.
    """
    from evenkeel.data.live.reading.readiness import live_readiness

    return _with_connection(cluster, live_readiness)


class Snapshot(NamedTuple):
    """A group that was just read: its document, and the random id of its stored batch.

    `application`: set if the group is a Kafka Streams application.
    """

    batch: str
    document: Document
    application: LiveApplication | None = None


@required("live")
def stored_snapshot(cluster: str, group_id: str) -> Snapshot:
    """Read a group now and store it as a batch in a new private folder. The batch is deleted after
    the time in `[lake] keep_uploads`.

    Raises
    ------
    SnapshotError
        If `read_group` fails, or if the lake cannot be written.
    """
    from evenkeel.data.live.reading.tables import manifest_of, parsed_groups

    live = read_group(cluster, group_id)
    batch = secrets.token_urlsafe(16)
    manifest = manifest_of(cluster, batch, live.document.taken_at, live.problems)
    with private_place(configuration().lake, batch, is_upload=False) as home:
        run.store_parsed(parsed_groups(cluster, [(1, live)]), manifest, home)
    return Snapshot(batch, live.document, live.application)


def _with_connection(cluster: str, question: "Callable[[Connection], T]") -> T:
    """Send a request to a cluster. Requests and errors are counted for Evenkeel's metrics."""
    LIVE_REQUESTS.add()
    try:
        return _answer(cluster, question)
    except SnapshotError:
        LIVE_ERRORS.add()
        raise


def _answer(cluster: str, question: "Callable[[Connection], T]") -> T:
    """Send a request over this process's connection to the cluster. If the request fails, the
    connection is closed. A cluster that is not in the configuration gets a new connection for each
    request.
    """
    from evenkeel.data.live.connection import connected, drop, open_connection

    if cluster not in configuration().clusters:
        with connected(cluster) as connection:
            return question(connection)
    connection = open_connection(profile_of(cluster))
    try:
        return question(connection)
    except UnansweredError:
        drop(connection)
        raise
