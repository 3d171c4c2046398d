"""Frames: from a pandas, polars or Arrow frame to CSV, and from Evenkeel's tables to pandas frames.

An unknown value is a missing value on both sides, never 0. Integers never become floats.
"""

import io
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import compute as pc
from pyarrow import csv

from evenkeel.data.errors import SnapshotError
from evenkeel.data.text.columns import Column, record

if TYPE_CHECKING:
    import pandas as pd

_LONGEST = 2**63 - 1


def table_of(columns: Sequence[Column], rows: Iterable[Any]) -> pa.Table:
    """Return rows as an Arrow table; unknown values are null."""
    schema = pa.schema([(column.key, column.kind) for column in columns if column.value])
    return pa.Table.from_pylist([record(columns, row) for row in rows], schema)


def is_frame(value: object) -> bool:
    """Return whether a value is a frame: it has columns and exports them like pandas or Arrow."""
    return (
        hasattr(value, "columns") and hasattr(value, "iloc") or hasattr(value, "__arrow_c_stream__")
    )


def text_of(frame: Any, name: str) -> bytes:
    """Return a frame as CSV; unknown values are empty cells, and a named index is a column.

    Raises
    ------
    SnapshotError
        If the frame has no columns or no rows, or has columns of several levels. The message starts
        with `name`.
    """
    columns = _of_pandas(frame, name) if hasattr(frame, "iloc") else _of_arrow(frame, name)
    if not columns or not len(columns[0][1]):
        raise SnapshotError(
            f"{name}: a frame with {len(columns):,} columns and no rows, expected a row for each"
            " partition or member"
        )
    table = pa.table([array for _, array in columns], names=[label for label, _ in columns])
    written = io.BytesIO()
    csv.write_csv(table, written)
    return written.getvalue()


def _of_pandas(frame: Any, name: str) -> list[tuple[str, pa.Array]]:
    if getattr(frame.columns, "nlevels", 1) > 1:
        raise SnapshotError(
            f"{name}: columns of {frame.columns.nlevels} levels, expected one name for each column"
        )
    if any(label is not None for label in frame.index.names):
        taken = set(frame.columns)
        frame = frame.reset_index(
            drop=any(label is None or label in taken for label in frame.index.names)
        )
    return [
        (_label(label), _array(frame.iloc[:, place])) for place, label in enumerate(frame.columns)
    ]


def _of_arrow(frame: Any, name: str) -> list[tuple[str, pa.Array]]:
    try:
        table = pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise SnapshotError(f"{name}: no frame of columns: {_first_line(error)}") from None
    return [
        (_label(label), _array(column))
        for label, column in zip(table.column_names, table.columns, strict=True)
    ]


def _label(label: object) -> str:
    return " ".join(str(label).split())


def _array(values: Any) -> pa.Array | pa.ChunkedArray:
    """Return a column for CSV: whole numbers are written as integers, mixed types as text."""
    try:
        array = (
            pa.array(values, from_pandas=True)
            if not isinstance(values, pa.ChunkedArray)
            else values
        )
        return _whole(array) if pa.types.is_floating(array.type) else _written(array)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([_text(value) for value in _values(values)], pa.string())


def _whole(array: Any) -> Any:
    """Return a float column as integers if all values are whole.

    In pandas, a missing value turns a column of integers into floats.
    """
    known = pc.if_else(pc.is_nan(array), None, array)
    try:
        return pc.cast(known, pa.int64())
    except pa.ArrowInvalid:
        return known


def _written(array: Any) -> Any:
    kind = array.type
    if pa.types.is_dictionary(kind):
        return _written(pc.cast(array, kind.value_type))
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return array
    if pa.types.is_null(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return array
    if pa.types.is_temporal(kind):
        return pc.cast(array, pa.string())
    raise TypeError(kind)


def _values(values: Any) -> Iterable[object]:
    return values.to_pylist() if isinstance(values, pa.ChunkedArray) else values.tolist()


def _text(value: object) -> str | None:
    # NaN and NaT are missing; they are not equal to themselves. NA raises an error instead.
    is_missing = (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float) and value != value)
    )
    return (
        None
        if is_missing
        else str(int(value) if isinstance(value, float) and value.is_integer() else value)
    )


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def frame_of(table: pa.Table) -> "pd.DataFrame":
    """Return a table as a pandas frame with nullable types.

    The types are `Int64`, `Float64`, `boolean` and `string`.
    """
    import pandas

    return table.to_pandas(types_mapper=_mapper(pandas))


def frame_of_rows(
    rows: Sequence[Mapping[str, Any]], numbers: Collection[str] = ()
) -> "pd.DataFrame":
    """Return rows as a pandas frame; `numbers`: names of columns with numbers.

    These columns are numeric even if all their values are unknown.
    """
    import pandas

    names = list(dict.fromkeys(name for row in rows for name in row))
    return pandas.DataFrame(
        {name: _column(pandas, [row.get(name) for row in rows], name in numbers) for name in names}
    )


def _column(pandas: Any, values: list, is_number: bool) -> Any:
    known = [value for value in values if value is not None]
    kinds = {type(value) for value in known}
    if kinds == {bool}:
        return pandas.array(values, dtype="boolean")
    if (
        kinds == {int}
        and all(abs(value) <= _LONGEST for value in known)
        or (not known and is_number)
    ):
        return pandas.array(values, dtype="Int64")
    if kinds and kinds <= {int, float}:
        return pandas.array(values, dtype="Float64")
    if kinds == {str}:
        return pandas.array(values, dtype="string")
    return pandas.Series(values, dtype=object)


def _mapper(pandas: Any) -> Callable[[pa.DataType], Any]:
    types = {
        pa.int32(): "Int64",
        pa.int64(): "Int64",
        pa.float64(): "Float64",
        pa.bool_(): "boolean",
        pa.string(): "string",
    }
    return lambda kind: pandas.api.types.pandas_dtype(types[kind]) if kind in types else None
