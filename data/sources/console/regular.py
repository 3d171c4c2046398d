"""The fast path: lines of an offsets listing that certainly mean what the exact path says, read as whole columns."""

import numpy as np
import pyarrow as pa
from pyarrow import csv

from data.sources.console.columns_at_once import checked
from data.sources.console.headers import Layout

_TYPES = {"partition": pa.uint32(), "leader_epoch": pa.int32()} | {column: pa.int64() for column in ("committed_offset", "end_offset", "listed_lag")}
_SMALLEST = 32
_BLANK = 32


def read(lines: np.ndarray, text: np.ndarray, layout: Layout) -> tuple[np.ndarray, list[pa.RecordBatch]]:
    """Read lines of words between blanks.

    Parameters
    ----------
    lines : int64 (n,)
        Their numbers in the piece.
    text : uint8
        The lines in printable ASCII, none empty nor indented, each with its LF.
    layout : Layout
        Of kind `offsets` with blanks between columns.

    Returns
    -------
    int64 (rows,), list of RecordBatch
        Numbers of the lines that were taken, and their columns of OFFSETS; all others are for the exact path.
    """
    drop = np.zeros(text.size, bool)
    np.logical_and(text[:-1] == _BLANK, text[1:] <= _BLANK, out=drop[:-1])
    return _columns(lines, text[~drop], layout)


def _columns(lines, text, layout):
    try:
        skipped, table = _table(text, layout)
    except pa.ArrowInvalid:
        return _halved(lines, text, layout)
    if not table.num_rows:
        return lines[:0], []
    lines = np.delete(lines, skipped) if skipped else lines
    sure, columns = checked({name: array.chunk(0) for name, array in zip(table.column_names, table.columns)})
    if not sure.all():
        columns, lines = columns.filter(pa.array(sure)), lines[sure]
    return lines, [columns]


def _halved(lines, text, layout):
    """Read each half by itself: one number that is none fails the whole text."""
    if lines.size <= _SMALLEST:
        return lines[:0], []
    half = lines.size // 2
    cut = np.flatnonzero(text == 10)[half - 1] + 1
    first, second = _columns(lines[:half], text[:cut], layout), _columns(lines[half:], text[cut:], layout)
    return np.concatenate((first[0], second[0])), first[1] + second[1]


def _table(text: np.ndarray, layout: Layout) -> tuple[list[int], pa.Table]:
    """Return rows of other than the expected number of words, and the columns of all the others."""
    skipped: list[int] = []

    def skip(row) -> str:
        skipped.append(row.number - 1)
        return "skip"

    missing = ["-", "unknown", "none"] if "owner" in layout.columns else ["-"]
    # The streaming reader stays in this thread; `read_csv` waits for another one.
    reader = csv.open_csv(
        pa.BufferReader(pa.py_buffer(text)),
        csv.ReadOptions(use_threads=False, block_size=text.size + 1, column_names=list(layout.columns)),
        csv.ParseOptions(delimiter=" ", quote_char=False, escape_char=False, invalid_row_handler=skip),
        csv.ConvertOptions(
            column_types={column: _TYPES.get(column, pa.string()) for column in layout.columns}, null_values=missing, strings_can_be_null=True, check_utf8=False
        ),
    )
    return skipped, reader.read_all()
