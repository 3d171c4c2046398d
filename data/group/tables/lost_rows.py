"""Lost rows: rejected lines, by the group of their table."""

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.data.group.tables.arrow import integers, names

_CONTRADICTS = re.compile(r".* as in line \d+( of .*)?", re.DOTALL)
"""A line whose row was read before, with other figures."""

_MALFORMED = re.compile(r"\w+ is ")
"""A line of which one cell is wrong."""

_FRAME = " |│┃║\"'"
_ROWS = pa.schema([("source_file", "string"), ("source_line", "int64"), ("group_id", "string")])

_END_OF_NAME = re.compile(r"[\s,;|│┃║\"']")


class LostRow(NamedTuple):
    """A line that failed to be a row; `place`: its row of REJECTED; `is_half`: the input ends in
    it, and cells are missing.
    """

    place: int
    file: str | None
    line: int
    is_half: bool


class LostRows:
    """An input's lost rows by group: the line's own group, else the group of the row above.

    `tables`: rows of groups.
    """

    def __init__(self, rejected: pa.Table, tables: Iterable[pa.Table]):
        self._of_group: dict[str | None, list[LostRow]] = {}
        lost = [
            (place, row)
            for place, row in enumerate(rejected.to_pylist())
            if not _CONTRADICTS.fullmatch(row["reason"])
        ]
        if not lost:
            return
        rows = pa.concat_tables([table.select(_ROWS.names).cast(_ROWS) for table in tables])
        group, line = names(rows["group_id"]), integers(rows["source_line"])
        file = names(rows["source_file"])
        for code, name in enumerate(file.name):
            here = np.flatnonzero(file.code == code)
            here = here[np.argsort(line[here], kind="stable")]
            for place, row in lost:
                if row["source_file"] == name:
                    above = int(np.searchsorted(line[here], row["source_line"], side="right")) - 1
                    is_half = above == here.size - 1 and not _MALFORMED.match(row["reason"])
                    row_above = int(group.code[here[max(above, 0)]])
                    named = _first_name(row["text"] or "")
                    group_id = group.name[row_above] if row_above >= 0 else None
                    self._of_group.setdefault(
                        named if named in group.name else group_id, []
                    ).append(LostRow(place, name, row["source_line"], is_half))

    def of(self, group_id: str | None, file: str | None = None) -> list[LostRow]:
        """Return the lost rows of a group; `file`: only that file's rows."""
        return [row for row in self._of_group.get(group_id, ()) if file in (None, row.file)]


def _first_name(text: str) -> str:
    return _END_OF_NAME.split(text.lstrip(_FRAME), maxsplit=1)[0]
