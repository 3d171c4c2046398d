"""Copies the history of all groups of a cluster from a store into a lake, hour by hour."""

from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
import numpy as np

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import manifest
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.run import running
from evenkeel.data.lake.slots.slot_batches import (
    day_batch,
    hour_batch,
    slot_batch,
    slug_in,
    slug_of,
    time_of,
)
from evenkeel.data.prometheus.batches import (
    BatchCounts,
    Source,
    write_batch,
    write_gaps,
    write_slots,
)
from evenkeel.data.prometheus.past import Past, Reading, source_of

_HOUR = timedelta(hours=1)


class CopyCounts(msgspec.Struct, frozen=True):
    """How many slots, partition rows and gaps were copied.

    `rejected`: samples that are not offsets. `problem`: why the copy stopped early, else empty.
    """

    slots: int = 0
    rows: int = 0
    gaps: int = 0
    rejected: int = 0
    problem: str = ""

    def __add__(self, other: "CopyCounts") -> "CopyCounts":
        return CopyCounts(
            self.slots + other.slots,
            self.rows + other.rows,
            self.gaps + other.gaps,
            self.rejected + other.rejected,
            self.problem or other.problem,
        )


class Range(NamedTuple):
    """A time range, including `since` and `until`."""

    since: datetime
    until: datetime

    def hours(self) -> list["Range"]:
        """Return the range as several ranges, each within one hour of UTC."""
        start, hours = self.since, []
        while start <= self.until:
            following = start.replace(minute=0, second=0, microsecond=0) + _HOUR
            end = min(following - timedelta(milliseconds=1), self.until)
            hours.append(Range(start, end))
            start = following
        return hours

    @property
    def milliseconds(self) -> tuple[int, int]:
        """The range's start and end in ms since 1970."""
        return round(self.since.timestamp() * 1000), round(self.until.timestamp() * 1000)


def copied(lake: Place, past: Past, reading: Reading, hour: Range) -> CopyCounts:
    """Copy the slots of an hour, without slots that the lake already has."""
    before = past.store.rejected
    try:
        written = _written(lake, past, reading, hour)
    except SnapshotError as error:
        return CopyCounts(problem=str(error))
    return CopyCounts(*written, past.store.rejected - before)


def gaps_between(lake: Place, past: Past, reading: Reading, over: Range) -> int:
    """Publish the gaps between hours, and return their number.

    Call this function after all hours are copied.
    """
    axis = instants(lake, past.cluster, over.since, over.until).axis
    hours = axis.time // _HOUR.total_seconds()
    return write_gaps(lake, source_of(past, reading), axis, np.diff(hours) > 0)


def _written(lake: Place, past: Past, reading: Reading, hour: Range) -> BatchCounts:
    """Store an hour as one batch, or as a batch per slot if the lake has data of this hour."""
    source = source_of(past, reading)
    parts = list(past.slots(reading, None, *hour.milliseconds))
    if not parts:
        return BatchCounts()
    step = timedelta(seconds=parts[0].interval if np.isfinite(parts[0].interval) else 0)
    taken = instants(lake, past.cluster, hour.since - step, hour.until + step).axis.time
    batch = hour_batch(slug_of(past.cluster), hour.since)
    if _is_begun(lake, source, batch, hour.since):
        return write_slots(lake, source, parts, taken)
    with running(lake, batch):
        return write_batch(lake, batch, source, parts, taken)


def _is_begun(lake: Place, source: Source, batch: str, hour: datetime) -> bool:
    """Return whether the lake has a batch for this hour or its day, or a slot in this hour."""
    slug = slug_of(source.cluster)
    holders = {batch, day_batch(slug, hour.date()), day_batch(slug, hour.date(), True)}
    first = slot_batch(source.cluster, int(hour.timestamp()))[: len(batch)]
    return any(
        name in holders or (time_of(name) and slug_in(name) == slug and name.startswith(first))
        for name in (key.removesuffix(".json") for key in lake.names(manifest.FOLDER))
    )
