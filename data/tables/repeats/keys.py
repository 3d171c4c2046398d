"""Which rows of a table are about the same thing: 64-bit keys, and the first row of each key, verified exactly."""

import hashlib

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.tables.arrow import names

KEY_COLUMNS = {
    "OFFSETS": ("taken_at", "cluster", "group_id", "topic", "partition"),
    "MEMBERS": ("taken_at", "cluster", "group_id", "member_id"),
    "TOPICS": ("taken_at", "cluster", "topic", "partition"),
    "TASKS": ("taken_at", "cluster", "group_id", "task_id"),
    "CONSUMERS": ("taken_at", "cluster", "group_id", "member_id"),
}
"""What names a row; groups without a name are also told apart by their file."""

NULL = np.iinfo(np.int64).min
_ODD = np.uint64(0x9E3779B97F4A7C15)


def row_keys(table: pa.Table, name: str) -> np.ndarray:
    """Return a 64-bit hash of each row's key, uint64, the same in every process; `name` is that of the table."""
    keys = np.zeros(table.num_rows, dtype=np.uint64)
    for column in _keys(table, name).itercolumns():
        keys = _mixed(keys ^ _hashes(column))
    return keys


def first_rows(table: pa.Table, name: str, hashes: np.ndarray) -> np.ndarray:
    """Return for each row, int64, the first row with the same key: itself where it is the first. `hashes` are the table's `row_keys`."""
    in_order = np.sort(hashes)
    if not (in_order[1:] == in_order[:-1]).any():
        return np.arange(len(hashes))
    _, first, run = np.unique(hashes, return_index=True, return_inverse=True)
    codes = [cell_codes(column) for column in _keys(table, name).itercolumns()]
    if all((column[first[run]] == column).all() for column in codes):
        return first[run]
    # Two keys share a hash: the keys themselves decide.
    _, first, run = np.unique(np.column_stack(codes), axis=0, return_index=True, return_inverse=True)
    return first[run]


def cell_codes(column: pa.ChunkedArray) -> np.ndarray:
    """Return a column as int64, equal where cells are equal; null is equal to null alone."""
    array = column.combine_chunks()
    if pa.types.is_nested(array.type):
        array = pa.array([None if cell is None else repr(cell) for cell in array.to_pylist()], pa.string())
    if _is_text(array.type):
        codes = names(pa.chunked_array([array])).code.astype(np.int64)
        return np.where(codes < 0, NULL, codes)
    if pa.types.is_floating(array.type):
        return np.where(array.is_null(), NULL, array.fill_null(0).to_numpy(zero_copy_only=False).view(np.int64))
    return array.cast(pa.int64()).fill_null(NULL).to_numpy(zero_copy_only=False)


def unnamed_in(table: pa.Table) -> pa.Array | pa.ChunkedArray:
    """Return for each row of a table with groups the file of a group without name, null where the group has one."""
    group_id = table["group_id"]
    return (
        pc.if_else(group_id.is_null(), table["source_file"], pa.scalar(None, pa.string()))
        if group_id.null_count
        else pa.nulls(len(group_id), pa.string())
    )


def _keys(table: pa.Table, name: str) -> pa.Table:
    keys = table.select(KEY_COLUMNS[name])
    if "group_id" not in keys.column_names:
        return keys
    keys = keys.append_column("unnamed_in", unnamed_in(table))
    if name != "MEMBERS":
        return keys
    # The head of a document stays apart from other rows about the group: its line is where its topics are.
    return keys.append_column("is_head", pc.and_(pc.is_null(table["member_id"]), pc.is_valid(table["subscribed"])))


def _hashes(column: pa.ChunkedArray) -> np.ndarray:
    if not _is_text(column.type):
        return cell_codes(column).view(np.uint64)
    text = names(column)
    # Not hash(): Python salts it in each process, and keys of several tasks meet.
    digests = b"".join(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest() for name in text.name)
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
