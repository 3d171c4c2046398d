"""Which lines of a block the fast path may try, and their table."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from evenkeel.data.sources.console.exact.lines import MAX_LINE_BYTES
from evenkeel.data.sources.console.fast import columns
from evenkeel.data.sources.console.fast.block import Block
from evenkeel.data.sources.console.headers.header import Layout
from evenkeel.data.sources.parsing.context import Context
from evenkeel.data.tables import schemas
from evenkeel.data.tables.columns_table import columns_table


def read(block: Block, layout: Layout | None, first_line: int, file: str, context: Context) -> tuple[np.ndarray, list[pa.Table]]:
    """Return bool (lines,), the lines that became rows, and the rows as tables of OFFSETS, each in the order of the lines."""
    taken, tables = np.zeros(block.stops.size, bool), []
    given = {"taken_at": context.taken_at, "cluster": context.cluster, "source_file": file}
    for format_layout, lines in _candidates(block, layout):
        rows, batch = columns.read(lines, _text(block, lines), format_layout)
        taken[rows] = True
        if batch is not None:
            named = dict(zip(batch.schema.names, batch.columns)) | {"source_line": pa.array(rows + first_line, pa.int64())}
            shared = given | {"source_format": format_layout.format, "group_id": context.group_id}
            tables.append(columns_table(named, batch.num_rows, schemas.OFFSETS, shared))
    return taken, tables


def _candidates(block: Block, layout: Layout | None) -> Iterator[tuple[Layout, np.ndarray]]:
    """Yield, for every distinct offsets listing, the lines under its headers."""
    headers = block.headers
    layouts = [layout, *(found for _, found in headers)]
    keys = [_key(one) for one in layouts]
    if not any(keys):
        return
    plain = ~block.odd(MAX_LINE_BYTES)
    header_lines = np.array([at for at, _ in headers], np.int64)
    plain[header_lines] = False
    above = np.searchsorted(header_lines, np.arange(plain.size), side="right")
    for key in dict.fromkeys(filter(None, keys)):
        lines = np.flatnonzero(plain & np.array([one == key for one in keys])[above])
        if lines.size:
            yield layouts[keys.index(key)], lines


def _key(layout: Layout | None) -> tuple | None:
    return (layout.columns, layout.format) if layout and layout.kind == "offsets" and layout.separator == " " else None


def _text(block: Block, lines: np.ndarray) -> np.ndarray:
    """Return the bytes of these lines, run by run."""
    ends = np.flatnonzero(np.diff(lines) != 1)
    first, last = lines[np.concatenate(([0], ends + 1))], lines[np.concatenate((ends, [lines.size - 1]))]
    if first.size == 1:
        return block.buffer[block.starts[first[0]] : block.stops[last[0]] + 1]
    view = memoryview(block.data)
    return np.frombuffer(b"".join(view[a : b + 1] for a, b in zip(block.starts[first], block.stops[last])), np.uint8)
