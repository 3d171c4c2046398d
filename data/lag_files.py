"""LAG of many rows: Spark computes it from the offsets alone. Names of groups, topics and members, which cost most of the time there, enter the JVM only when their lag is summed."""

import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from data import schemas
from data.jobs import freeze_imports, numbers
from data.transforms.lag import with_lag
from data.writing import write_table

_READ = ["begin_offset", "committed_offset", "end_offset", "listed_lag", "auto_offset_reset"]
_COMPUTED = ["lag", "assignor_lag", "lag_flag"]
_KEYS = [name for name in schemas.LAG.names if name in schemas.OFFSETS.names]
_NAMES = [name for name in _KEYS if pa.types.is_string(schemas.LAG.field(name).type)]
_MEMBER = [name for name in schemas.SHARES.names if name in schemas.LAG.names and name != "lag"]
_FILE = pa.schema([("file", pa.int32())])
_WRITTEN = pa.schema([("file", pa.int32()), ("name", pa.string())])


def write_lag_files(spark: SparkSession, lake: Path, batch: str, files: Sequence[str], scratch: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Write a file of LAG for each file of OFFSETS, rows in the same order, and one of SHARES into `scratch`; return both lists of files."""

    def offsets(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_imports()
        for file in numbers(batches):
            table = pq.read_table(lake / files[file], columns=_READ)
            yield from table.append_column("file", pa.repeat(pa.scalar(file, pa.int32()), table.num_rows)).to_batches()

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        freeze_imports()
        computed = pa.Table.from_batches(batches)
        file = computed["file"][0].as_py()
        table = _with_keys(computed, lake / files[file])
        name = f"{file:06d}-{secrets.token_hex(4)}.parquet"
        write_table(table, schemas.LAG, lake / "LAG" / batch / name)
        write_table(_shares(table), schemas.SHARES, scratch / name)
        yield pa.record_batch({"file": pa.array([file], pa.int32()), "name": pa.array([name])})

    inputs = pa.schema([*(schemas.OFFSETS.field(name) for name in _READ), *_FILE])
    lag = with_lag(spark.range(0, len(files), 1, len(files)).mapInArrow(offsets, schemas.spark_schema(inputs)))
    written = lag.select(*_COMPUTED, "file").mapInArrow(write, schemas.spark_schema(_WRITTEN)).collect()
    names = [row.name for row in sorted(written)]
    return tuple(f"LAG/{batch}/{name}" for name in names), tuple(str((scratch / name).relative_to(lake)) for name in names)


def _with_keys(computed: pa.Table, offsets: Path) -> pa.Table:
    """Return LAG: what Spark computed beside the keys of the same rows."""
    keys = pq.read_table(offsets, columns=[*_KEYS, "source_file"], read_dictionary=_NAMES)
    unnamed_in = pc.if_else(pc.is_null(keys["group_id"]), keys["source_file"], pa.scalar(None, pa.string()))
    columns = {name: keys[name] for name in _KEYS} | {"unnamed_in": unnamed_in} | {name: computed[name] for name in _COMPUTED}
    return pa.table({name: columns[name] for name in schemas.LAG.names})


def _shares(lag: pa.Table) -> pa.Table:
    """Return LAG summed by member."""
    sums = lag.unify_dictionaries().group_by(_MEMBER, use_threads=False).aggregate([([], "count_all"), ("lag", "count"), ("lag", "sum")])
    return sums.rename_columns({"count_all": "owned_count", "lag_count": "known_count", "lag_sum": "lag"}).select(schemas.SHARES.names)
