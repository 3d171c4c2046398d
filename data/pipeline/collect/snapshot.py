"""One snapshot of a live cluster: a job of Spark reads and writes it, each task some groups."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from data.document import decode, decode_application
from data.lake.manifest import Manifest
from data.lake.place import Place
from data.lake.task_answers import with_counts, with_tables
from data.lake.writing import Done, write
from data.live.reading.applications.application import LiveApplication
from data.live.reading.documents import LiveGroup
from data.live.reading.tables import manifest_of, parsed_groups, source_of
from data.pipeline.collect.data_source import NAME
from data.pipeline.ingest.results import write_results
from data.tables.counts import counts_of


class _Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a task of a slot leaves: what it wrote, or why it could read nothing."""

    taken_at: datetime | None = None
    done: Done | None = None
    problem: str | None = None


@dataclass(frozen=True)
class Snapshots:
    """Snapshots of all groups of a cluster, or of those named, on their way into the lake."""

    spark: SparkSession
    cluster: str
    groups: Sequence[str]
    lake: Place

    def read(self, batch: str, slot: int) -> Manifest | str:
        """Read and write a slot; return its manifest, which is not published yet, or why the cluster could not be read."""
        found = self._answers(batch)
        if problems := sorted({one.problem for one in found if one.problem}):
            return problems[0]
        done = sorted((one.done for one in found), key=lambda one: one.place)
        taken_at = min((one.taken_at for one in found), default=datetime.fromtimestamp(slot, UTC))
        one = with_counts(manifest_of(self.cluster, batch, taken_at), done)
        return with_tables(one, done, write_results(self.spark, self.lake, batch, done))

    def _answers(self, batch: str) -> list[_Answer]:
        cluster, lake = self.cluster, self.lake

        def answers(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for answer in _written(batches, cluster, lake, batch):
                yield pa.RecordBatch.from_pydict({"answer": [msgspec.json.encode(answer)]})

        rows = self._readings().mapInArrow(answers, "answer binary").collect()
        return [msgspec.json.decode(row.answer, type=_Answer) for row in rows]

    def _readings(self) -> DataFrame:
        return self.spark.read.format(NAME).options(cluster=self.cluster, groups="\n".join(self.groups)).load()


def _written(batches: Iterator[pa.RecordBatch], cluster: str, lake: Place, batch: str) -> Iterator[_Answer]:
    """Write what one task read."""
    rows = [row for one in batches for row in one.to_pylist()]
    groups = [(row["line"], _live_group(row)) for row in rows if row["line"] is not None]
    yield from (_Answer(problem=row["problem"]) for row in rows if row["line"] is None)
    if groups:
        parsed = parsed_groups(cluster, groups)
        yield _Answer(rows[-1]["taken_at"], write(parsed, {source_of(cluster): counts_of(parsed)}, groups[0][0], lake, batch))


def _live_group(row: dict) -> LiveGroup:
    document = None if row["document"] is None else decode(row["document"])
    application = None if row["application"] is None else LiveApplication(decode_application(row["application"]))
    return LiveGroup(row["group_id"], document, [row["problem"]] if row["problem"] else [], application)
