"""Ingest: files -> tasks that parse and write the tables -> transforms -> one manifest; tasks and transforms run on Spark."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from pyspark.sql import SparkSession

from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.writing import Done
from evenkeel.data.pipeline.ingest.batch import Results, batch_by
from evenkeel.data.pipeline.ingest.files.inputs import Input
from evenkeel.data.pipeline.ingest.on_spark import SparkShuffle
from evenkeel.data.pipeline.ingest.passes import done_by
from evenkeel.data.pipeline.ingest.progress import watched
from evenkeel.data.pipeline.ingest.results import write_results
from evenkeel.data.pipeline.ingest.task import Task
from evenkeel.data.pipeline.spark.faults import named_errors
from evenkeel.data.sources.source import START, Context

TASKS_SHARE = 0.7
"""Share of an ingest's time that its tasks take, for the progress bar; the transforms take the rest."""


def ingest(
    inputs: Sequence[Input],
    lake: Place,
    spark: Callable[[], SparkSession],
    context: Context = START,
    progress: Callable[[float], None] = lambda share: None,
    batch: str | None = None,
) -> Manifest:
    """Bring files into the lake on Spark, as one batch; returns and raises as `batch_by`.

    `spark` is called when the files are known to be readable, `progress` with the share done, 0.0 to 1.0.
    """
    one = batch_by(_OnSpark(spark, progress), inputs, lake, context, batch)
    progress(1.0)
    return one


@dataclass(frozen=True)
class _OnSpark:
    spark: Callable[[], SparkSession]
    progress: Callable[[float], None]

    def run(self, tasks: Sequence[Task]) -> tuple[list[Done], Callable[[], Results]]:
        session, (lake, batch) = self.spark(), (tasks[0].lake, tasks[0].batch)
        with watched(session, len(tasks), lambda share: self.progress(TASKS_SHARE * share)):
            done = done_by(SparkShuffle(session), tasks)
        return done, lambda: write_results(session, lake, batch, done)

    def named_errors(self, names: Sequence[str], lake: Place) -> AbstractContextManager[None]:
        return named_errors(names, lake)
