"""Repeated rows: their 64-bit keys, the first row of each key, and contradictions between rows."""

import hashlib
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.group.tables.arrow import names

KEY_COLUMNS = {
    "OFFSETS": ("taken_at", "cluster", "group_id", "topic", "partition"),
    "MEMBERS": ("taken_at", "cluster", "group_id", "member_id"),
    "TOPICS": ("taken_at", "cluster", "topic", "partition"),
    "TASKS": ("taken_at", "cluster", "group_id", "task_id"),
    "CONSUMERS": ("taken_at", "cluster", "group_id", "member_id"),
}
"""The columns of a row's key; for a group without a name, the file is added."""

NULL = np.iinfo(np.int64).min
_ODD = np.uint64(0x9E3779B97F4A7C15)


def row_keys(table: pa.Table, name: str) -> np.ndarray:
    """Return a 64-bit hash of each row's key, uint64; `name`: the table's name.

    The hash is the same in every process.
    """
    keys = np.zeros(table.num_rows, dtype=np.uint64)
    for column in _keys(table, name).itercolumns():
        keys = _mixed(keys ^ _hashes(column))
    return keys


def first_rows(table: pa.Table, name: str, hashes: np.ndarray) -> np.ndarray:
    """Return for each row the index of the first row with the same key, int64.

    `hashes`: the table's `row_keys`. Rows with equal hashes are compared by their keys.
    """
    in_order = np.sort(hashes)
    if not (in_order[1:] == in_order[:-1]).any():
        return np.arange(len(hashes))
    _, first, run = np.unique(hashes, return_index=True, return_inverse=True)
    codes = [cell_codes(column) for column in _keys(table, name).itercolumns()]
    if all((column[first[run]] == column).all() for column in codes):
        return first[run]
    # Two keys have the same hash, so the keys are compared.
    _, first, run = np.unique(
        np.column_stack(codes), axis=0, return_index=True, return_inverse=True
    )
    return first[run]


def cell_codes(column: pa.ChunkedArray) -> np.ndarray:
    """Return a column as int64: equal cells have equal numbers, and null is equal only to null."""
    array = column.combine_chunks()
    if pa.types.is_nested(array.type):
        array = pa.array(
            [None if cell is None else repr(cell) for cell in array.to_pylist()], "string"
        )
    if _is_text(array.type):
        codes = names(pa.chunked_array([array])).code.astype(np.int64)
        return np.where(codes < 0, NULL, codes)
    if pa.types.is_floating(array.type):
        return np.where(
            array.is_null(), NULL, array.fill_null(0).to_numpy(zero_copy_only=False).view(np.int64)
        )
    return array.cast(pa.int64()).fill_null(NULL).to_numpy(zero_copy_only=False)


def unnamed_in(table: pa.Table) -> pa.Array | pa.ChunkedArray:
    """Return the file of each row whose group has no name; null for rows of groups with a name."""
    group_id = table["group_id"]
    return (
        pc.if_else(group_id.is_null(), table["source_file"], pa.scalar(None, "string"))
        if group_id.null_count
        else pa.nulls(len(group_id), "string")
    )


def _keys(table: pa.Table, name: str) -> pa.Table:
    keys = table.select(KEY_COLUMNS[name])
    if "group_id" not in keys.column_names:
        return keys
    keys = keys.append_column("unnamed_in", unnamed_in(table))
    if name != "MEMBERS":
        return keys
    # The head of a document has its own key, because the document's topics refer to its line.
    return keys.append_column(
        "is_head", pc.and_(pc.is_null(table["member_id"]), pc.is_valid(table["subscribed"]))
    )


def _hashes(column: pa.ChunkedArray) -> np.ndarray:
    if not _is_text(column.type):
        return cell_codes(column).view(np.uint64)
    text = names(column)
    # Not hash(), which differs between processes: keys of several Spark tasks are compared.
    digests = b"".join(
        hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        for name in text.name
    )
    # Null has the code -1, which is the index of the last hash.
    return np.append(np.frombuffer(digests, dtype=np.uint64), _ODD)[text.code]


def _is_text(type: pa.DataType) -> bool:
    return pa.types.is_string(type) or pa.types.is_dictionary(type)


def _mixed(keys: np.ndarray) -> np.ndarray:
    """Mix all 64 bits, as the last step of SplitMix64 does."""
    keys = keys + _ODD
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


# Repeated rows of one table: contradictions between them, and their merged values.


_ABOUT_THE_ROW = ("source_format", "source_file", "source_line", "member_order", "task_order")
NO_ROW = -1


