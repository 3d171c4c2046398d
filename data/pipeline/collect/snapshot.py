"""One snapshot of a live cluster: a job of Spark reads and writes it, each task some groups."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import pyarrow as pa
from pyspark.sql import SparkSession

from evenkeel.data import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.writing import Done, with_counts, with_tables, write
from evenkeel.data.live.reading.tables import manifest_of, source_of
from evenkeel.data.pipeline.collect.groups_to_read import GroupsToRead, planned
from evenkeel.data.pipeline.ingest.on_spark import numbers
from evenkeel.data.pipeline.ingest.results import write_results
from evenkeel.data.tables.counts import counts_of
from evenkeel.data.words.formats import first_of

_MOST_LINES = 3


class _Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a task of a slot leaves: what it wrote, or why it could read nothing; `unread`: why it read no records, a line each."""

    done: Done | None = None
    problem: str | None = None
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Snapshots:
    """Snapshots of all groups of a cluster, or of those named, on their way into the lake."""

    spark: SparkSession
    cluster: str
    groups: Sequence[str]
    lake: Place
    every: int

    def read(self, batch: str) -> Manifest | str:
        """Read and write a slot; return its manifest, which is not published yet, or why the cluster could not be read."""
        taken_at = clock.now()
        found = self._answers(batch, planned(self.cluster, self.groups, taken_at, every=self.every))
        if problems := sorted({one.problem for one in found if one.problem}):
            return problems[0]
        done = sorted((one.done for one in found), key=lambda one: one.place)
        unread = first_of(sorted({line for one in found for line in one.unread}), _MOST_LINES)
        one = with_counts(manifest_of(self.cluster, batch, taken_at, unread), done)
        return with_tables(one, done, write_results(self.spark, self.lake, batch, done))

    def _answers(self, batch: str, tasks: Sequence[GroupsToRead]) -> list[_Answer]:
        lake = self.lake

        def answers(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for number in numbers(batches):
                yield pa.RecordBatch.from_pydict({"answer": [msgspec.json.encode(answer_of(tasks[number], lake, batch))]})

        rows = self.spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(answers, "answer binary").collect()
        return [msgspec.json.decode(row.answer, type=_Answer) for row in rows]


def answer_of(groups: GroupsToRead, lake: Place, batch: str) -> _Answer:
    """Read the groups of one task and write their tables."""
    try:
        found = groups.read(groups.age_seconds)
    except SnapshotError as error:
        return _Answer(problem=str(error))
    parsed, unread = groups.tables(found), sorted({one.unread for one in found if one.unread})
    done = write(parsed, {source_of(groups.cluster): counts_of(parsed)}, groups.first_line, lake, batch)
    return _Answer(done, unread=tuple(unread))
