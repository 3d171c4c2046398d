"""Words between single blanks as whole columns, by pyarrow's reader of separated values."""

import numpy as np
import pyarrow as pa
from pyarrow import csv

_MISSING = ["-"]
_MISSING_IN_OWNER_DIALECTS = ["-", "unknown", "none"]
_MANY = 100


def columns_of(text: np.ndarray, types: dict[str, pa.DataType]) -> tuple[list[int], dict[str, pa.Array]]:
    """Return rows of other than the expected number of words, and the columns of all the others.

    Raises
    ------
    pyarrow.ArrowInvalid
        When a number is none, or many rows have other than the expected number of words.
    """
    skipped: list[int] = []

    def skip(row) -> str:
        skipped.append(row.number - 1)
        return "skip" if len(skipped) < _MANY else "error"

    missing = _MISSING_IN_OWNER_DIALECTS if "owner" in types else _MISSING
    # The streaming reader stays in this thread; `read_csv` waits for another one.
    reader = csv.open_csv(
        pa.BufferReader(pa.py_buffer(text)),
        # A block larger than the text: each column comes in one chunk.
        csv.ReadOptions(use_threads=False, block_size=text.size + 1, column_names=list(types)),
        csv.ParseOptions(delimiter=" ", quote_char=False, escape_char=False, invalid_row_handler=skip),
        csv.ConvertOptions(column_types=types, null_values=missing, strings_can_be_null=True, check_utf8=False),
    )
    columns = zip(types, reader.read_all().columns)
    return skipped, {name: array.chunk(0) if array.num_chunks else pa.array([], types[name]) for name, array in columns}
