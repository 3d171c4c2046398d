"""LAG of many rows: Spark computes it from the offsets alone; names of groups, topics and members never enter the JVM, where they cost most of the time."""

import gc
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from data import schemas
from data.transforms.lag import with_lag
from data.writing import write_table

_READ = ["begin_offset", "committed_offset", "end_offset", "listed_lag", "auto_offset_reset"]
_COMPUTED = ["lag", "assignor_lag", "lag_flag"]
_KEYS = [name for name in schemas.LAG.names if name in schemas.OFFSETS.names]
_NAMES = [name for name in _KEYS if pa.types.is_string(schemas.LAG.field(name).type)]
_FILE = pa.schema([("file", pa.int32())])


def write_lag_files(spark: SparkSession, lake: Path, batch: str, files: Sequence[str]) -> tuple[str, ...]:
    """Write a file of LAG beside each file of OFFSETS, rows in the same order, and return their names."""
    names = [f"LAG/{batch}/{Path(file).name}" for file in files]

    def offsets(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_imports()
        for file in numbers(batches):
            table = pq.read_table(lake / files[file], columns=_READ)
            yield from table.append_column("file", pa.repeat(pa.scalar(file, pa.int32()), table.num_rows)).to_batches()

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_imports()
        computed = pa.Table.from_batches(batches)
        file = computed["file"][0].as_py()
        keys = pq.read_table(lake / files[file], columns=[*_KEYS, "source_file"], read_dictionary=_NAMES)
        unnamed_in = pc.if_else(pc.is_null(keys["group_id"]), keys["source_file"], pa.scalar(None, pa.string()))
        table = pa.table({name: keys[name] for name in _KEYS} | {"unnamed_in": unnamed_in} | {name: computed[name] for name in _COMPUTED})
        write_table(table.select(schemas.LAG.names), schemas.LAG, lake / names[file])
        yield pa.record_batch({"file": pa.array([file], pa.int32())})

    inputs = pa.schema([*(schemas.OFFSETS.field(name) for name in _READ), *_FILE])
    lag = with_lag(spark.range(0, len(files), 1, len(files)).mapInArrow(offsets, schemas.spark_schema(inputs)))
    lag.select(*_COMPUTED, "file").mapInArrow(write, schemas.spark_schema(_FILE)).collect()
    return tuple(names)


def numbers(batches: Iterator[pa.RecordBatch]) -> Iterator[int]:
    """Yield what `spark.range` sends to a worker."""
    for batch in batches:
        yield from batch["id"].to_pylist()


def freeze_imports() -> None:
    """Spare the collector what stays: a worker of Spark collects garbage after every task, 40 ms over all that it has imported."""
    gc.freeze()
