"""Rows of one table about the same thing: where they contradict each other, and what they say together."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from evenkeel.data.tables.arrow import names
from evenkeel.data.tables.repeats.keys import KEY_COLUMNS, NULL, cell_codes, first_rows, row_keys

_ABOUT_THE_ROW = ("source_format", "source_file", "source_line", "member_order", "task_order")
NO_ROW = -1


@dataclass(frozen=True, eq=False)
class RepeatedRows:
    """N rows of K things, in the order of the table: all rows whose thing has several.

    Parameters
    ----------
    row : int64 (N,)
        Row of the table.
    thing : int64 (N,)
        Which of the K things the row is about.
    kind : int64 (N,)
        Number of thing and format. Rows of one format must agree in nulls too; a null of another format may be what that format cannot say.
    codes : dict of int64 (N,)
        The cells of every column that a repeat may contradict, `NULL` where it says nothing.
    """

    row: np.ndarray
    thing: np.ndarray
    kind: np.ndarray
    codes: dict[str, np.ndarray]

    def first(self, said: np.ndarray) -> np.ndarray:
        """int64 (K,): of the rows where `said`, bool (N,), the first of each thing, `NO_ROW` where there is none."""
        return _first(self.thing, said)

    def conflicts(self, active: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the active rows that contradict an earlier active row of their thing.

        With each: the number of the first such column, and the row that it contradicts.
        """
        column_of, against = (np.full(len(self.row), NO_ROW, dtype=np.int64) for _ in range(2))
        alike = _first(self.kind, active)[self.kind]
        for number, codes in enumerate(self.codes.values()):
            says = active & (codes != NULL)
            said_first = self.first(says)[self.thing]
            for bad, other in ((active & (codes != codes[alike]), alike), (says & (codes != codes[said_first]), said_first)):
                new = bad & (column_of == NO_ROW)
                column_of[new], against[new] = number, other[new]
        rows = np.flatnonzero(column_of != NO_ROW)
        return rows, column_of[rows], against[rows]


def _first(thing: np.ndarray, said: np.ndarray) -> np.ndarray:
    first = np.full(thing.max(initial=NO_ROW) + 1, NO_ROW, dtype=np.int64)
    # In reverse: numpy keeps the last value that is written to a place.
    said_at = np.flatnonzero(said)[::-1]
    first[thing[said_at]] = said_at
    return first


def repeated_rows(table: pa.Table, name: str, comparable: np.ndarray, keys: np.ndarray | None = None) -> RepeatedRows:
    """Find the repeated rows among the `comparable` ones, bool (rows of the table,).

    `keys`: the table's `row_keys`, where they are known already.
    """
    candidates = np.flatnonzero(comparable)
    keys = row_keys(table, name) if keys is None else keys
    first = first_rows(table, name, keys) if comparable.all() else first_rows(table.filter(comparable), name, keys[comparable])
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
        if column not in (*KEY_COLUMNS[name], *_ABOUT_THE_ROW) and cells[column].null_count < len(rows)
    ]
    return RepeatedRows(rows, thing, kind, {column: cell_codes(cells[column]) for column in compared})


def merged(table: pa.Table, rows: RepeatedRows, active: np.ndarray) -> tuple[pa.Table, np.ndarray, np.ndarray]:
    """Fill the first active row of each thing with what later active ones know.

    Returns
    -------
    pa.Table
        As many rows as before.
    kept : bool (rows of the table,)
        All but the repeated rows that are not the first of their thing.
    said : bool (N,)
        Repeated rows that add something to the result.
    """
    first = rows.first(active)
    things = np.flatnonzero(first != NO_ROW)
    said = np.zeros(len(rows.row), dtype=bool)
    said[first[things]] = True
    for column, codes in rows.codes.items():
        source = rows.first(active & (codes != NULL))
        filled = things[(source[things] != NO_ROW) & (source[things] != first[things])]
        if filled.size:
            said[source[filled]] = True
            cell = np.arange(table.num_rows)
            cell[rows.row[first[filled]]] = rows.row[source[filled]]
            table = table.set_column(table.column_names.index(column), table.schema.field(column), table[column].take(cell))
    kept = np.ones(table.num_rows, dtype=bool)
    kept[rows.row] = False
    kept[rows.row[first[things]]] = True
    return table, kept, said
