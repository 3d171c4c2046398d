"""Names of topics and members with their group before them, so that many groups are one series."""

import numpy as np
import pyarrow as pa

from data.tables.arrow import names

SEPARATOR = "\0"


def named_by_group(table: pa.Table, columns: tuple[str, ...]) -> pa.Table:
    """Return the table with these columns as `group\\0name`, dictionary-encoded; null stays null."""
    group = names(table["group_id"])
    for column in columns:
        place = table.column_names.index(column)
        table = table.set_column(place, column, _joined(group.code, group.name, *names(table[column])))
    return table


def split_name(name: str) -> tuple[str, str]:
    """Return group and name."""
    group, _, rest = name.partition(SEPARATOR)
    return group, rest


def _joined(group: np.ndarray, group_name: list[str], code: np.ndarray, name: list[str]) -> pa.DictionaryArray:
    # Counting marks which pairs there are; sorting millions of rows takes longer.
    key = group.astype(np.int64) * len(name) + code
    is_known = code >= 0
    is_there = np.zeros(len(group_name) * max(len(name), 1), dtype=bool)
    is_there[key[is_known]] = True
    pairs = np.flatnonzero(is_there)
    number = np.cumsum(is_there, dtype=np.int32) - 1
    index = pa.array(number[np.where(is_known, key, 0)] if number.size else np.zeros(code.size, np.int32), pa.int32(), mask=~is_known)
    joined = [f"{group_name[pair // len(name)]}{SEPARATOR}{name[pair % len(name)]}" for pair in pairs.tolist()]
    return pa.DictionaryArray.from_arrays(index, pa.array(joined, pa.string()))
