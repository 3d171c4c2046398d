"""The fast path: lines of an offsets listing read as whole columns, where the exact path would certainly read the same."""

from functools import reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.sources.console.fast.checks import checked_columns
from evenkeel.data.sources.console.fast.words import columns_of
from evenkeel.data.sources.console.headers.header import Layout

_TYPES = {"partition": pa.uint32(), "leader_epoch": pa.int32()} | {
    column: pa.int64() for column in ("committed_offset", "end_offset", "listed_lag")
}
# Nine digits always fit int32, 18 always fit int64; the exact path judges longer numbers.
_SURE_NUMBER = {pa.uint32(): "^[0-9]{1,9}$", pa.int32(): "^-?[0-9]{1,9}$", pa.int64(): "^-?[0-9]{1,18}$"}
_BLANK, _LF = 32, 10


def read(lines: np.ndarray, text: np.ndarray, layout: Layout) -> tuple[np.ndarray, pa.RecordBatch | None]:
    """Read lines of words between blanks.

    Parameters
    ----------
    lines : int64 (n,)
        Their numbers in the block.
    text : uint8
        The lines in printable ASCII, none empty nor indented, each with its LF.
    layout : Layout
        Of kind `offsets` with blanks between columns.

    Returns
    -------
    int64 (rows,), RecordBatch or None
        Numbers of the lines that were taken, and their columns of OFFSETS; all others are for the exact path.
    """
    drop = np.zeros(text.size, bool)
    # Also the blanks before a LF: pyarrow's reader counts a trailing blank as one more column.
    np.logical_and(text[:-1] == _BLANK, text[1:] <= _BLANK, out=drop[:-1])
    lines, columns = _columns(lines, text[~drop], layout)
    if not lines.size:
        return lines, None
    sure, batch = checked_columns(columns)
    return (lines, batch) if sure.all() else (lines[sure], batch.filter(pa.array(sure)))


def _columns(lines: np.ndarray, text: np.ndarray, layout: Layout) -> tuple[np.ndarray, dict[str, pa.Array]]:
    types = {column: _TYPES.get(column, pa.string()) for column in layout.columns}
    try:
        skipped, columns = columns_of(text, types)
    except pa.ArrowInvalid:
        return _sure_columns(*_of_words(len(types), lines, text), types)
    return np.delete(lines, skipped) if skipped else lines, columns


def _of_words(count: int, lines: np.ndarray, text: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the lines of so many words."""
    stops = np.flatnonzero(text == _LF)
    starts = np.concatenate(([0], stops[:-1] + 1))
    fit = np.add.reduceat(text == _BLANK, starts, dtype=np.int64) == count - 1
    return lines[fit], text[np.repeat(fit, stops + 1 - starts)]


def _sure_columns(lines: np.ndarray, text: np.ndarray, types: dict[str, pa.DataType]) -> tuple[np.ndarray, dict[str, pa.Array]]:
    """Return the lines whose numbers are numbers: one that is none fails the whole text, so all are read as words first."""
    if not lines.size:
        return lines, {}
    _, words = columns_of(text, dict.fromkeys(types, pa.string()))
    sure = reduce(
        pc.and_,
        (pc.match_substring_regex(words[column], _SURE_NUMBER[types[column]]).fill_null(True) for column in types if column in _TYPES),
    )
    return lines[sure.to_numpy(zero_copy_only=False)], {column: array.filter(sure).cast(types[column]) for column, array in words.items()}
