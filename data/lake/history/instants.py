"""Snapshots of a cluster between two times, from the lake. Ingested files have no cluster: each
time in their rows is a snapshot.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np

from evenkeel.data.errors import DamageError, NoGroupInRangeError
from evenkeel.data.group.tables.series import Axis, MissedSlots, axis_of
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import time_of
from evenkeel.data.lake.store import EVERY_GROUP, batches, table, times

# A page often reads all slots of a week, and parsing their times takes longer than everything else.
_time_of = lru_cache(100_000)(time_of)
# A batch never changes.
_times = lru_cache(10_000)(times)


LENGTH = timedelta(hours=24)
"""Length of a history if no start is given."""


LEAD = 20
"""Snapshots before a range: ten observations for the first verdict, and ten in which SLOW may have
started.
"""


class Instants(NamedTuple):
    """Batches in order of time, and their time axis. An ingested batch is listed once for each time
    in its rows, and each listed manifest has its time as `taken_at`.

    `lead`: number of batches at the start of `batches` that are before the range. They are not
    drawn, but they decide the state of a group at the start of the range.
    """

    batches: tuple[Manifest, ...]
    axis: Axis
    lead: int = 0


def instants(
    lake: Place,
    cluster: str | None,
    since: datetime | None = None,
    until: datetime | None = None,
    group_id: str | None | object = EVERY_GROUP,
) -> Instants:
    """Return the snapshots of a cluster from `since` to `until`, both included. Default: all
    snapshots.

    If `cluster` is None: one snapshot for each time in the rows of ingested files. With `group_id`:
    only times of this group.
    """
    # A snapshot that a page opened has only one group and is no slot, so it is left out.
    ours = [
        manifest
        for manifest in batches(lake)
        if manifest.cluster == cluster and (_time_of(manifest.batch) or not cluster)
    ]
    ours = (
        [manifest for manifest in ours if manifest.taken_at or not manifest.gap]
        if cluster
        else [at for manifest in ours for at in _at_times(lake, manifest, group_id)]
    )
    return instants_of(
        [
            manifest
            for manifest in ours
            if (since is None or _end(manifest) >= since)
            and (until is None or _start(manifest) <= until)
        ]
    )


def last_instants(
    lake: Place,
    cluster: str | None,
    since: datetime | None,
    until: datetime | None,
    group_id: str | None | object = EVERY_GROUP,
) -> Instants:
    """Return the snapshots from `since` to `until`. Without `since`: the last 24 hours before the
    latest snapshot.
    """
    snapshots = instants(lake, cluster, since, until, group_id)
    if since is None and snapshots.batches:
        return instants(
            lake,
            cluster,
            datetime.fromtimestamp(snapshots.axis.time[-1], UTC) - LENGTH,
            until,
            group_id,
        )
    return snapshots


def led_instants(
    lake: Place,
    cluster: str | None,
    since: datetime | None,
    until: datetime | None,
    group_id: str | None | object = EVERY_GROUP,
) -> Instants:
    """Return the snapshots of `last_instants`, and up to `LEAD` snapshots before them."""
    return with_lead(
        last_instants(lake, cluster, since, until, group_id),
        instants(lake, cluster, None, until, group_id),
    )


def _at_times(lake: Place, manifest: Manifest, group_id: str | None | object) -> list[Manifest]:
    """Return the manifest of an ingested batch once for each time in its rows, with this time as
    `taken_at`. Rows without a time are left out.
    """
    try:
        snapshots = _times(lake, manifest.batch, group_id) if manifest.holds_groups else ()
    except DamageError:
        # The history continues without this batch. The batch's own page names the damaged file.
        return []
    return [msgspec.structs.replace(manifest, taken_at=time) for time in snapshots if time]


def between(snapshots: Instants, since: float, until: float) -> Instants:
    """Return the snapshots from `since` to `until`: seconds since 1970, both included."""
    axis = snapshots.axis
    part = slice(
        int(np.searchsorted(axis.time, since)), int(np.searchsorted(axis.time, until, side="right"))
    )
    missed = tuple(gap for gap in axis.missed if gap.last >= since and gap.first <= until)
    return Instants(
        snapshots.batches[part], Axis(axis.batch[part], axis.slot[part], axis.time[part], missed)
    )


def with_lead(snapshots: Instants, whole: Instants) -> Instants:
    """Return the snapshots, and before them up to `LEAD` earlier snapshots from `whole`. `whole`
    must contain `snapshots`.
    """
    if not snapshots.batches:
        return snapshots
    place, axis = whole.axis.batch.index(snapshots.axis.batch[0]), whole.axis
    part = slice(max(place - LEAD, 0), place + len(snapshots.batches))
    led = Axis(axis.batch[part], axis.slot[part], axis.time[part], snapshots.axis.missed)
    return Instants(whole.batches[part], led, place - part.start)


def part_of(snapshots: Instants, row: np.ndarray) -> Instants:
    """Return the snapshots at the positions `row` (ascending), without the gaps between them."""
    axis = snapshots.axis
    batches, names = (
        tuple(column[place] for place in row.tolist()) for column in (snapshots.batches, axis.batch)
    )
    return Instants(batches, Axis(names, axis.slot[row], axis.time[row]))


def groups_of(lake: Place, snapshots: Instants) -> list[str]:
    """Return the groups in the first or the last snapshot of the range. Other snapshots are not
    searched. Snapshots without a cluster: the groups of all ingested files in `snapshots`.
    """
    ends = [
        manifest for manifest in snapshots.batches if not manifest.cluster
    ] or snapshots.batches[snapshots.lead :][:1] + snapshots.batches[-1:]
    names = {
        name
        for batch in {manifest.batch for manifest in ends}
        for name in table(lake, batch, "GROUP_LOAD")["group_id"].unique().to_pylist()
    }
    return sorted(names - {None})


def no_group(lake: Place, group_id: str, snapshots: Instants) -> NoGroupInRangeError:
    """Return the error for a group that has no snapshot. The error names the existing groups."""
    return NoGroupInRangeError(lake, group_id, groups_of(lake, snapshots))


def collected_clusters(lake: Place) -> list[str]:
    """Return the clusters that have slots in the lake."""
    return sorted(
        {
            manifest.cluster
            for manifest in batches(lake)
            if manifest.cluster and _time_of(manifest.batch)
        }
    )


def instants_of(batches_read: Sequence[Manifest]) -> Instants:
    """Return batches in order of time. A batch for missed slots has no rows and becomes a gap."""
    by_time = sorted(batches_read, key=_start)
    read = tuple(
        manifest
        for manifest in by_time
        if not manifest.gap and manifest.taken_at and manifest.holds_groups
    )
    missed = tuple(
        MissedSlots(manifest.taken_at.timestamp(), _end(manifest).timestamp(), manifest.gap)
        for manifest in by_time
        if manifest.gap and manifest.taken_at
    )
    start = np.array([_start(manifest).timestamp() for manifest in read])
    time = np.array([manifest.taken_at.timestamp() for manifest in read])
    names = tuple(
        manifest.batch if manifest.cluster else moment_of(manifest.batch, manifest.taken_at)
        for manifest in read
    )
    return Instants(read, axis_of(names, start, time, missed))


def _start(manifest: Manifest) -> datetime:
    time = None if manifest.gap or not manifest.cluster else _time_of(manifest.batch)
    time = time or manifest.taken_at
    assert time
    return time


def _end(manifest: Manifest) -> datetime:
    return manifest.gap_until or _start(manifest)


# A moment is a batch, or a batch and a time if its rows may have several times.


def moment_of(batch: str, time: datetime | None) -> str:
    """Return the name of a moment: its batch and time, or only the batch if the time is unknown."""
    return f"{batch}@{time.isoformat()}" if time else batch


def parted(moment: str) -> tuple[str, datetime | None]:
    """Return the batch and the time in the name of a moment. The time is None if the name has no
    time.
    """
    batch, _, time = moment.partition("@")
    return batch, datetime.fromisoformat(time) if time else None