@dataclass(frozen=True, eq=False)
class RepeatedRows:
    """All rows whose key occurs more than once, in the table's order.

    N is the number of these rows, K the number of their keys. Rows with the same key are about the
    same thing: a partition, member, topic, task or consumer.

    Parameters
    ----------
    row : int64 (N,)
        Index of the row in the table.
    thing : int64 (N,)
        Index (0 to K - 1) of the thing that the row is about.
    kind : int64 (N,)
        Equal for rows with the same thing and the same format. Such rows must have nulls in the
        same columns. In another format, null may mean that the format does not have the value.
    codes : dict of int64 (N,)
        By name of each compared column, its cells as numbers; `NULL` for an empty cell.
    """

    row: np.ndarray
    thing: np.ndarray
    kind: np.ndarray
    codes: dict[str, np.ndarray]

    def first(self, is_known: np.ndarray) -> np.ndarray:
        """Return for each thing the first row where `is_known`, int64 (K,), or `NO_ROW`.

        `is_known`: bool (N,).
        """
        return _first(self.thing, is_known)

    def conflicts(self, active: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the `active` rows that contradict an earlier active row of the same thing.

        The second array has the index of the first column that differs, the third array the index
        of the earlier row.
        """
        column_of, against = (np.full(len(self.row), NO_ROW, dtype=np.int64) for _ in range(2))
        alike = _first(self.kind, active)[self.kind]
        for number, codes in enumerate(self.codes.values()):
            says = active & (codes != NULL)
            said_first = self.first(says)[self.thing]
            for bad, other in (
                (active & (codes != codes[alike]), alike),
                (says & (codes != codes[said_first]), said_first),
            ):
                new = bad & (column_of == NO_ROW)
                column_of[new], against[new] = number, other[new]
        rows = np.flatnonzero(column_of != NO_ROW)
        return rows, column_of[rows], against[rows]


def _first(thing: np.ndarray, is_known: np.ndarray) -> np.ndarray:
    first = np.full(thing.max(initial=NO_ROW) + 1, NO_ROW, dtype=np.int64)
    # In reverse order: if an index gets several values, numpy keeps the last.
    said_at = np.flatnonzero(is_known)[::-1]
    first[thing[said_at]] = said_at
    return first


def repeated_rows(
    table: pa.Table, name: str, comparable: np.ndarray, keys: np.ndarray | None = None
) -> RepeatedRows:
    """Return the repeated rows; `comparable`: rows that may repeat each other, bool.

    `keys`: the table's `row_keys`, if already known.
    """
    candidates = np.flatnonzero(comparable)
    keys = row_keys(table, name) if keys is None else keys
    first = (
        first_rows(table, name, keys)
        if comparable.all()
        else first_rows(table.filter(comparable), name, keys[comparable])
    )
    shared = np.bincount(first, minlength=len(first)) > 1
    repeated = np.flatnonzero(shared[first])
    thing = (np.cumsum(shared) - 1)[first[repeated]]
    rows = candidates[repeated]
    cells = table.take(rows)
    formats = names(cells["source_format"])
    _, kind = np.unique(thing * (len(formats.name) + 1) + formats.code, return_inverse=True)
    compared = [
        column
        for column in table.column_names
        if column not in (*KEY_COLUMNS[name], *_ABOUT_THE_ROW)
        and cells[column].null_count < len(rows)
    ]
    return RepeatedRows(
        rows, thing, kind, {column: cell_codes(cells[column]) for column in compared}
    )


def merged(
    table: pa.Table, rows: RepeatedRows, active: np.ndarray
) -> tuple[pa.Table, np.ndarray, np.ndarray]:
    """Fill the unknown cells of the first active row of each thing, from later active rows.

    Returns
    -------
    pa.Table
        The table, with the same number of rows.
    remains : bool (rows of the table,)
        False for repeated rows, except the first row of each thing.
    is_source : bool (N,)
        Repeated rows that add a value to the result.
    """
    first = rows.first(active)
    things = np.flatnonzero(first != NO_ROW)
    is_source = np.zeros(len(rows.row), dtype=bool)
    is_source[first[things]] = True
    for column, codes in rows.codes.items():
        source = rows.first(active & (codes != NULL))
        filled = things[(source[things] != NO_ROW) & (source[things] != first[things])]
        if filled.size:
            is_source[source[filled]] = True
            cell = np.arange(table.num_rows)
            cell[rows.row[first[filled]]] = rows.row[source[filled]]
            table = table.set_column(
                table.column_names.index(column),
                table.schema.field(column),
                table[column].take(cell),
            )
    remains = np.ones(table.num_rows, dtype=bool)
    remains[rows.row] = False
    remains[rows.row[first[things]]] = True
    return table, remains, is_source
