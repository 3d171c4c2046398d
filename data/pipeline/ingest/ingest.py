"""Ingest: files -> tasks that parse and write the tables -> transforms -> one manifest."""

import secrets
from collections.abc import Callable, Sequence

import msgspec
from pyspark.sql import SparkSession

from evenkeel.data import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import store
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.runs.run import running
from evenkeel.data.lake.runs.turn import publish_once
from evenkeel.data.lake.task_answers import with_counts, with_tables
from evenkeel.data.lake.writing import Done
from evenkeel.data.pipeline.ingest.files.inputs import Input
from evenkeel.data.pipeline.ingest.files.plan import planned
from evenkeel.data.pipeline.ingest.on_spark import SparkShuffle
from evenkeel.data.pipeline.ingest.passes import done_by
from evenkeel.data.pipeline.ingest.progress import watched
from evenkeel.data.pipeline.ingest.results import write_results
from evenkeel.data.pipeline.ingest.task import Task
from evenkeel.data.pipeline.spark.faults import named_errors
from evenkeel.data.sources.source import START, Context
from evenkeel.data.words.lists import first_of

TASKS_SHARE = 0.7
"""Share of an ingest's time that its tasks take, for the progress bar; the transforms take the rest."""

_MOST_REFUSED = 20


def ingest(
    inputs: Sequence[Input],
    lake: Place,
    spark: Callable[[], SparkSession],
    context: Context = START,
    progress: Callable[[float], None] = lambda share: None,
    batch: str | None = None,
) -> Manifest:
    """Bring files into the lake as one batch and return its manifest; where the lake has every file already, nothing is written.

    Where another ingest has stored one of the files meanwhile, all begins again without that file.
    `spark` is called when the files are known to be readable, `progress` with the share done, 0.0 to 1.0. `context`: what listings do not
    say themselves.

    Raises
    ------
    SnapshotError
        When no file can be read, or Spark fails, naming the files; for a place that cannot be read or written, naming it. Nothing is half
        published.
    """
    now = clock.now()
    batch = batch or f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    stored = _stored(lake)
    plan = planned(inputs, context, stored)
    one = Manifest(batch=batch, ingested_at=now, taken_at=context.taken_at, sources=tuple(plan.sources))
    if not plan.tasks:
        return _counted(one, [])
    with running(lake, batch), named_errors([one.name for one in inputs], lake):
        tasks = [Task(place, parts, lake, batch) for place, parts in enumerate(plan.tasks)]
        session = spark()
        with watched(session, len(tasks), lambda share: progress(TASKS_SHARE * share)):
            done = done_by(SparkShuffle(session), tasks)
        one = _counted(one, done)
        one = with_tables(one, done, write_results(session, lake, batch, done))
        one = msgspec.structs.replace(one, is_in_order=len(done) == len(tasks))
        is_first = publish_once(lake, one, lambda: _stored(lake).keys() - stored.keys())
    if not is_first:
        return ingest(inputs, lake, spark, context, progress, batch)
    progress(1.0)
    return one


def _stored(lake: Place) -> dict[str, SourceFile]:
    """Return every file that was read into the lake, by SHA-256."""
    return {source.sha256: source for one in store.batches(lake) for source in one.sources if source.refused is None}


def _counted(one: Manifest, done: Sequence[Done]) -> Manifest:
    """Return the manifest with the counts of its files and of all of them.

    Raises
    ------
    SnapshotError
        When every file is refused: why, for each.
    """
    one = with_counts(one, done)
    if all(source.refused for source in one.sources):
        raise SnapshotError("; ".join(first_of([source.refused for source in one.sources], _MOST_REFUSED, "file")) or "no files")
    return one
