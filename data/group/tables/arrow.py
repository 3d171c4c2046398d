"""Columns of Arrow tables as numpy arrays.

The module does not import pyarrow, so that `evenkeel assign` starts without it.
"""

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evenkeel.assignors.group import UNKNOWN
from evenkeel.data.group.document import FORMAT

if TYPE_CHECKING:
    import pyarrow as pa


class Names(NamedTuple):
    """A text column: its distinct names, and for each row the index of its name, -1 for null."""

    code: np.ndarray
    name: list[str]


def names(column: "pa.ChunkedArray") -> Names:
    """Return a text column, with its names in the order of their first rows.

    If the column is dictionary-encoded, some names may have no row.
    """
    encoded = column.combine_chunks()
    encoded = encoded if hasattr(encoded, "dictionary") else encoded.dictionary_encode()
    # fill_null on millions of rows takes as long as all other work, even without nulls.
    indices = encoded.indices.fill_null(-1) if encoded.indices.null_count else encoded.indices
    return Names(indices.to_numpy(zero_copy_only=False), encoded.dictionary.to_pylist())


def integers(column: "pa.ChunkedArray") -> np.ndarray:
    """Return an integer column as int64; null and negative numbers become `UNKNOWN`."""
    values = column.combine_chunks()
    values = values.fill_null(UNKNOWN) if values.null_count else values
    return np.maximum(values.to_numpy(zero_copy_only=False), UNKNOWN, dtype=np.int64)


SECOND_OWNER = "a second owner of a partition"
"""Format of a row of MEMBERS that comes from a row of offsets, so other members may be missing."""


def of_documents(source_format: "pa.ChunkedArray") -> np.ndarray:
    """Return whether each row comes from a group document, bool.

    A document describes only its own topics.
    """
    source = names(source_format)
    return np.append([name == FORMAT for name in source.name], False).astype(bool)[source.code]


_OF_KAFKA = re.compile(r"kafka-|ConsumerOffsetChecker")
"""Formats of Kafka's own listings; they have an owner column."""


def names_owners_in(offsets: "pa.Table") -> bool:
    """Return whether a listing or table has an owner column.

    The listings of Kafka's tool have an owner column. In other listings, a row must have an owner
    or the header must name the column. Documents are ignored, because they list members.
    """
    listed = offsets.filter(~of_documents(offsets["source_format"]))
    if listed["member_id"].null_count < listed.num_rows:
        return True
    formats = listed["source_format"].unique().to_pylist()
    return any(name and (_OF_KAFKA.match(name) or "member_id" in name) for name in formats)


def first(tables: list["pa.Table"], column: str) -> Any:
    """Return the first value in a column of the tables that is not null; None if all are null."""
    for table in tables:
        values = table[column].drop_null() if column in table.column_names else []
        if len(values):
            return values[0].as_py()
    return None


def times(table: "pa.Table") -> np.ndarray:
    """Return `taken_at` as datetime64[us], NaT for null."""
    return table["taken_at"].to_numpy().astype("datetime64[us]")


def as_datetime(time: np.datetime64) -> datetime:
    """Convert a time from `times` to a datetime in UTC."""
    return time.astype(datetime).replace(tzinfo=UTC)


def not_negative(number: int | None) -> int | None:
    """Return a printed number; None for -1 and -2, which mean that there is no value."""
    return None if number is None or number < 0 else number
