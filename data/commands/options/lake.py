"""Options for the lake, its cluster and its snapshots: `--out`, `--cluster`, `--from`, `--to`."""

import argparse
import shlex
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.conversion import Duration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.formats import counted, listed

if TYPE_CHECKING:
    from evenkeel.data.lake.history.instants import Instants
    from evenkeel.data.lake.place import Place
    from evenkeel.data.prometheus.facts import PastFacts

PAST_LEAD = timedelta(minutes=30)
"""Extra time before a range: the first verdict in the range needs earlier snapshots."""


def add_lake(parser: argparse.ArgumentParser) -> None:
    """Declare `--out`, the lake."""
    parser.add_argument(
        "--out",
        metavar="LAKE",
        help=(
            "the lake: a folder, or a URL such as s3://bucket/lake (default: [lake] path of"
            " evenkeel.toml)"
        ),
    )


def lake_of(options: argparse.Namespace) -> "Place":
    """Return the lake that `--out` names, else the lake of the configuration.

    Both use the storage settings of `[lake]`.

    Raises
    ------
    SnapshotError
        If the URL has an unknown scheme.
    """
    from evenkeel.data.lake.place import place_of

    chosen = configuration()
    return place_of(options.out, chosen.storage) if options.out else chosen.lake


# `--from`, `--to` and the cluster of a history.


def add_instants(parser: argparse.ArgumentParser) -> None:
    """Declare the options for the history of a group."""
    parser.add_argument(
        "--group",
        metavar="G",
        help="the group (default: all groups of the cluster, one line each)",
    )
    add_range(parser)


def add_range(parser: argparse.ArgumentParser) -> None:
    """Declare the options that choose snapshots and the lake."""
    parser.add_argument(
        "--cluster", metavar="C", help="the collected cluster, if the lake has several"
    )
    add_ends(parser)
    parser.add_argument(
        "--lake",
        "--out",
        dest="out",
        metavar="LAKE",
        help="a folder, or a URL such as s3://bucket/lake (default: [lake] path of evenkeel.toml)",
    )


def add_ends(parser: argparse.ArgumentParser, prefix: str = "") -> None:
    """Declare `--from` and `--to`. `prefix`: words before the help text of each option."""
    parser.add_argument(
        "--from",
        dest="since",
        metavar="ISO",
        type=iso_time,
        help=f"{prefix}the first snapshot (default: 24 hours before the last)",
    )
    parser.add_argument(
        "--to",
        dest="until",
        metavar="ISO",
        type=iso_time,
        help=f"{prefix}the last snapshot (default: the newest)",
    )


def with_past_of(
    lake: "Place",
    cluster: str | None,
    group_id: str | None,
    since: datetime | None,
    until: datetime | None,
    lead: timedelta = PAST_LEAD,
) -> "tuple[Place, PastFacts | None]":
    """Add snapshots from the cluster's metrics store to the lake. Return the new lake and facts
    about the store.

    Without `[clusters.NAME.history]`: the unchanged lake and None. `group_id`: only snapshots of
    this group are added; None: of all groups. `lead`: snapshots are added from `since` - `lead`.

    Raises
    ------
    SnapshotError
        If the store does not answer.
    """
    from evenkeel.data.configuration.clusters import profile_with_past
    from evenkeel.data.extras import required
    from evenkeel.data.lake.history.instants import LENGTH, collected_clusters

    names = [cluster] if cluster else collected_clusters(lake)
    profile = profile_with_past(names[0]) if len(names) == 1 else None
    if profile is None:
        return lake, None
    with required("live"):
        from evenkeel.data.prometheus.past import Past, with_past
    last = until or clock.now()
    first = (since or last - LENGTH) - lead
    with closing(Past(profile)) as past:
        return with_past(lake, past, group_id, first, last)


def chosen_cluster(lake: "Place", cluster: str | None) -> str | None:
    """Return the named cluster, or the only cluster; None for a lake with only ingested files.

    Raises
    ------
    SnapshotError
        If the named cluster is missing, or if the lake has several clusters and no name is given.
    """
    from evenkeel.data.lake.history.instants import collected_clusters

    clusters = collected_clusters(lake)
    if cluster is not None and cluster not in clusters:
        if clusters:
            others = f"expected {listed(clusters)}"
        else:
            others = f"and none of another cluster; {collecting(lake, cluster)}"
        raise SnapshotError(f"--cluster {cluster}: {lake} has no snapshot of it, {others}")
    if cluster is None and len(clusters) > 1:
        raise SnapshotError(f"{lake} has snapshots of {listed(clusters)}; choose with --cluster")
    return cluster or next(iter(clusters), None)


def collecting(lake: "Place", cluster: str) -> str:
    """Return a sentence with the command that stores snapshots of a cluster."""
    command = shlex.join(["evenkeel", "collect", "--cluster", cluster, "--out", str(lake)])
    return f"{command} stores a snapshot every 30 s"


def chosen_instants(
    lake: "Place",
    cluster: str | None,
    since: datetime | None,
    until: datetime | None,
    group_id: str | None = None,
) -> "Instants":
    """Return the snapshots between two moments, by default the last 24 hours.

    `group_id`: only snapshots with this group.

    Raises
    ------
    SnapshotError
        If there is no snapshot, or no snapshot with the group.
    """
    from evenkeel.data.lake.history.instants import last_instants, no_group
    from evenkeel.data.lake.store import EVERY_GROUP, batches

    snapshots = last_instants(
        lake, cluster, since, until, EVERY_GROUP if group_id is None else group_id
    )
    if not snapshots.batches and not batches(lake):
        raise SnapshotError(
            f"{lake} has no snapshot: evenkeel collect writes snapshots, and evenkeel ingest too"
            " for listings with a time"
        )
    if (
        not snapshots.batches
        and group_id is not None
        and (others := last_instants(lake, cluster, since, until)).batches
    ):
        raise no_group(lake, group_id, others)
    if not snapshots.batches:
        raise SnapshotError(_nothing_there(lake, cluster, since, until))
    return snapshots


def _nothing_there(
    lake: "Place", cluster: str | None, since: datetime | None, until: datetime | None
) -> str:
    from evenkeel.data.lake.history.instants import instants

    axis = instants(lake, cluster).axis
    of = f"of cluster {cluster}" if cluster else "with a time"
    if not axis.time.size:
        return f"{lake} has no snapshot {of}"
    first, last = (_iso(datetime.fromtimestamp(time, UTC)) for time in axis.time[[0, -1]])
    there = f"it has {counted(axis.time.size, 'snapshot')}, from {first} to {last}"
    if since and until and since > until:
        return f"--from {_iso(since)} is after --to {_iso(until)}; {lake}: {there}"
    span = [f"{word} {_iso(time)}" for word, time in (("from", since), ("to", until)) if time]
    return f"{lake} has no snapshot {' '.join([of, *span])}; {there}"


def _iso(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def iso_time(text: str) -> datetime:
    """Read the value of an option as a time; UTC if the value has no time zone."""
    try:
        time = datetime.fromisoformat(text)
        return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(
            f'found "{text}", expected a time such as 2026-11-10T08:30:00Z'
        ) from None


def whole_seconds(text: str) -> int:
    """Read the value of an option as a duration in whole seconds."""
    try:
        seconds = Duration.parse(text).total_seconds()
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if seconds < 1 or seconds % 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is {seconds:g} seconds, expected whole seconds, at least 1s"
        )
    return int(seconds)
