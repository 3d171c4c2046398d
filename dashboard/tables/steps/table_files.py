"""Tables as files: CSV for spreadsheets, Parquet for everything else."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import compute as pc
from pyarrow import csv

_FORMULA = r"^[=+\-@\t\r]"


def csv_file(table: pa.Table) -> bytes:
    """Return CSV with empty cells for null, and no cell that a spreadsheet takes for a formula."""
    harmless = [_harmless(table.column(name)) for name in table.column_names]
    sink = io.BytesIO()
    csv.write_csv(pa.table(dict(zip(table.column_names, harmless, strict=True))), sink)
    return sink.getvalue()


def parquet_file(table: pa.Table) -> bytes:
    """Return Parquet."""
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def _harmless(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pa.types.is_string(column.type):
        return column
    is_formula = pc.fill_null(pc.match_substring_regex(column, _FORMULA), False)
    return pc.if_else(is_formula, pc.binary_join_element_wise("'", pc.fill_null(column, ""), ""), column)
