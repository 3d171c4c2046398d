"""Ingest on Spark: tasks parse files and write tables, then transforms compute the other tables,
then one manifest is written.
"""

import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.sql import SparkSession

from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.writing import Done
from evenkeel.data.pipeline.faults import named_errors
from evenkeel.data.pipeline.ingest.batch import Results, Task, batch_by, done_by
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.pipeline.ingest.on_spark import SparkShuffle, write_results
from evenkeel.data.sources.source import START, Context

TASKS_SHARE = 0.7
"""Share of the tasks in an ingest's time, for the progress bar. The rest is for the transforms."""


def ingest(
    inputs: Sequence[Input],
    lake: Place,
    spark: Callable[[], SparkSession],
    context: Context = START,
    progress: Callable[[float], None] = lambda share: None,
    batch: str | None = None,
) -> Manifest:
    """Store files in the lake on Spark, as one batch. Result and errors are as in `batch_by`.

    `spark` returns the session; it is called only if a file can be read. `progress` is called with
    the finished share of the work, 0.0 to 1.0.
    """
    manifest = batch_by(_OnSpark(spark, progress), inputs, lake, context, batch)
    progress(1.0)
    return manifest


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


# Spark's progress with the tasks of an ingest: from its status tracker, or from the progress
# messages of Spark Connect.


_LOOK_SECONDS = 0.2


@contextmanager
def watched(
    spark: SparkSession, task_count: int, progress: Callable[[float], None]
) -> Iterator[None]:
    """Report the finished share of the tasks while the `with` block runs: 0 at the start, 1 at the
    end. If the block raises an error, 1 is not reported.
    """
    share = _Share(task_count, progress)
    watching = (
        _tracked(spark.sparkContext, share)
        if isinstance(spark, SparkSession)
        else _connect_messages(spark, share)
    )
    share.reached(0)
    with watching:
        yield
    share.reached(task_count)


class _Share:
    """The finished share of the tasks. It never falls, although some tasks may run a second
    time.
    """

    def __init__(self, task_count: int, progress: Callable[[float], None]):
        self._task_count, self._progress, self._most = task_count, progress, -1

    def reached(self, done: int) -> None:
        if done > self._most:
            self._most = done
            self._progress(min(done / self._task_count, 1.0))


@contextmanager
def _tracked(context: SparkContext, share: _Share) -> Iterator[None]:
    """Watch the Spark jobs of this thread: Spark's status tracker knows the finished tasks."""
    group = f"ingest {secrets.token_hex(8)}"
    over = threading.Event()

    def watch() -> None:
        tracker = context.statusTracker()
        # If Java's process ends, the other calls raise the error.
        with suppress(Py4JError, OSError):
            while not over.wait(_LOOK_SECONDS):
                jobs = filter(None, map(tracker.getJobInfo, tracker.getJobIdsForGroup(group)))
                stages = filter(
                    None, (tracker.getStageInfo(stage) for job in jobs for stage in job.stageIds)
                )
                share.reached(max((stage.numCompletedTasks for stage in stages), default=0))

    watcher = threading.Thread(target=watch, name="progress", daemon=True)
    context.setJobGroup(group, "ingest")
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        with suppress(Py4JError, OSError):
            context.setLocalProperty("spark.jobGroup.id", None)


@contextmanager
def _connect_messages(spark: Any, share: _Share) -> Iterator[None]:
    """Watch the Spark jobs of this session: Spark Connect sends messages about finished tasks."""

    def handler(stages: Any, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
        share.reached(max((stage.num_completed_tasks for stage in stages or ()), default=0))

    spark.registerProgressHandler(handler)
    try:
        yield
    finally:
        spark.removeProgressHandler(handler)
