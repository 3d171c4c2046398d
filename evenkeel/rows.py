"""Rows: a table that can be printed or become a DataFrame."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from evenkeel.data.commands.text import aligned_lines, printable
from evenkeel.data.extras import required
from evenkeel.data.group.tables.frames import frame_of
from evenkeel.data.text.formats import and_more, exact

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_SHOWN = 20


class Rows:
    """A table with named columns. Print it, read its rows as dictionaries in a loop, or convert it
    to a DataFrame. Unknown values are None, and `<NA>` in a DataFrame.

    >>> import evenkeel
    >>> group = evenkeel.group({"orders": 2}, ["a", "b"], owned={"a": {"orders": [0, 1]}},
    ...     lag={"orders": [5, None]})
    >>> group.partitions().to_dicts()[1]["lag"] is None
    True
    """

    def __init__(self, table: "pa.Table"):
        self._table = table

    def to_pandas(self) -> "pd.DataFrame":
        """Return a DataFrame with nullable types: `Int64`, `Float64`, `boolean`, `string`."""
        with required("notebook"):
            return frame_of(self._table)

    def to_arrow(self) -> "pa.Table":
        """Return the Arrow table; polars and DuckDB read it directly."""
        return self._table

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return each row as a dictionary."""
        return self._table.to_pylist()

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._table.column_names

    def __len__(self) -> int:
        return self._table.num_rows

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.to_dicts())

    def __repr__(self) -> str:
        cells = [self.columns, *([cell(value) for value in row] for row in self._first())]
        left = next(
            (place for place, kind in enumerate(self._table.schema.types) if not _is_text(kind)),
            len(self.columns),
        )
        return "\n".join([*map(printable, aligned_lines(cells, left)), *self._more()])

    def _repr_html_(self) -> str:
        from evenkeel.dashboard.shares.reports.still import rows_html

        return rows_html(self.columns, self._first(), self._more())

    def _first(self) -> list[list[Any]]:
        return [list(row.values()) for row in self._table.slice(0, _SHOWN).to_pylist()]

    def _more(self) -> list[str]:
        return and_more(len(self) - _SHOWN, "row")


def cell(value: Any) -> str:
    """Return a value as it is printed in a table."""
    return exact(value) if value is None or type(value) is int else str(value)


def _is_text(kind: "pa.DataType") -> bool:
    return str(kind) == "string"
