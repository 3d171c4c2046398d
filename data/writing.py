"""What a task of an ingest leaves: one Parquet file for each table that has rows, and an answer that counts every line.

Tasks write these files themselves, because Spark's own writer takes twice the time for the same rows. Every attempt has file names of its own; the manifest decides which of them count.
"""

import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from data import schemas
from data.manifest import Counts, sync
from data.sources.parsed import Parsed

KEYED = ("OFFSETS", "MEMBERS", "TOPICS")
"""Tables in which a row can repeat another."""


class Done(msgspec.Struct, frozen=True):
    """The answer of a task.

    `place`: its place in the order of the input. `files`: Parquet by table, relative to the lake. `counts` and `refused`: by input file. `offset_count`: rows of OFFSETS.
    `owner_is_null`: a row of OFFSETS names no owner. `has_claims`: a row of MEMBERS says what it owns. `keys`: files of sorted row keys by table, before repeats are settled.
    """

    place: int
    files: dict[str, str]
    counts: dict[str, Counts]
    formats: tuple[str, ...]
    offset_count: int
    owner_is_null: bool
    has_claims: bool
    refused: dict[str, str] = {}
    keys: dict[str, str] = {}


def write(parsed: Parsed, counts: Mapping[str, Counts], place: int, lake: Path, batch: str) -> Done:
    """Write what was parsed; `counts` are those of its input files."""
    files = {}
    attempt = f"{place:06d}-{secrets.token_hex(4)}"
    for name, table in tables_of(parsed).items():
        if table.num_rows:
            files[name] = f"{name}/{batch}/{attempt}.parquet"
            write_table(table, schemas.TABLES[name], lake / files[name])
    owned, current = parsed.members["owned"], parsed.members["current"]
    return Done(
        place,
        files,
        dict(counts),
        parsed.formats,
        parsed.offsets.num_rows,
        parsed.offsets["member_id"].null_count > 0,
        owned.null_count + current.null_count < 2 * parsed.members.num_rows,
    )


def write_table(table: pa.Table, schema: pa.Schema, path: Path) -> None:
    """Write one Parquet file that reads back with `schema`; it is on disk, whole, when this returns. Text may come dictionary-encoded."""
    texts = [field.name for field in schema if pa.types.is_string(field.type)]
    integers = {field.name: "DELTA_BINARY_PACKED" for field in schema if pa.types.is_integer(field.type)}
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, compression="zstd", use_dictionary=texts, column_encoding=integers, store_schema=False)
    sync(path)


def tables_of(parsed: Parsed) -> dict[str, pa.Table]:
    """Return the four tables by name."""
    return {name: getattr(parsed, name.lower()) for name in schemas.TABLES}


def files_of(done: Iterable[Done], table: str) -> tuple[str, ...]:
    """Return the files of one table, in the order of the input."""
    return tuple(answer.files[table] for answer in done if table in answer.files)
