"""Runs the tasks of an ingest on Spark."""

import gc
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pyarrow as pa
from pyspark.sql import SparkSession

from data.lake.scratch import left
from data.lake.writing import Done
from data.pipeline.ingest.passes import Work
from data.pipeline.ingest.task import Task


def run(spark: SparkSession, work: Sequence[Work]) -> list[Done]:
    """Run every piece of work once, in parallel; return the answers by place."""

    def answers(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_imports()
        for row in numbers(batches):
            yield pa.RecordBatch.from_pydict({"done": [msgspec.json.encode(work[row].run())]})

    rows = spark.range(0, len(work), 1, len(work)).mapInArrow(answers, "done binary").collect()
    return sorted((msgspec.json.decode(row.done, type=Done) for row in rows), key=lambda done: done.place)


@contextmanager
def watched(tasks: Sequence[Task], scratch: Path, progress: Callable[[float], None]) -> Iterator[None]:
    """Report the share of the bytes whose task is done, while this is open and when it ends without error.

    A task is done when its keys are in `scratch`.
    """
    size = {task.place: task.size for task in tasks}
    over = threading.Event()

    def look() -> None:
        finished = {int(path.stem) for path in left(scratch, "OFFSETS")}
        progress(sum(size[place] for place in finished) / max(sum(size.values()), 1))

    def watch() -> None:
        while not over.wait(0.2):
            look()

    watcher = threading.Thread(target=watch, name="progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
    look()


def numbers(batches: Iterator[pa.RecordBatch]) -> Iterator[int]:
    """Yield what `spark.range` sends to a worker."""
    for batch in batches:
        yield from batch["id"].to_pylist()


def freeze_imports() -> None:
    """Keep the garbage collector off the imports: a worker of Spark collects after every task, 40 ms over all that it has imported."""
    gc.freeze()
