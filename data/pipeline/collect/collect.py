"""Collect: snapshots of a live cluster into the lake, one for each time slot at most."""

import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from data.document import decode
from data.errors import SnapshotError
from data.lake import manifest
from data.lake.lock import collecting, running
from data.lake.manifest import Manifest
from data.lake.task_answers import with_counts, with_tables
from data.lake.writing import Done, write
from data.live.reading.documents import LiveGroup
from data.live.reading.tables import manifest_of, parsed_groups, source_of
from data.pipeline.collect.data_source import ClusterSource
from data.pipeline.ingest.results import write_results
from data.tables.counts import counts_of

_LOOK_SECONDS = 1


class _Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a task of a slot leaves: what it wrote, or slots without a snapshot."""

    taken_at: datetime | None = None
    done: Done | None = None
    first_slot: int = 0
    last_slot: int = 0
    gap: str | None = None


def collect(
    spark: SparkSession,
    cluster: str,
    lake: Path,
    every: int,
    groups: Sequence[str] = (),
    is_over: Callable[[], bool] = lambda: False,
    report: Callable[[Manifest], None] = lambda one: None,
) -> None:
    """Append a snapshot of all groups, or of those named, every so many seconds, until `is_over`.

    `report` is called with each snapshot and each gap when it is on disk. A slot without a snapshot is a gap that says why: the cluster did
    not answer, no collector ran, or it was stopped before the snapshot was stored.

    Raises
    ------
    SnapshotError
        When another process collects this cluster into this lake, or Spark fails.
    """
    home = lake / "collect" / _slug(cluster)
    with collecting(lake, home, cluster):
        spark.dataSource.register(ClusterSource)
        options = {"cluster": cluster, "every": str(every), "groups": "\n".join(groups)}

        def store(frame: DataFrame, epoch: int) -> None:
            for one in _Slot(spark, cluster, lake, _planned_slot(home / "checkpoint", epoch)).stored(frame):
                report(one)

        frame = spark.readStream.format(ClusterSource.name()).options(**options).load()
        writer = frame.writeStream.foreachBatch(store).trigger(processingTime=f"{every} seconds")
        query = writer.option("checkpointLocation", str(home / "checkpoint")).start()
        try:
            while not is_over() and not query.awaitTermination(_LOOK_SECONDS):
                pass
        except PySparkException as error:
            raise SnapshotError(f"cluster {cluster}: {str(error).strip().splitlines()[0]}") from error
        finally:
            query.stop()


@dataclass(frozen=True)
class _Slot:
    """One micro-batch on its way into the lake: the gaps before its slot, then its snapshot."""

    spark: SparkSession
    cluster: str
    lake: Path
    slot: int

    def stored(self, frame: DataFrame) -> list[Manifest]:
        """Read and publish; what an earlier run has published stays as it is and is not read again."""
        batch = _batch(self.cluster, self.slot)
        if manifest.path_of(self.lake, batch).is_file():
            return []
        with running(self.lake, batch) as scratch:
            found = self._answers(frame, batch, scratch)
            gaps = sorted({(one.first_slot, one.last_slot, one.gap) for one in found if one.gap})
            published = [self._gap(*gap) for gap in gaps]
            if all(last != self.slot for _, last, _ in gaps):
                published.append(self._snapshot(batch, [one for one in found if one.done]))
            for one in published:
                manifest.publish(self.lake, one)
        return published

    def _answers(self, frame: DataFrame, batch: str, scratch: Path) -> list[_Answer]:
        cluster, lake = self.cluster, self.lake

        def answers(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for answer in _written(batches, cluster, lake, batch, scratch):
                yield pa.RecordBatch.from_pydict({"answer": [msgspec.json.encode(answer)]})

        return [msgspec.json.decode(row.answer, type=_Answer) for row in frame.mapInArrow(answers, "answer binary").collect()]

    def _gap(self, first: int, last: int, reason: str) -> Manifest:
        batch = _batch(self.cluster, last)
        return Manifest(
            batch=batch, ingested_at=datetime.now(UTC), taken_at=_time(first), gap_until=_time(last), cluster=self.cluster, gap=reason
        )

    def _snapshot(self, batch: str, answers: Sequence[_Answer]) -> Manifest:
        done = sorted((one.done for one in answers), key=lambda one: one.place)
        taken_at = min((one.taken_at for one in answers), default=_time(self.slot))
        one = with_counts(manifest_of(self.cluster, batch, taken_at), done)
        return with_tables(one, done, write_results(self.spark, self.lake, batch, done))


def _written(batches: Iterator[pa.RecordBatch], cluster: str, lake: Path, batch: str, scratch: Path) -> Iterator[_Answer]:
    """Write the groups that one task read; pass on slots without a snapshot."""
    rows = [row for one in batches for row in one.to_pylist()]
    for row in rows:
        if row["line"] is None:
            yield _Answer(first_slot=row["first_slot"], last_slot=row["last_slot"], gap=row["problem"])
    groups = [(row["line"], _live_group(row)) for row in rows if row["line"] is not None]
    if groups:
        parsed = parsed_groups(cluster, groups)
        done = write(parsed, {source_of(cluster): counts_of(parsed)}, groups[0][0], lake, batch, scratch)
        yield _Answer(rows[-1]["taken_at"], done)


def _live_group(row: dict) -> LiveGroup:
    document = None if row["document"] is None else decode(row["document"])
    return LiveGroup(row["group_id"], document, [row["problem"]] if row["problem"] else [])


def _planned_slot(checkpoint: Path, epoch: int) -> int:
    """Return the slot that Spark has written down for a micro-batch before it began."""
    return json.loads((checkpoint / "offsets" / str(epoch)).read_text().splitlines()[-1])["slot"]


def _batch(cluster: str, slot: int) -> str:
    return f"{_slug(cluster)}-{_time(slot):%Y%m%dT%H%M%SZ}"


def _time(slot: int) -> datetime:
    return datetime.fromtimestamp(slot, UTC)


def _slug(cluster: str) -> str:
    """Return a name for files: the cluster's own where it has only letters, digits and `-`."""
    slug = re.sub("[^A-Za-z0-9-]", "-", cluster)[:30]
    return slug if slug == cluster else f"{slug}-{zlib.crc32(cluster.encode()):08x}"
