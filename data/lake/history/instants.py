"""Instants: which snapshots a lake has of a cluster, or which times its files have, between two
moments.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np

from evenkeel.data.errors import DamageError, NoGroupInRangeError
from evenkeel.data.group.tables.series import Axis, Missed, axis_of
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import time_of
from evenkeel.data.lake.store import EVERY_GROUP, batches, table, times

# A page asks for all slots of a week again and again, and reading a time takes longer than all the
# rest.
_time_of = lru_cache(100_000)(time_of)
# A batch is never changed.
_times = lru_cache(10_000)(times)


LENGTH = timedelta(hours=24)
"""Of a history whose beginning is not named."""


LEAD = 20
"""Snapshots before a range: ten observations for its first verdict, and ten in which SLOW may have
begun to last.
"""


class Instants(NamedTuple):
    """Batches with rows, by time, and their axis. A batch of files stands here once for each time
    in its rows, which is its `taken_at`.

    `lead`: how many of the first stand before the range: they say what holds at its beginning, and
    are not shown.
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
    """Return the snapshots of a cluster from `since` to `until`, both included, by default all.

    Without a cluster: what was ingested, at each time in its rows; of one group, the times that
    show it.
    """
    # What a person opened on a page has one group, and is no slot.
    ours = [
        one
        for one in batches(lake)
        if one.cluster == cluster and (_time_of(one.batch) or not cluster)
    ]
    ours = (
        [one for one in ours if _start(one) is not None]
        if cluster
        else [at for one in ours for at in _at_times(lake, one, group_id)]
    )
    return instants_of(
        [
            one
            for one in ours
            if (since is None or _end(one) >= since) and (until is None or _start(one) <= until)
        ]
    )


def last_instants(
    lake: Place,
    cluster: str | None,
    since: datetime | None,
    until: datetime | None,
    group_id: str | None | object = EVERY_GROUP,
) -> Instants:
    """Return the snapshots between two moments as `instants` does, without `since` those of the
    last 24 hours that there are.
    """
    found = instants(lake, cluster, since, until, group_id)
    if since is None and found.batches:
        return instants(
            lake,
            cluster,
            datetime.fromtimestamp(found.axis.time[-1], UTC) - LENGTH,
            until,
            group_id,
        )
    return found


def led_instants(
    lake: Place,
    cluster: str | None,
    since: datetime | None,
    until: datetime | None,
    group_id: str | None | object = EVERY_GROUP,
) -> Instants:
    """Return the snapshots of `last_instants` with those that lead to them."""
    return with_lead(
        last_instants(lake, cluster, since, until, group_id),
        instants(lake, cluster, None, until, group_id),
    )


def _at_times(lake: Place, one: Manifest, group_id: str | None | object) -> list[Manifest]:
    """Return a batch of files once for each time in its rows; those without a time belong to no
    history.
    """
    try:
        found = _times(lake, one.batch, group_id) if one.holds_groups else ()
    except DamageError:
        # Whoever opens this batch is told which file is damaged; the history of the others goes on
        # without it.
        return []
    return [msgspec.structs.replace(one, taken_at=time) for time in found if time]


def between(found: Instants, since: float, until: float) -> Instants:
    """Return the snapshots between two times, seconds since 1970, both included."""
    axis = found.axis
    part = slice(
        int(np.searchsorted(axis.time, since)), int(np.searchsorted(axis.time, until, side="right"))
    )
    missed = tuple(one for one in axis.missed if one.last >= since and one.first <= until)
    return Instants(
        found.batches[part], Axis(axis.batch[part], axis.slot[part], axis.time[part], missed)
    )


def with_lead(found: Instants, whole: Instants) -> Instants:
    """Return snapshots with up to `LEAD` before them, of `whole`, which has all of them."""
    if not found.batches:
        return found
    place, axis = whole.axis.batch.index(found.axis.batch[0]), whole.axis
    part = slice(max(place - LEAD, 0), place + len(found.batches))
    columns = (column[part] for column in axis[:3])
    return Instants(whole.batches[part], Axis(*columns, found.axis.missed), place - part.start)


def part_of(found: Instants, row: np.ndarray) -> Instants:
    """Return the snapshots at these rows, ascending, without the gaps between them."""
    axis = found.axis
    batches, names = (
        tuple(column[place] for place in row.tolist()) for column in (found.batches, axis.batch)
    )
    return Instants(batches, Axis(names, axis.slot[row], axis.time[row]))


def groups_of(lake: Place, found: Instants) -> list[str]:
    """Return the groups of a cluster's first and last snapshot: one that is in neither has no
    history here. Of files, all.
    """
    ends = [one for one in found.batches if not one.cluster] or found.batches[found.lead :][
        :1
    ] + found.batches[-1:]
    names = {
        name
        for batch in {one.batch for one in ends}
        for name in table(lake, batch, "GROUP_LOAD")["group_id"].unique().to_pylist()
    }
    return sorted(names - {None})


def no_group(lake: Place, group_id: str, found: Instants) -> NoGroupInRangeError:
    """Return the error that names the groups that there are in place of one."""
    return NoGroupInRangeError(lake, group_id, groups_of(lake, found))


def collected_clusters(lake: Place) -> list[str]:
    """Return the clusters of which the lake has slots."""
    return sorted({one.cluster for one in batches(lake) if one.cluster and _time_of(one.batch)})


def instants_of(found: Sequence[Manifest]) -> Instants:
    """Return these batches by time; those that stand for a gap become gaps of the axis."""
    by_time = sorted(found, key=_start)
    read = tuple(one for one in by_time if not one.gap and one.taken_at and one.holds_groups)
    missed = tuple(
        Missed(one.taken_at.timestamp(), _end(one).timestamp(), one.gap)
        for one in by_time
        if one.gap and one.taken_at
    )
    start = np.array([_start(one).timestamp() for one in read])
    time = np.array([one.taken_at.timestamp() for one in read])
    names = tuple(one.batch if one.cluster else moment_of(one.batch, one.taken_at) for one in read)
    return Instants(read, axis_of(names, start, time, missed))


def _start(one: Manifest) -> datetime | None:
    return one.taken_at if one.gap or not one.cluster else _time_of(one.batch) or one.taken_at


def _end(one: Manifest) -> datetime | None:
    return one.gap_until or _start(one)


# Moment: a batch, with the time in its rows where it may show a group at several.


def moment_of(batch: str, time: datetime | None) -> str:
    """Return the name of a moment; that of the batch where its rows carry no time."""
    return f"{batch}@{time.isoformat()}" if time else batch


def parted(moment: str) -> tuple[str, datetime | None]:
    """Return the batch of a moment and the time in its rows, None where they carry none."""
    batch, _, time = moment.partition("@")
    return batch, datetime.fromisoformat(time) if time else None
