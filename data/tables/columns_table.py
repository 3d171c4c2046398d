"""Columns, or rows, as a table of a schema."""

import pyarrow as pa


def columns_table(columns: dict, count: int, schema: pa.Schema, given: dict) -> pa.Table:
    """Return a table of `count` rows: the columns at hand, values that all rows share, null for the rest."""
    if not count:
        return schema.empty_table()
    return pa.Table.from_arrays(
        [_column(columns.get(field.name), count, field.type, given.get(field.name)) for field in schema], schema=schema
    )


def _column(values, count: int, type: pa.DataType, given) -> pa.Array:
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return values
    if values is not None:
        return pa.array(values, type)
    return pa.nulls(count, type) if given is None else pa.repeat(pa.scalar(given, type), count)


def rows_table(rows: list[dict], schema: pa.Schema, given: dict) -> pa.Table:
    """Return rows as such a table."""
    columns = {name: [row.get(name) for row in rows] for name in schema.names if name not in given}
    return columns_table(columns, len(rows), schema, given)
