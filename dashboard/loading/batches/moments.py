"""Moments at which uploads and stored batches show a group: the times in its rows, else when its listing was taken or read."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from evenkeel.dashboard.loading.cache.cache import kept
from evenkeel.dashboard.view import Opened
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import store
from evenkeel.data.lake.history.instants import moment_of, parted
from evenkeel.data.lake.manifest import Manifest

_MOST_STORED = 200


def moments(group: Opened, batches: Iterable[str]) -> dict[str, datetime]:
    """Return the moments of a stored group in these batches, the latest first: their names in `Opened.earlier`, and their times.

    A batch of another cluster shows another group of this name. A listing without a group's name has no moments.
    """
    lake = configuration().lake
    found: dict[str, datetime] = {}
    for batch in dict.fromkeys(batches) if group.group_id is not None else ():
        with suppress(SnapshotError):
            manifest = store.batch(lake, batch)
            found |= _moments(manifest, group.group_id) if manifest.cluster == store.batch(lake, group.batch).cluster else {}
    return dict(sorted(found.items(), key=lambda one: one[1], reverse=True))


class StoredLast(NamedTuple):
    """Batches, the last stored first, and how many older ones there are."""

    batches: list[str]
    older_count: int


def stored_batches(group: Opened) -> StoredLast:
    """Return the batches that `evenkeel ingest`, or `evenkeel collect` of the group's cluster, has stored last."""
    lake = configuration().lake
    cluster = store.batch(lake, group.batch).cluster
    found = [one.batch for one in store.batches(lake) if one.holds_groups and one.cluster == cluster]
    return StoredLast(found[:_MOST_STORED], len(found[_MOST_STORED:]))


def time_of(moment: str) -> datetime:
    """Return the time of a moment."""
    batch, time = parted(moment)
    return time or _read_at(store.batch(configuration().lake, batch))


def _moments(manifest: Manifest, group_id: str) -> dict[str, datetime]:
    found = _times(manifest.batch, group_id)
    # Rows without a time beside others that have one are of no moment.
    times = [time for time in found if time] or found
    return {moment_of(manifest.batch, time): time or _read_at(manifest) for time in times}


def _read_at(manifest: Manifest) -> datetime:
    return manifest.taken_at or manifest.ingested_at


@kept
def _times(batch: str, group_id: str) -> tuple[datetime | None, ...]:
    return tuple(store.times(configuration().lake, batch, group_id))
