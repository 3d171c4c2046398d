"""LAG with its owners, and the loads of members and groups, made of the tables of a batch in one process."""

import secrets
from collections.abc import Iterable, Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.data.lake.place import Place
from evenkeel.data.lake.writing import SCHEMAS, Done, files_of, write_table
from evenkeel.data.tables.load import load_by_group, load_by_member, shares_of_members, shares_of_partitions, with_owner


def results_of(lake: Place, batch: str, done: Sequence[Done]) -> dict[str, tuple[str, ...]]:
    """Run the transforms over what the tasks of a batch have written; return the files of each result."""
    lag = files_of(done, "LAG")
    if not members_tell_owners(done):
        return {"LAG": lag} | write_loads(read_parts("SHARES", files_of(done, "SHARES"), lake), lake, batch)
    members = read_parts("MEMBERS", files_of(done, "MEMBERS"), lake)
    owned = with_owner(read_parts("LAG", lag, lake), members)
    shares = pa.concat_tables([shares_of_partitions(owned), shares_of_members(members)])
    return {"LAG": (write_part("LAG", owned, lake, batch),)} | write_loads(shares, lake, batch)


def members_tell_owners(done: Sequence[Done]) -> bool:
    """Tell whether owners must be looked up in MEMBERS."""
    is_told = any(answer.owner_is_null for answer in done) and any(answer.has_claims for answer in done)
    return is_told and not all(answer.is_of_documents for answer in done)


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
