"""The Spark jobs of an ingest: one runs its tasks, the others the transforms."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from data import schemas
from data.lag_files import freeze_imports, numbers, write_lag_files
from data.manifest import sync
from data.task import Task
from data.tasks import Work
from data.transforms.group import with_unnamed
from data.transforms.lag import with_lag
from data.transforms.load import load_by_group, load_by_member
from data.transforms.owner import with_owner
from data.writing import Done, files_of, write_table

SMALL_ROWS = 20_000
"""Up to here tables go through the driver: listing files, reading and committing them takes Spark longer than such a table."""

def run(self) -> Done:
        """Return an answer that counts every line."""
        ...


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
    """While this is open, report the share of the bytes whose task is done, by the keys that each task leaves in `scratch`."""
    size = {task.place: task.size for task in tasks}
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.2):
            finished = {int(path.stem) for path in scratch.glob("*.OFFSETS")}
            progress(sum(size[place] for place in finished) / max(sum(size.values()), 1))

    watcher = threading.Thread(target=look, name="progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def write_results(spark: SparkSession, lake: Path, batch: str, done: Sequence[Done]) -> dict[str, tuple[str, ...]]:
    """Run the transforms over what the tasks wrote; return the files of LAG, MEMBER_LOAD and GROUP_LOAD."""
    is_small = sum(answer.offset_count for answer in done) <= SMALL_ROWS
    read, write = (_read_small, _write_small) if is_small else (_read_large, _write_large)
    members = read(spark, lake, "MEMBERS", files_of(done, "MEMBERS"))
    if is_small or _members_tell_owners(done):
        offsets = with_unnamed(read(spark, lake, "OFFSETS", files_of(done, "OFFSETS")))
        lag = write(with_lag(with_owner(offsets, members) if _members_tell_owners(done) else offsets), "LAG", lake, batch)
    else:
        lag = write_lag_files(spark, lake, batch, files_of(done, "OFFSETS"))
    load = write(load_by_member(read(spark, lake, "LAG", lag), members), "MEMBER_LOAD", lake, batch)
    groups = write(load_by_group(read(spark, lake, "MEMBER_LOAD", load)), "GROUP_LOAD", lake, batch)
    return {"LAG": lag, "MEMBER_LOAD": load, "GROUP_LOAD": groups}


def _members_tell_owners(done: Sequence[Done]) -> bool:
    return any(answer.owner_is_null for answer in done) and any(answer.has_claims for answer in done)


def _read_small(spark: SparkSession, lake: Path, name: str, files: Sequence[str]) -> DataFrame:
    schema = schemas.STORED[name]
    table = pa.concat_tables([schema.empty_table(), *(pq.read_table(lake / file, schema=schema) for file in files)])
    return spark.createDataFrame(table, schemas.spark_schema(schema))


def _read_large(spark: SparkSession, lake: Path, name: str, files: Sequence[str]) -> DataFrame:
    schema = schemas.spark_schema(schemas.STORED[name])
    return spark.read.schema(schema).parquet(*(str(lake / file) for file in files)) if files else spark.createDataFrame([], schema)


def _write_small(frame: DataFrame, name: str, lake: Path, batch: str) -> tuple[str, ...]:
    schema = schemas.RESULTS[name]
    file = f"{name}/{batch}/0.parquet"
    write_table(frame.select(*schema.names).toArrow().cast(schema), schema, lake / file)
    return (file,)


def _write_large(frame: DataFrame, name: str, lake: Path, batch: str) -> tuple[str, ...]:
    folder = lake / name / batch
    frame.select(*schemas.RESULTS[name].names).write.parquet(str(folder))
    files = sorted(folder.glob("part-*.parquet"))
    for file in files:
        sync(file)
    return tuple(str(file.relative_to(lake)) for file in files)
