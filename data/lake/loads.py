"""The loads of members and groups, summed in one process: SHARES -> files of MEMBER_LOAD and GROUP_LOAD."""

import secrets
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.data.lake.place import Place
from evenkeel.data.lake.writing import SCHEMAS, write_table
from evenkeel.data.tables.transforms.load import load_by_group, load_by_member


def write_loads(shares: pa.Table, lake: Place, batch: str) -> dict[str, tuple[str, ...]]:
    """Sum the shares of all tasks of a batch; return the files by table."""
    by_member = load_by_member(shares)
    loads = {"MEMBER_LOAD": by_member, "GROUP_LOAD": load_by_group(by_member)}
    return {name: (write_part(name, table, lake, batch),) for name, table in loads.items()}


def write_part(name: str, table: pa.Table, lake: Place, batch: str) -> str:
    """Write one file of a table of a batch, and return it."""
    schema, file = SCHEMAS[name], f"{name}/{batch}/{secrets.token_hex(8)}.parquet"
    write_table(table.cast(schema), schema, lake, file)
    return file


def read_parts(name: str, files: Iterable[str], lake: Place) -> pa.Table:
    """Return rows of a batch that is not published yet."""
    schema = SCHEMAS[name]
    return pa.concat_tables([schema.empty_table(), *(pq.read_table(pa.BufferReader(lake.read(file)), schema=schema) for file in files)])
