"""A column of a table, declared once: page, command, files and JSON are drawn from it.

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
        Its name in JSON and files.
    label : str
        Header in the command; empty: the command does not have it.
    text : Getter, optional
        What people read, a text or a whole number, None for `–`; without it the value.
    value : Getter, optional
        What programs get, None if unknown. Without it only people see the column, and a row is a
        mapping that has its value.
    kind : str
        Arrow's word for the type of a value.
    title : str
        Header on the page; empty: the page does not have it.
    cell : function, optional
        More of the page's cell, next to its text.
    place : int
        People see columns in this order; files and JSON have the order of the declaration.
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
        """Return what people read in a row."""
        read = self.text or self.value
        value = _got(read, row) if read else row[self.key]
        return value if isinstance(value, str) else exact(value)

    def cell_of(self, row: Any) -> dict[str, Any]:
        """Return the cell of a page."""
        text = self.text_of(row)
        cell = {"text": text, "title": text, "tone": "quiet" if text == UNKNOWN else ""}
        return cell | self.cell(row) if self.cell else cell


def record(columns: Iterable[Column], row: Any) -> dict[str, Any]:
    """Return the values of a row by key."""
    return {column.key: _got(column.value, row) for column in columns if column.value}


def _got(read: Getter, row: Any) -> Any:
    return attrgetter(read)(row) if isinstance(read, str) else read(row)
