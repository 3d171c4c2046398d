"""What a task of an ingest leaves: one Parquet file for each table that has rows, and an answer that counts every line.

Tasks write these files themselves: Spark's own writer takes twice the time for the same rows. Every attempt has file names of its own; the
manifest decides which of them count.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.data.lake.place import Place
from evenkeel.data.tables import schemas
from evenkeel.data.tables.arrow import of_documents
from evenkeel.data.tables.counts import Counts
from evenkeel.data.tables.lag import with_lag
from evenkeel.data.tables.load import shares_of_members, shares_of_partitions
from evenkeel.data.tables.parsed import Parsed, encoded, tables_of

SCHEMAS = schemas.STORED | {"SHARES": schemas.SHARES}


class Done(msgspec.Struct, frozen=True):
    """The answer of a task.

    `place`: its place in the order of the input. `files`: Parquet by table, as keys of the lake, also SHARES; LAG has the owners that
    OFFSETS names. `row_counts`: of these files. `counts`, `refused`: by input file. `owner_is_null`: a row of OFFSETS names no owner.
    `has_claims`: a row of MEMBERS says what it owns. `is_of_documents`: group documents gave all rows, which name the owners that the
    members tell.
    """

    place: int
    files: dict[str, str]
    row_counts: dict[str, int]
    counts: dict[str, Counts]
    formats: tuple[str, ...]
    owner_is_null: bool
    has_claims: bool
    is_of_documents: bool
    refused: dict[str, str] = {}


def write(parsed: Parsed, counts: Mapping[str, Counts], place: int, lake: Place, batch: str) -> Done:
    """Write what was parsed, and what follows from its offsets; `counts` are those of its input files."""
    files, row_counts = {}, {}
    attempt = f"{place:06d}-{secrets.token_hex(4)}"
    for name, table in _written(parsed):
        if table.num_rows:
            row_counts[name] = table.num_rows
            files[name] = f"{name}/{batch}/{attempt}.parquet"
            write_table(table, SCHEMAS[name], lake, files[name])
    owned, current = parsed.members["owned"], parsed.members["current"]
    return Done(
        place,
        files,
        row_counts,
        dict(counts),
        parsed.formats,
        parsed.offsets["member_id"].null_count > 0,
        owned.null_count + current.null_count < 2 * parsed.members.num_rows,
        bool(of_documents(parsed.offsets["source_format"]).all() and of_documents(parsed.members["source_format"]).all()),
    )


def _written(parsed: Parsed) -> Iterator[tuple[str, pa.Table]]:
    yield from tables_of(parsed).items()
    lag = encoded(with_lag(parsed.offsets))
    yield "LAG", lag
    yield "SHARES", pa.concat_tables([shares_of_partitions(lag), shares_of_members(parsed.members)])


def write_table(table: pa.Table, schema: pa.Schema, lake: Place, key: str) -> None:
    """Write one Parquet file that reads back with `schema`; it is there, whole, when this returns. Text may come dictionary-encoded."""
    with pa.BufferOutputStream() as file:
        pq.write_table(table, file, **parquet_styles(schema))
        lake.write(key, file.getvalue())


def parquet_styles(schema: pa.Schema, looked_up: Iterable[str] = ("group_id",)) -> dict[str, Any]:
    """Return how columns are written; readers look for values of those that are `looked_up`."""
    texts = [field.name for field in schema if pa.types.is_string(field.type)]
    integers = {field.name: "DELTA_BINARY_PACKED" for field in schema if pa.types.is_integer(field.type)}
    # Smallest and largest values of every column take a third of the time.
    statistics = [name for name in looked_up if name in schema.names]
    return {
        "compression": "zstd",
        "use_dictionary": texts,
        "column_encoding": integers,
        "write_statistics": statistics,
        "store_schema": False,
    }


def files_of(done: Iterable[Done], table: str) -> tuple[str, ...]:
    """Return the files of one table, in the order of the input."""
    return tuple(answer.files[table] for answer in done if table in answer.files)
