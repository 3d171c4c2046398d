"""Names of topics and members with their group before them, so that many groups are one series."""

import numpy as np
import pyarrow as pa

from evenkeel.data.tables.arrow import names

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
    # Arrow finds equal numbers by hashing; sorting millions of rows, or marking all pairs of thousands of names, takes longer.
    key = group.astype(np.int64) * len(name) + code
    pairs = pa.array(key, mask=code < 0).dictionary_encode()
    joined = [f"{group_name[pair // len(name)]}{SEPARATOR}{name[pair % len(name)]}" for pair in pairs.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(pairs.indices, pa.array(joined, pa.string()))
