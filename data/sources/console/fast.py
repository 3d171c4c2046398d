"""The fast path: finds the headers, times and simple rows in a block of text with numpy, and reads
the simple rows column by column.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.parsed import columns_table
from evenkeel.data.sources.console.exact.lines import LONGEST_LINE_BYTES, MAX_LINE_BYTES
from evenkeel.data.sources.console.exact.offsets import owner_parts
from evenkeel.data.sources.console.headers import Layout, header_of
from evenkeel.data.sources.console.times import PrintedTime, time_of
from evenkeel.data.sources.numbers import MAX_PARTITION
from evenkeel.data.sources.source import Context

BLOCK_BYTES = 4 << 20
"""Large enough for vector operations, small enough for the processor's cache."""

_LF, _BLANK, _COLON = 10, 32, ord(":")
_SHORTEST_HEADER = 8
# GROU, TOPI, CONS, COOR and Grou as integers, so that one comparison excludes most lines that are
# not headers.
_HEADER_STARTS = np.frombuffer(b"GROUTOPICONSCOORGrou", "<u4")
_PASTED, _LETTER = 1, 2
_FIRST_BYTE = np.zeros(256, np.uint8)
_FIRST_BYTE[list(b"\n \t|*`\xc2\xef")] = _PASTED
_FIRST_BYTE[list(b"GTC")] = _LETTER
_IS_DIGIT = np.zeros(256, bool)
_IS_DIGIT[list(b"0123456789")] = True


@dataclass(frozen=True, eq=False)
class Block:
    """A block of whole lines, each with its LF."""

    data: bytes

    @cached_property
    def buffer(self) -> np.ndarray:
        """The bytes, uint8 (bytes,)."""
        return np.frombuffer(self.data, np.uint8)

    @cached_property
    def stops(self) -> np.ndarray:
        """The place of each line's LF, int64 (lines,)."""
        return np.flatnonzero(self.buffer == _LF)

    @cached_property
    def starts(self) -> np.ndarray:
        """The place of each line's first byte, int64 (lines,)."""
        return np.concatenate(([0], self.stops[:-1] + 1)) if self.stops.size else self.stops

    def line(self, at: int) -> bytes:
        """Return a line without its LF."""
        return self.data[self.starts[at] : self.stops[at]]

    @cached_property
    def first_byte(self) -> np.ndarray:
        """The kind of each line's first byte, uint8 (lines,): 1 if the line is empty or starts like
        a pasted table, 2 if a header may start with this letter, else 0.
        """
        return _FIRST_BYTE[self.buffer[self.starts]]

    @cached_property
    def headers(self) -> list[tuple[int, Layout]]:
        """Header lines and their layouts."""
        headers = ((int(at), header_of(self.line(at))) for at in self._may_be_headers())
        return [(at, layout) for at, layout in headers if layout is not None]

    def _may_be_headers(self) -> np.ndarray:
        likely = np.flatnonzero(self.first_byte)
        likely = likely[self.stops[likely] - self.starts[likely] >= _SHORTEST_HEADER]
        words = np.ndarray(max(len(self.data) - 3, 0), "<u4", self.data, strides=(1,))
        return likely[
            (self.first_byte[likely] == _PASTED)
            | np.isin(words[self.starts[likely]], _HEADER_STARTS)
        ]

    @cached_property
    def times(self) -> list[tuple[int, PrintedTime]]:
        """Lines that contain only a time."""
        times = (
            (int(at), time_of(self.line(at).removesuffix(b"\r"))) for at in self._may_be_times()
        )
        return [(at, time) for at, time in times if time is not None]

    def _may_be_times(self) -> np.ndarray:
        """Return the lines with a colon between digits, and lines that may be seconds since
        1970.
        """
        colons = np.flatnonzero(self.buffer[1:-1] == _COLON) + 1
        colons = colons[_IS_DIGIT[self.buffer[colons - 1]] & _IS_DIGIT[self.buffer[colons + 1]]]
        size = self.stops - self.starts
        seconds = np.flatnonzero(_IS_DIGIT[self.buffer[self.starts]] & (size >= 10) & (size <= 24))
        return np.union1d(np.searchsorted(self.stops, colons), seconds)

    def odd(self, longest: int) -> np.ndarray:
        """Return the lines that only the exact path can read, bool (lines,): they are too long,
        contain bytes other than printable ASCII, or contain a hexadecimal number.
        """
        odd = (self.first_byte == _PASTED) | (self.stops - self.starts > longest)
        for at in self._odd_bytes():
            odd[np.searchsorted(self.stops, at)] = True
        return odd

    def _odd_bytes(self) -> Iterator[np.ndarray]:
        buffer = self.buffer
        if not self.data.isascii() or np.count_nonzero(buffer < _BLANK) > self.stops.size:
            yield np.flatnonzero((buffer >= 128) | (buffer < _BLANK) & (buffer != _LF))
        # pyarrow reads 0x10 as a number, but no tool prints hexadecimal numbers.
        after_zero = np.flatnonzero(((buffer[1:] | 32) == ord("x")) & (buffer[:-1] == ord("0")))
        yield after_zero


