"""Lost rows: lines of a group that could not be read as rows."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa

from evenkeel.data.group.tables.arrow import integers, names
from evenkeel.data.group.tables.parsed import ParsedTables

_CONTRADICTS = re.compile(r".* as in line \d+( of .*)?", re.DOTALL)
"""Reason of a line that contradicts an earlier line."""

_MALFORMED = re.compile(r"\w+ is ")
"""Reason of a line with one wrong cell."""

_FRAME = " |│┃║\"'"
_ROWS = pa.schema([("source_file", "string"), ("source_line", "int64"), ("group_id", "string")])

_TOPIC_AND_PARTITION = re.compile(r"\s*\S+\s+\d+\b")
_END_OF_NAME = re.compile(r"[\s,;|│┃║\"']")

_NAMES_GROUP = re.compile(r"\d+ words, expected \d+ columns: GROUP ")
"""Reason of a row with too few columns, in a table whose first column is the group."""


class LostRow(NamedTuple):
    """A line that could not be read as a row; `is_half`: it is the input's incomplete last line."""

    file: str | None
    line: int
    is_half: bool


class LostRows:
    """An input's lost rows by group: the group in the line, else the group of the row above.

    `rejected` and `tables` must have the rows of all groups, to find the last line of each file.
    """

    def __init__(self, rejected: pa.Table, tables: Iterable[pa.Table]):
        self._of_group: dict[str | None, list[LostRow]] = {}
        self.lost_groups: list[str] = []
        """Groups without a readable row."""
        every = rejected.to_pylist()
        lost = [row for row in every if not _CONTRADICTS.fullmatch(row["reason"])]
        if not lost:
            return
        rows = pa.concat_tables([table.select(_ROWS.names).cast(_ROWS) for table in tables])
        group, line = names(rows["group_id"]), integers(rows["source_line"])
        file, groups = names(rows["source_file"]), set(group.name)
        for code, name in enumerate(file.name):
            here = np.flatnonzero(file.code == code)
            here = here[np.argsort(line[here], kind="stable")]
            mine = [row for row in lost if row["source_file"] == name]
            if not mine or not here.size:
                continue
            rejected_at = (row["source_line"] for row in every if row["source_file"] == name)
            last = max(int(line[here[-1]]), *rejected_at)
            for row in mine:
                at = row["source_line"]
                above = max(int(np.searchsorted(line[here], at, side="right")) - 1, 0)
                group_above = int(group.code[here[above]])
                named = _named_group(row, groups)
                group_id = named or (group.name[group_above] if group_above >= 0 else None)
                is_half = at == last and not _MALFORMED.match(row["reason"])
                self._of_group.setdefault(group_id, []).append(LostRow(name, at, is_half))
        self.lost_groups = [each for each in filter(None, self._of_group) if each not in groups]

    @classmethod
    def of_all(cls, parsed: ParsedTables) -> Self:
        """Return the lost rows of `parsed`, which must have the rows of all groups."""
        return cls(parsed.rejected, (parsed.offsets, parsed.members))

    def of(self, group_id: str | None, file: str | None = None) -> list[LostRow]:
        """Return the lost rows of a group; `file`: only rows of this file."""
        return [row for row in self._of_group.get(group_id, ()) if file in (None, row.file)]


def _named_group(row: Mapping[str, Any], groups: Collection[str]) -> str | None:
    """Return the group's name in a rejected line, None if the line has none.

    The first word is this name if it names a known group, or if a topic and a partition follow.
    """
    words = _END_OF_NAME.split((row["text"] or "").lstrip(_FRAME), maxsplit=1)
    if words[0] in groups:
        return words[0]
    is_new = _NAMES_GROUP.match(row["reason"]) and _TOPIC_AND_PARTITION.match(words[-1])
    return words[0] if is_new else None
