"""Tables as files: CSV for spreadsheets, Parquet for everything else."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from evenkeel.dashboard.tables.csv_cells import harmless_column


def csv_file(table: pa.Table) -> bytes:
    """Return CSV with empty cells for null, and no cell that a spreadsheet takes for a formula."""
    harmless = [harmless_column(table.column(name)) for name in table.column_names]
    sink = io.BytesIO()
    csv.write_csv(pa.table(dict(zip(table.column_names, harmless, strict=True))), sink)
    return sink.getvalue()


def parquet_file(table: pa.Table) -> bytes:
    """Return Parquet."""
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()
