"""Parquet files that a task of an ingest writes, one for each table with rows. The task returns the
counts of all lines.

Tasks write the files themselves, because Spark's own writer takes twice as long. If Spark runs a
task again, the new files have other names. The manifest lists the valid files.
"""

import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.arrow import of_documents
from evenkeel.data.group.tables.counts import Counts
from evenkeel.data.group.tables.load import (
    load_by_group,
    load_by_member,
    shares_of_members,
    shares_of_partitions,
    with_lag,
    with_owner,
)
from evenkeel.data.group.tables.parsed import ParsedTables, encoded, tables_of
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place

SCHEMAS = schemas.STORED | {"SHARES": schemas.SHARES}


class Done(msgspec.Struct, frozen=True):
    """The answer that a task of an ingest returns.

    `place`: position of the task's input among all inputs. `files`: the key of the Parquet file of
    each table, including SHARES. The file of LAG has only owners from OFFSETS. `row_counts`: number
    of rows in each file.

    `counts`: counts of each input file. `refused`: for each refused input file, the reason.
    `owner_is_null`: a row of OFFSETS has no owner. `has_claims`: a row of MEMBERS has claims.
    `is_of_documents`: all rows are from group documents, in which MEMBERS has all owners.
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


def write(
    parsed: ParsedTables, counts: Mapping[str, Counts], place: int, lake: Place, batch: str
) -> Done:
    """Write the parsed tables, and the tables LAG and SHARES, which are computed from the parsed
    tables. `counts`: counts of each input file.
    """
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
        bool(
            of_documents(parsed.offsets["source_format"]).all()
            and of_documents(parsed.members["source_format"]).all()
        ),
    )


def _written(parsed: ParsedTables) -> Iterator[tuple[str, pa.Table]]:
    yield from tables_of(parsed).items()
    lag = encoded(with_lag(parsed.offsets))
    yield "LAG", lag
    yield "SHARES", pa.concat_tables([shares_of_partitions(lag), shares_of_members(parsed.members)])


def write_table(table: pa.Table, schema: pa.Schema, lake: Place, key: str) -> None:
    """Write a Parquet file, to be read with `schema`. On return, the whole file exists. Text
    columns may be dictionary-encoded.
    """
    with pa.BufferOutputStream() as file:
        pq.write_table(table, file, **parquet_styles(schema))
        lake.write(key, file.getvalue())


def parquet_styles(schema: pa.Schema, looked_up: Iterable[str] = ("group_id",)) -> dict[str, Any]:
    """Return the Parquet options for a schema. `looked_up`: columns with statistics, because
    readers filter rows by these columns.
    """
    texts = [field.name for field in schema if pa.types.is_string(field.type)]
    integers = {
        field.name: "DELTA_BINARY_PACKED" for field in schema if pa.types.is_integer(field.type)
    }
    # Only for these columns, because statistics of all columns take a third of the write time.
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


# LAG with owners, and the loads of members and groups, computed from a batch's tables in one
# process.


def results_of(lake: Place, batch: str, done: Sequence[Done]) -> dict[str, tuple[str, ...]]:
    """Compute LAG, MEMBER_LOAD and GROUP_LOAD from the files that the tasks of a batch have
    written. Return the files of each computed table.
    """
    lag = files_of(done, "LAG")
    if not members_tell_owners(done):
        return {"LAG": lag} | write_loads(
            read_parts("SHARES", files_of(done, "SHARES"), lake), lake, batch
        )
    members = read_parts("MEMBERS", files_of(done, "MEMBERS"), lake)
    owned = with_owner(read_parts("LAG", lag, lake), members)
    shares = pa.concat_tables([shares_of_partitions(owned), shares_of_members(members)])
    return {"LAG": (write_part("LAG", owned, lake, batch),)} | write_loads(shares, lake, batch)


def members_tell_owners(done: Sequence[Done]) -> bool:
    """Return whether missing owners of OFFSETS must be looked up in MEMBERS. If all rows are from
    group documents, no look-up is needed.
    """
    is_told = any(answer.owner_is_null for answer in done) and any(
        answer.has_claims for answer in done
    )
    return is_told and not all(answer.is_of_documents for answer in done)


def write_loads(shares: pa.Table, lake: Place, batch: str) -> dict[str, tuple[str, ...]]:
    """Sum the rows of SHARES by member and by group. Return the files of MEMBER_LOAD and
    GROUP_LOAD.
    """
    by_member = load_by_member(shares)
    loads = {"MEMBER_LOAD": by_member, "GROUP_LOAD": load_by_group(by_member)}
    return {name: (write_part(name, table, lake, batch),) for name, table in loads.items()}


def write_part(name: str, table: pa.Table, lake: Place, batch: str) -> str:
    """Write a new file with rows of the table `name`; return the file's key."""
    schema, file = SCHEMAS[name], f"{name}/{batch}/{secrets.token_hex(8)}.parquet"
    write_table(table.cast(schema), schema, lake, file)
    return file


def read_parts(name: str, files: Iterable[str], lake: Place) -> pa.Table:
    """Return the rows of a table from these files. The batch need not be published."""
    schema = SCHEMAS[name]
    return pa.concat_tables(
        [
            schema.empty_table(),
            *(pq.read_table(pa.BufferReader(lake.read(file)), schema=schema) for file in files),
        ]
    )


# The manifest of a batch, completed with the answers of its tasks.


def with_counts(manifest: Manifest, done: Sequence[Done]) -> Manifest:
    """Return the manifest with the recognised formats, the counts of each source, and the sum of
    these counts.
    """
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    refused: dict[str, str] = {}
    for answer in done:
        refused |= answer.refused
        for name, count in answer.counts.items():
            counts[name] += count
    sources = tuple(
        msgspec.structs.replace(
            source,
            counts=source.counts + counts[source.name],
            refused=source.refused or refused.get(source.name),
        )
        for source in manifest.sources
    )
    formats = tuple(dict.fromkeys(name for answer in done for name in answer.formats))
    return msgspec.structs.replace(
        manifest,
        sources=sources,
        formats=formats,
        counts=sum((source.counts for source in sources), Counts()),
    )


def with_tables(
    manifest: Manifest, done: Sequence[Done], results: Mapping[str, tuple[str, ...]]
) -> Manifest:
    """Return the manifest with the files that the tasks have written, and the files of computed
    tables.
    """
    return msgspec.structs.replace(
        manifest, tables={name: files_of(done, name) for name in schemas.TABLES} | dict(results)
    )
