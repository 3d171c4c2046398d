"""The loads of members and groups, summed in one process: SHARES -> files of MEMBER_LOAD and GROUP_LOAD."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from data.lake.manifest import sync
from data.lake.writing import SCHEMAS, write_table
from data.tables.transforms.load import load_by_group, load_by_member


def write_loads(shares: pa.Table, lake: Path, batch: str) -> dict[str, tuple[str, ...]]:
    """Sum the shares of all tasks of a batch; return the files by table."""
    by_member = load_by_member(shares)
    loads = {"MEMBER_LOAD": by_member, "GROUP_LOAD": load_by_group(by_member)}
    return {name: write_whole(name, table, lake, batch) for name, table in loads.items()}


def write_whole(name: str, table: pa.Table, lake: Path, batch: str) -> tuple[str, ...]:
    """Write the only file of a table of a batch, and return it."""
    schema, file = SCHEMAS[name], f"{name}/{batch}/0.parquet"
    write_table(table.cast(schema), schema, lake / file)
    return (file,)


def read_whole(name: str, files: Iterable[str], lake: Path) -> pa.Table:
    """Return a table of a batch that is not published yet."""
    schema = SCHEMAS[name]
    return pa.concat_tables([schema.empty_table(), *(pq.read_table(lake / file, schema=schema) for file in files)])


def parts_of(name: str, lake: Path, batch: str) -> tuple[str, ...]:
    """Return the files that Spark has written for a table of a batch; they are on disk when this returns."""
    files = sorted((lake / name / batch).glob("part-*.parquet"))
    for file in files:
        sync(file)
    return tuple(str(file.relative_to(lake)) for file in files)