def blocks(data: bytes, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """Yield blocks of whole lines, about `size` bytes each. Each line ends with LF: a CR before it
    is dropped, and a missing final LF is added.
    """
    at = 0
    while at < len(data):
        stop = data.find(b"\n", min(at + size, len(data)) - 1) + 1 or len(data)
        last = data.rfind(b"\n", at, min(at + size, len(data)) - 1) + 1
        if stop - max(at, last) > LONGEST_LINE_BYTES:
            # An extremely long line is a separate block, and only its start is read.
            stop = last if last > at else stop
            text = data[at : min(stop, at + LONGEST_LINE_BYTES + 1)]
        else:
            text = data[at:stop]
        text = text.replace(b"\r\n", b"\n") if b"\r" in text else text
        yield Block(text if text.endswith(b"\n") else text + b"\n")
        at = stop


def read(
    block: Block, layout: Layout | None, first_line: int, file: str, context: Context
) -> tuple[np.ndarray, list[pa.Table]]:
    """Return two things: for each line whether it became a row, bool (lines,); and the rows in line
    order, as tables of OFFSETS.
    """
    taken, tables = np.zeros(block.stops.size, bool), []
    given = {"taken_at": context.taken_at, "cluster": context.cluster, "source_file": file}
    for format_layout, lines in _candidates(block, layout):
        rows, batch = read_columns(lines, _text(block, lines), format_layout)
        taken[rows] = True
        if batch is not None:
            named = dict(zip(batch.schema.names, batch.columns, strict=False)) | {
                "source_line": pa.array(rows + first_line, pa.int64())
            }
            shared = given | {"source_format": format_layout.format, "group_id": context.group_id}
            tables.append(columns_table(named, batch.num_rows, schemas.OFFSETS, shared))
    return taken, tables


def _candidates(block: Block, layout: Layout | None) -> Iterator[tuple[Layout, np.ndarray]]:
    """Yield each distinct layout of an offsets listing, with the numbers of the lines below its
    headers."""
    headers = block.headers
    layouts = [layout, *(header for _, header in headers)]
    keys = [_key(layout) for layout in layouts]
    if not any(keys):
        return
    plain = ~block.odd(MAX_LINE_BYTES)
    header_lines = np.array([at for at, _ in headers], np.int64)
    plain[header_lines] = False
    above = np.searchsorted(header_lines, np.arange(plain.size), side="right")
    for key in dict.fromkeys(filter(None, keys)):
        lines = np.flatnonzero(plain & np.array([each == key for each in keys])[above])
        if lines.size:
            yield layouts[keys.index(key)], lines


def _key(layout: Layout | None) -> tuple | None:
    return (
        (layout.columns, layout.format)
        if layout and layout.kind == "offsets" and layout.separator == " "
        else None
    )


def _text(block: Block, lines: np.ndarray) -> np.ndarray:
    ends = np.flatnonzero(np.diff(lines) != 1)
    first, last = (
        lines[np.concatenate(([0], ends + 1))],
        lines[np.concatenate((ends, [lines.size - 1]))],
    )
    if first.size == 1:
        return block.buffer[block.starts[first[0]] : block.stops[last[0]] + 1]
    view = memoryview(block.data)
    return np.frombuffer(
        b"".join(
            view[a : b + 1] for a, b in zip(block.starts[first], block.stops[last], strict=False)
        ),
        np.uint8,
    )


# Reads lines of an offsets listing as whole columns, if the exact path would certainly read the
# same values.


_TYPES = {"partition": pa.uint32(), "leader_epoch": pa.int32()} | {
    column: pa.int64() for column in ("committed_offset", "end_offset", "listed_lag")
}
# Nine digits always fit int32, and 18 digits always fit int64. Longer numbers are left to the exact
# path.
_SURE_NUMBER = {
    pa.uint32(): "^[0-9]{1,9}$",
    pa.int32(): "^-?[0-9]{1,9}$",
    pa.int64(): "^-?[0-9]{1,18}$",
}


def read_columns(
    lines: np.ndarray, text: np.ndarray, layout: Layout
) -> tuple[np.ndarray, pa.RecordBatch | None]:
    """Read lines whose columns are words between blanks.

    Parameters
    ----------
    lines : int64 (n,)
        Numbers of the lines in the block.
    text : uint8
        The lines in printable ASCII, each with its LF. No line is empty or indented.
    layout : Layout
        A layout of kind `offsets` with blanks between columns.

    Returns
    -------
    int64 (rows,), RecordBatch or None
        Numbers of the read lines, and their columns of OFFSETS. All other lines are left to the
        exact path.
    """
    drop = np.zeros(text.size, bool)
    # Also drop blanks before LF, because pyarrow's reader counts a trailing blank as an extra
    # column.
    np.logical_and(text[:-1] == _BLANK, text[1:] <= _BLANK, out=drop[:-1])
    lines, columns = _columns(lines, text[~drop], layout)
    if not lines.size:
        return lines, None
    sure, batch = checked_columns(columns)
    return (lines, batch) if sure.all() else (lines[sure], batch.filter(pa.array(sure)))


def _columns(
    lines: np.ndarray, text: np.ndarray, layout: Layout
) -> tuple[np.ndarray, dict[str, pa.Array]]:
    types = {column: _TYPES.get(column, pa.string()) for column in layout.columns}
    try:
        skipped, columns = columns_of(text, types)
    except pa.ArrowInvalid:
        return _sure_columns(*_of_words(len(types), lines, text), types)
    return np.delete(lines, skipped) if skipped else lines, columns


def _of_words(count: int, lines: np.ndarray, text: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the lines with exactly `count` words."""
    stops = np.flatnonzero(text == _LF)
    starts = np.concatenate(([0], stops[:-1] + 1))
    fit = np.add.reduceat(text == _BLANK, starts, dtype=np.int64) == count - 1
    return lines[fit], text[np.repeat(fit, stops + 1 - starts)]


def _sure_columns(
    lines: np.ndarray, text: np.ndarray, types: dict[str, pa.DataType]
) -> tuple[np.ndarray, dict[str, pa.Array]]:
    """Return the lines that have numbers in all number columns, and the columns of these lines. All
    cells are read as text first, because pyarrow rejects the whole text if one number is invalid.
    """
    if not lines.size:
        return lines, {}
    _, words = columns_of(text, dict.fromkeys(types, pa.string()))
    sure = reduce(
        pc.and_,
        (
            pc.match_substring_regex(words[column], _SURE_NUMBER[types[column]]).fill_null(True)
            for column in types
            if column in _TYPES
        ),
    )
    return lines[sure.to_numpy(zero_copy_only=False)], {
        column: array.filter(sure).cast(types[column]) for column, array in words.items()
    }


# The checks of `exact/offsets.py`, for whole columns at once.


def checked_columns(column: dict[str, pa.Array]) -> tuple[np.ndarray, pa.RecordBatch]:
    """Return two things: bool (rows,), True if a row passes all checks; and all rows, as columns of
    OFFSETS.
    """
    sure = _known(column["topic"]) & (
        _values(column["partition"], MAX_PARTITION + 1) <= MAX_PARTITION
    )
    if "group_id" in column:
        sure &= _known(column["group_id"])
    for name in ("committed_offset", "end_offset", "leader_epoch"):
        if name in column:
            sure &= _values(column[name], 0) >= -1
            column[name] = _without_minus_one(column[name])
    sure &= _lag_agrees(
        *(column[name] for name in ("committed_offset", "end_offset", "listed_lag"))
    )
    if "host" in column:
        sure &= _owner_in_place(*(column[name] for name in ("member_id", "host", "client_id")))
    if "owner" in column:
        column |= _owner_columns(column.pop("owner"))
    # An unsafe cast is fine: rows out of range are already uncertain, so the exact path reads them.
    column["partition"] = column["partition"].cast(pa.int32(), safe=False)
    return sure, pa.RecordBatch.from_pydict(column)


def _values(array: pa.Array, unknown: int) -> np.ndarray:
    return (array.fill_null(unknown) if array.null_count else array).to_numpy()


def _known(array: pa.Array) -> np.ndarray:
    return (
        array.is_valid().to_numpy(zero_copy_only=False)
        if array.null_count
        else np.ones(len(array), bool)
    )


def _without_minus_one(array: pa.Array) -> pa.Array:
    none = _values(array, 0) == -1
    return pc.if_else(pa.array(none), pa.scalar(None, array.type), array) if none.any() else array


def _lag_agrees(committed: pa.Array, end: pa.Array, lag: pa.Array) -> np.ndarray:
    agrees = _values(end, 0) - _values(committed, 0) == _values(lag, 0)
    return agrees | ~(_known(committed) & _known(end) & _known(lag))


def _owner_in_place(member_id: pa.Array, host: pa.Array, client_id: pa.Array) -> np.ndarray:
    slash = pc.starts_with(host, "/").fill_null(False).to_numpy(zero_copy_only=False)
    known = [_known(array) for array in (member_id, host, client_id)]
    return slash & known[0] & known[2] | ~(known[0] | known[1] | known[2])


def _owner_columns(owner: pa.Array) -> dict[str, pa.Array]:
    encoded = owner.dictionary_encode()
    parts = [owner_parts(text) for text in encoded.dictionary.to_pylist()]
    client_id, host = (
        pa.array([part[at] for part in parts], pa.string()).take(encoded.indices) for at in (0, 1)
    )
    return {"member_id": owner, "client_id": client_id, "host": host}


# Reads words between single blanks as whole columns with pyarrow's CSV reader.


_MISSING = ["-"]
_MISSING_IN_OWNER_DIALECTS = ["-", "unknown", "none"]
_MANY = 100


def columns_of(
    text: np.ndarray, types: dict[str, pa.DataType]
) -> tuple[list[int], dict[str, pa.Array]]:
    """Return the rows with a wrong number of words, and the columns of all other rows.

    Raises
    ------
    pyarrow.ArrowInvalid
        If a number cannot be read, or many rows have a wrong number of words.
    """
    skipped: list[int] = []

    def skip(row) -> str:
        skipped.append(row.number - 1)
        return "skip" if len(skipped) < _MANY else "error"

    missing = _MISSING_IN_OWNER_DIALECTS if "owner" in types else _MISSING
    # The streaming reader runs in this thread; `read_csv` waits for another thread.
    reader = csv.open_csv(
        pa.BufferReader(pa.py_buffer(text)),
        # A block larger than the text, so that each column is one chunk.
        csv.ReadOptions(use_threads=False, block_size=text.size + 1, column_names=list(types)),
        csv.ParseOptions(
            delimiter=" ", quote_char=False, escape_char=False, invalid_row_handler=skip
        ),
        csv.ConvertOptions(
            column_types=types, null_values=missing, strings_can_be_null=True, check_utf8=False
        ),
    )
    columns = zip(types, reader.read_all().columns, strict=False)
    return skipped, {
        name: array.chunk(0) if array.num_chunks else pa.array([], types[name])
        for name, array in columns
    }
