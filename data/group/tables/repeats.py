"""Rows about the same thing: their 64-bit keys, the first row of each key (verified exactly), and
contradictions between rows.
"""

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
"""The key of a row; the file identifies groups without a name."""

NULL = np.iinfo(np.int64).min
_ODD = np.uint64(0x9E3779B97F4A7C15)


def row_keys(table: pa.Table, name: str) -> np.ndarray:
    """Return a 64-bit hash of each row's key, uint64, the same in every process; `name`: the
    table's.
    """
    keys = np.zeros(table.num_rows, dtype=np.uint64)
    for column in _keys(table, name).itercolumns():
        keys = _mixed(keys ^ _hashes(column))
    return keys


def first_rows(table: pa.Table, name: str, hashes: np.ndarray) -> np.ndarray:
    """Return for each row, int64, the first row with the same key: itself if it is the first.
    `hashes` are the table's `row_keys`.
    """
    in_order = np.sort(hashes)
    if not (in_order[1:] == in_order[:-1]).any():
        return np.arange(len(hashes))
    _, first, run = np.unique(hashes, return_index=True, return_inverse=True)
    codes = [cell_codes(column) for column in _keys(table, name).itercolumns()]
    if all((column[first[run]] == column).all() for column in codes):
        return first[run]
    # Two keys share a hash: the keys themselves decide.
    _, first, run = np.unique(
        np.column_stack(codes), axis=0, return_index=True, return_inverse=True
    )
    return first[run]


def cell_codes(column: pa.ChunkedArray) -> np.ndarray:
    """Return a column as int64, equal where cells are equal; null is equal only to null."""
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
    """Return, for each row of a table with groups, the file of an unnamed group, null for a named
    group.
    """
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
    # The head of a document stays apart from other rows about the group: topics take its line.
    return keys.append_column(
        "is_head", pc.and_(pc.is_null(table["member_id"]), pc.is_valid(table["subscribed"]))
    )


def _hashes(column: pa.ChunkedArray) -> np.ndarray:
    if not _is_text(column.type):
        return cell_codes(column).view(np.uint64)
    text = names(column)
    # Not hash(): Python salts it in each process, and keys of several tasks meet.
    digests = b"".join(
        hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        for name in text.name
    )
    # Null has the code -1, which takes the last hash.
    return np.append(np.frombuffer(digests, dtype=np.uint64), _ODD)[text.code]


def _is_text(type: pa.DataType) -> bool:
    return pa.types.is_string(type) or pa.types.is_dictionary(type)


def _mixed(keys: np.ndarray) -> np.ndarray:
    """Spread every bit over all 64: the finaliser of SplitMix64."""
    keys = keys + _ODD
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


# Rows of one table about the same thing: their contradictions, and their common values.


_ABOUT_THE_ROW = ("source_format", "source_file", "source_line", "member_order", "task_order")
NO_ROW = -1


@dataclass(frozen=True, eq=False)
class RepeatedRows:
    """N rows of K things, in the table's order: the rows of all things with several rows.

    Parameters
    ----------
    row : int64 (N,)
        Row of the table.
    thing : int64 (N,)
        Which of the K things the row is about.
    kind : int64 (N,)
        Number of thing and format. Rows of one format must agree in nulls too; in another format
        null may mean that the format lacks the value.
    codes : The cells of every column that a repeat may contradict, `NULL` if empty.
    """

    row: np.ndarray
    thing: np.ndarray
    kind: np.ndarray
    codes: dict[str, np.ndarray]

    def first(self, is_known: np.ndarray) -> np.ndarray:
        """int64 (K,): each thing's first row among rows with `is_known`, bool (N,); `NO_ROW`
        without such a row.
        """
        return _first(self.thing, is_known)

    def conflicts(self, active: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the active rows that contradict an earlier active row of their thing.

        Each row comes with the first contradicting column's number, and the contradicted row.
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
    # In reverse: numpy keeps the last value that is written to a place.
    said_at = np.flatnonzero(is_known)[::-1]
    first[thing[said_at]] = said_at
    return first


def repeated_rows(
    table: pa.Table, name: str, comparable: np.ndarray, keys: np.ndarray | None = None
) -> RepeatedRows:
    """Find the repeated rows among the `comparable` ones, bool (rows of the table,).

    `keys`: the table's `row_keys`, if known already.
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
    """Fill unknown cells of the first active row of each thing from later active rows.

    Returns
    -------
    pa.Table
        As many rows as before.
    kept : bool (rows of the table,)
        All but the repeated rows that are not the first of their thing.
    said : bool (N,)
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
