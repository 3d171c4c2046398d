"""The past of a whole cluster in a metrics store, copied into the lake: hours in tasks of Spark."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession

from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.configuration.handover import take_over
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
from evenkeel.data.pipeline.ingest.on_spark import numbers
from evenkeel.data.prometheus.batches import Source, Written, write_batch, write_slots
from evenkeel.data.prometheus.past import Past, Reading, source_of

AT_ONCE = 2
"""Tasks, each with one request at a time: a store has other readers."""

_HOUR = timedelta(hours=1)


class Copied(msgspec.Struct, frozen=True):
    """What was copied: slots, rows of partitions, gaps, and samples that are no offset; `problem`:
    why it ended early.
    """

    slots: int = 0
    rows: int = 0
    gaps: int = 0
    rejected: int = 0
    problem: str = ""

    def __add__(self, other: "Copied") -> "Copied":
        return Copied(
            self.slots + other.slots,
            self.rows + other.rows,
            self.gaps + other.gaps,
            self.rejected + other.rejected,
            self.problem or other.problem,
        )


class Range(NamedTuple):
    """From a time to another, both included."""

    since: datetime
    until: datetime

    def hours(self) -> list["Range"]:
        """Return its hours in UTC; the first and the last may be parts."""
        start, found = self.since, []
        while start <= self.until:
            following = start.replace(minute=0, second=0, microsecond=0) + _HOUR
            end = min(following - timedelta(milliseconds=1), self.until)
            found.append(Range(start, end))
            start = following
        return found


def copy_past(spark: SparkSession, lake: Place, cluster: str, over: Range) -> Copied:
    """Copy the slots of all groups that the lake has not; hours that were copied stay if a later
    one fails.

    Raises
    ------
    SnapshotError
        If the store has nothing there, refuses, or the lake cannot be written.
    """
    profile = profile_of(cluster)
    with closing(Past(profile)) as past:
        reading = past.reading(None, *_milliseconds(over))
    if reading is None:
        raise SnapshotError(
            f"{past.store}: no offset of a group of {cluster} from {over.since:%Y-%m-%dT%H:%M:%SZ} "
            f"to {over.until:%Y-%m-%dT%H:%M:%SZ}"
        )
    hours = over.hours()

    def copied(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        take_over()
        with closing(Past(profile, at_once=1)) as own:
            done = [_copied(lake, own, reading, hours[number]) for number in numbers(batches)]
        yield pa.RecordBatch.from_pydict({"answer": [msgspec.json.encode(one) for one in done]})

    rows = (
        spark.range(0, len(hours), 1, min(AT_ONCE, len(hours)))
        .mapInArrow(copied, "answer binary")
        .collect()
    )
    total = sum((msgspec.json.decode(row.answer, type=Copied) for row in rows), Copied())
    if total.problem:
        raise SnapshotError(f"{total.problem}; {total.slots:,} slots are in {lake}")
    return total


def _copied(lake: Place, past: Past, reading: Reading, hour: Range) -> Copied:
    before = past.store.rejected
    try:
        written = _written(lake, past, reading, hour)
    except SnapshotError as error:
        return Copied(problem=str(error))
    return Copied(*written, past.store.rejected - before)


def _written(lake: Place, past: Past, reading: Reading, hour: Range) -> Written:
    """Store an hour as one batch, or slot by slot if the lake has some of it."""
    source = source_of(past, reading)
    parts = list(past.slots(reading, None, *_milliseconds(hour)))
    if not parts:
        return Written()
    step = timedelta(seconds=parts[0].interval if np.isfinite(parts[0].interval) else 0)
    taken = instants(lake, past.cluster, hour.since - step, hour.until + step).axis.time
    batch = hour_batch(slug_of(past.cluster), hour.since)
    if _is_begun(lake, source, batch, hour.since):
        return write_slots(lake, source, parts, taken)
    with running(lake, batch):
        return write_batch(lake, batch, source, parts, taken)


def _is_begun(lake: Place, source: Source, batch: str, hour: datetime) -> bool:
    """Tell whether the lake has a batch of this hour or day, or a slot of this hour."""
    slug = slug_of(source.cluster)
    holders = {batch, day_batch(slug, hour.date()), day_batch(slug, hour.date(), True)}
    first = slot_batch(source.cluster, int(hour.timestamp()))[: len(batch)]
    return any(
        name in holders or (time_of(name) and slug_in(name) == slug and name.startswith(first))
        for name in (key.removesuffix(".json") for key in lake.names(manifest.FOLDER))
    )


def _milliseconds(over: Range) -> tuple[int, int]:
    return round(over.since.timestamp() * 1000), round(
        over.until.astimezone(UTC).timestamp() * 1000
    )
