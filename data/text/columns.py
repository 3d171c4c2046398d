"""A column of a table. It is declared once, for pages, commands, files and JSON.

COLUMNS = (Column("members", "members", value="member_count", kind="int64"),)
"""

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, NamedTuple

from evenkeel.data.text.formats import UNKNOWN, exact

Getter = str | Callable[[Any], Any]
"""A path of attributes of a row, such as `facts.state`, or a function of a row."""


class Column(NamedTuple):
    """A column of a table.

    Parameters
    ----------
    key : str
        The column's name in JSON and files.
    label : str
        Header in the command's output; empty if the command has no such column.
    text : Getter, optional
        What people read in a row: a text or a whole number, None for `–`. By default `value`.
    value : Getter, optional
        The value in JSON and files, None if unknown. If there is no `value`, JSON and files do not
        have the column. With neither `text` nor `value`, rows are mappings, and people read the
        entry `key`.
    kind : str
        Arrow's name of the value's type.
    title : str
        Header on the page; empty if the page has no such column.
    cell : function, optional
        Returns further properties of a cell on the page.
    place : int
        The column's place on pages and in commands. Files and JSON have the columns in the order of
        their declaration.
    """

    key: str
    label: str = ""
    text: Getter | None = None
    value: Getter | None = None
    kind: str = "string"
    title: str = ""
    cell: Callable[[Any], dict[str, Any]] | None = None
    place: int = 9

    def text_of(self, row: Any) -> str:
        """Return the text that people read in a row."""
        read = self.text or self.value
        value = _got(read, row) if read else row[self.key]
        return value if isinstance(value, str) else exact(value)

    def cell_of(self, row: Any) -> dict[str, Any]:
        """Return the cell of a row on the page."""
        text = self.text_of(row)
        cell = {"text": text, "title": text, "tone": "quiet" if text == UNKNOWN else ""}
        return cell | self.cell(row) if self.cell else cell


def record(columns: Iterable[Column], row: Any) -> dict[str, Any]:
    """Return the values of a row by key."""
    return {column.key: _got(column.value, row) for column in columns if column.value}


def _got(read: Getter, row: Any) -> Any:
    return attrgetter(read)(row) if isinstance(read, str) else read(row)
