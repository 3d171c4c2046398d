"""Readings of many groups from the same files.

The rows are sorted by group once; otherwise, each group would need a search in all rows.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from evenkeel.data.diagnosis.reading import Readings, readings_of
from evenkeel.data.group.budget import Budget
from evenkeel.data.group.columns.from_tables import GroupKey
from evenkeel.data.group.tables.arrow import names
from evenkeel.data.group.tables.lost_rows import LostRows
from evenkeel.data.group.tables.parsed import (
    IS_ABOUT_GROUPS,
    MESSAGES,
    TIME,
    ParsedTables,
    groups_told,
    remarks,
)


def readings_of_all(
    parsed: ParsedTables,
    keys: Iterable[GroupKey],
    budget: Budget | None = None,
    *,
    has_notes: bool = False,
) -> Iterator[Readings]:
    """Yield the readings of several groups; `has_notes`: include notes about the input."""
    part_of, lost_rows = _by_group(parsed), LostRows.of_all(parsed)
    return (
        readings_of(part_of(key), key, budget, has_notes=has_notes, lost_rows=lost_rows)
        for key in keys
    )


def _by_group(parsed: ParsedTables) -> Callable[[GroupKey], ParsedTables]:
    """Return a function from a group to the group's tables; the notes are about this group."""
    tables = {name: _Rows(getattr(parsed, name)) for name in ("offsets", "members", "earlier")}
    messages = _Messages(parsed.notes)

    def of(key: GroupKey) -> ParsedTables:
        rows = {name: table.of(key) for name, table in tables.items()}
        files = rows["offsets"]["source_file"].unique().to_pylist()
        return replace(parsed, **rows, notes=messages.of(key, files))

    return of


class _Messages:
    """The notes about groups. Messages and remarks have a group and a file, times only a file."""

    def __init__(self, notes: pa.Table):
        self._notes = notes.filter(IS_ABOUT_GROUPS)
        self._of_group: dict[str | None, list[int]] = {}
        self._of_file: dict[str | None, list[int]] = {}
        self._times: dict[str | None, list[int]] = {}
        for row, note in enumerate(self._notes.to_pylist()):
            kind, file = note["reason"], note["source_file"]
            if kind.startswith(TIME):
                self._times.setdefault(file, []).append(row)
                continue
            part = self._notes.slice(row, 1)
            about: list[str | None] = (
                [group for group, _ in groups_told(part, kind)] if kind in MESSAGES else []
            )
            for group in about or [remark.group_id for remark in remarks(part)]:
                self._of_group.setdefault(group, []).append(row)
                self._of_file.setdefault(file, []).append(row)

    def of(self, key: GroupKey, files: Iterable[str | None]) -> pa.Table:
        """Return the notes about a group, and the times of readings in its files.

        If the group has no name, return all notes of its file.
        """
        rows = (
            self._of_file.get(key.source_file, [])
            if key.group_id is None
            else self._of_group.get(key.group_id, [])
        )
        rows = [*rows, *(row for file in files for row in self._times.get(file, ()))]
        return self._notes.take(rows) if rows else self._notes.slice(0, 0)


class _Rows:
    """A table sorted by group: all rows of a group are next to each other."""

    def __init__(self, table: pa.Table):
        group = names(table["group_id"])
        order = np.argsort(group.code, kind="stable")
        is_ordered = bool((order == np.arange(order.size)).all())
        self._table = table if is_ordered else table.take(pa.array(order))
        self._row = {name: number for number, name in enumerate(group.name)} | {None: -1}
        self._code = group.code[order]

    def of(self, key: GroupKey) -> pa.Table:
        """Return all rows of a group, from all files."""
        code = self._row.get(key.group_id, -2)
        first, last = np.searchsorted(self._code, [code, code + 1])
        return self._table.slice(first, last - first)
