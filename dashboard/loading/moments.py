"""Moments at which uploads and stored batches show a group: the times in its rows, else when its listing was taken or read."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime

from dashboard.loading.cache.cache import kept
from dashboard.view import Opened
from data.configuration import configuration
from data.errors import SnapshotError
from data.lake import store
from data.lake.manifest import Manifest

_MOST_STORED = 50


def moments(group: Opened, batches: Iterable[str]) -> dict[str, datetime]:
    """Return the moments of a group in these batches, the latest first: their names in `Opened.earlier`, and their times.

    A listing without a group's name has none.
    """
    found: dict[str, datetime] = {}
    for batch in dict.fromkeys(batches) if group.group_id is not None else ():
        with suppress(SnapshotError):
            found |= _moments(store.batch(configuration().lake, batch), group.group_id)
    return dict(sorted(found.items(), key=lambda one: one[1], reverse=True))


def stored_batches() -> list[str]:
    """Return what `evenkeel ingest` has stored last."""
    return [one.batch for one in store.batches(configuration().lake) if one.holds_groups and not one.cluster][:_MOST_STORED]


def parted(moment: str) -> tuple[str, datetime | None]:
    """Return the batch of a moment and the time in its rows, None where they carry none."""
    batch, _, time = moment.partition("@")
    return batch, datetime.fromisoformat(time) if time else None


def time_of(moment: str) -> datetime:
    """Return the time of a moment."""
    batch, time = parted(moment)
    return time or _read_at(store.batch(configuration().lake, batch))


def _moments(manifest: Manifest, group_id: str) -> dict[str, datetime]:
    times = () if manifest.cluster else _times(manifest.batch, group_id)
    return {f"{manifest.batch}@{time.isoformat()}" if time else manifest.batch: time or _read_at(manifest) for time in times}


def _read_at(manifest: Manifest) -> datetime:
    return manifest.taken_at or manifest.ingested_at


@kept
def _times(batch: str, group_id: str) -> tuple[datetime | None, ...]:
    return tuple(store.table(configuration().lake, batch, "GROUP_LOAD", group_id)["taken_at"].unique().to_pylist())
