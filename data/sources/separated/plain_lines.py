"""Reads many table lines at once: rows with plain cells become Arrow columns. Other lines are left
to `exact_line`.
"""

from collections.abc import Sequence
from datetime import tzinfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from evenkeel.data.group.tables import schemas
from evenkeel.data.sources.numbers import MAX_PARTITION, Unreadable
from evenkeel.data.sources.separated import values
from evenkeel.data.sources.separated.header import TableHeader

_ODD = (b'"', b"\r", b"\x00", "\ufeff".encode())
_MAX_PLAIN_BYTES = 100_000
# 18 digits always fit int64.
_PLAIN_NUMBER = "^-?[0-9]{1,18}$"


def plain_columns(
    lines: Sequence[bytes], layout: TableHeader
) -> tuple[dict[str, pa.Array], np.ndarray]:
    """Return the plain lines as columns of OFFSETS, and the numbers of these lines, int64
    ascending.
    """
    separator, count = layout.separator.encode(), len(layout.cells) - 1
    regular = [
        number
        for number, line in enumerate(lines)
        if line.count(separator) == count
        and len(line) < _MAX_PLAIN_BYTES
        and not any(mark in line for mark in _ODD)
    ]
    try:
        cells = _cells(b"\n".join([lines[number] for number in regular]), layout)
    except pa.ArrowInvalid:
        # A line is not UTF-8; the exact path reports which line.
        regular, cells = [], _cells(b"", layout)
    columns = {
        column: _column(column, cells[str(place)], layout.zone)
        for column, place in layout.mapping.items()
    }
    plain = np.logical_and.reduce([is_plain for _, is_plain in columns.values()])
    return {
        column: array.filter(pa.array(plain)) for column, (array, _) in columns.items()
    }, np.array(regular, dtype=np.int64)[plain]


def _cells(text: bytes, layout: TableHeader) -> pa.Table:
    """Cut lines into text columns, named by their place. Raises ArrowInvalid if bytes are not
    UTF-8.
    """
    places = [str(place) for place in range(len(layout.cells))]
    if not text:
        return pa.table([pa.array([], pa.string())] * len(places), names=places)
    return pyarrow.csv.read_csv(
        pa.BufferReader(text),
        read_options=pyarrow.csv.ReadOptions(column_names=places, block_size=1 << 24),
        # By default pyarrow drops empty lines, and later rows would get wrong line numbers.
        parse_options=pyarrow.csv.ParseOptions(
            delimiter=layout.separator,
            quote_char=False,
            escape_char=False,
            ignore_empty_lines=False,
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(places, pa.string()),
            include_columns=[str(place) for place in {*layout.mapping.values()}],
        ),
    )


def _column(
    column: str, cells: pa.ChunkedArray, zone: tzinfo | None
) -> tuple[pa.Array, np.ndarray]:
    """Return a column's values, and for each value whether it is plain."""
    text = pc.utf8_trim(cells.combine_chunks(), values.BLANKS)
    if column in values.NUMBERS:
        return _numbers(column, text)
    encoded = text.dictionary_encode()
    named = [_named(column, cell, zone) for cell in encoded.dictionary.to_pylist()]
    known, plain = (
        [value for value, _ in named],
        np.array([is_plain for _, is_plain in named], dtype=bool),
    )
    return pa.array(known, schemas.OFFSETS.field(column).type).take(encoded.indices), plain[
        encoded.indices.to_numpy()
    ]


def _named(column: str, cell: str, zone: tzinfo | None):
    try:
        is_time = column == "taken_at"
        value = values.time(cell, column, zone) if is_time else values.name(cell)
    except Unreadable:
        return None, False
    return value, not (column == "topic" and value is None)


def _numbers(column: str, text: pa.Array) -> tuple[pa.Array, np.ndarray]:
    is_number = pc.match_substring_regex(text, _PLAIN_NUMBER)
    number = pc.cast(pc.if_else(is_number, text, None), pa.int64())
    if column == "partition":
        plain = pc.and_(pc.greater_equal(number, 0), pc.less_equal(number, MAX_PARTITION))
        return pc.cast(pc.if_else(plain, number, None), pa.int32()), plain.fill_null(
            False
        ).to_numpy(zero_copy_only=False)
    missing = pc.is_in(pc.utf8_lower(text), pa.array(sorted(values.MISSING)))
    if column == "listed_lag":
        return number, pc.or_(is_number, missing).to_numpy(zero_copy_only=False)
    in_range = pc.greater_equal(number, -1).fill_null(False)
    return pc.if_else(pc.equal(number, -1), None, number), pc.or_(in_range, missing).to_numpy(
        zero_copy_only=False
    )
