"""Cells of CSV files that are downloaded: a spreadsheet must never take a name of a listing for a formula."""

import unicodedata
from itertools import takewhile

import pyarrow as pa
import pyarrow.compute as pc

_SIGNS = ("=", "+", "-", "@")
_ENDS = frozenset("\t\r\n")
_UNSEEN = ("C", "M", "Z")
"""Categories of characters that take no room, or are blanks: byte order marks, zero-width and control characters, marks, separators."""

_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
"""Letters of Hangul that take no room."""


def harmless(text: str) -> str:
    """Return a text, behind a quotation mark where a spreadsheet might take it for a formula.

    That is where it begins with a tab or an end of a line, or where the first character that is seen is a sign with which formulas begin,
    of full width too. Numbers are no text: a column of numbers needs no guard.
    """
    unseen = "".join(takewhile(_is_unseen, text))
    first = unicodedata.normalize("NFKC", text[len(unseen) : len(unseen) + 1])
    return f"'{text}" if _ENDS.intersection(unseen) or first[:1] in _SIGNS else text


def harmless_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column with harmless texts; one of another type stays as it is."""
    if not pa.types.is_string(column.type):
        return column
    # Each name once: a table of a million partitions has a few thousand.
    names = pc.unique(column)
    return pc.take(pa.array([name and harmless(name) for name in names.to_pylist()], pa.string()), pc.index_in(column, names))


def _is_unseen(one: str) -> bool:
    return unicodedata.category(one)[0] in _UNSEEN or one in _FILLERS
