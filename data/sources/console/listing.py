"""Console listings: what Kafka's command line tools print, in any mix and any version."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import pyarrow as pa

from evenkeel.data.sources.console import fast
from evenkeel.data.sources.console.block import Block, blocks
from evenkeel.data.sources.console.exact.lines import LONGEST_LINE_BYTES
from evenkeel.data.sources.console.exact.walk import PrintedRows, layout_above, walk
from evenkeel.data.sources.console.headers import has_lines_of_tasks, header_of
from evenkeel.data.sources.console.times import with_times
from evenkeel.data.sources.source import START, Context
from evenkeel.data.tables.parsed import Parsed, joined

NAME = "evenkeel-listing"

_TOPIC = re.compile(rb"\s*Topic: ?\S+\s+(?:TopicId|PartitionCount|Partition):")


def recognises(head: bytes, file: str) -> bool:
    """Tell whether a file that begins with `head` is a listing: it has a header line, or lines of kafka-topics."""
    return any(header_of(line) or _TOPIC.match(line) for line in head.split(b"\n"))


def parse(data: bytes, file: str, context: Context = START) -> Parsed:
    """Parse a listing, or a piece of one: every line becomes a row, a note, or is rejected with a reason. `data` is UTF-8."""
    return joined(_blocks_parsed(data, file, context))


def _blocks_parsed(data: bytes, file: str, context: Context) -> Iterator[Parsed]:
    layout, first_line, times = layout_above(context.header, context.group_id), context.first_line, [(0, context.taken_at)]
    for block in blocks(data):
        taken, tables = fast.read(block, layout, first_line, file, context)
        collected = PrintedRows()
        others = ((int(at) + first_line, block.line(at)) for at in np.flatnonzero(~taken))
        layout = walk(others, layout, context.group_id, collected)
        times = [times[-1], *collected.times]
        parsed = _with(collected.parsed(file, context), tables)
        yield parsed if times == [(0, context.taken_at)] else with_times(parsed, times)
        first_line += taken.size


def _with(walked: Parsed, tables: list[pa.Table]) -> Parsed:
    """Add the rows of the fast path, in the order of the lines."""
    count = sum(table.num_rows for table in tables)
    offsets = pa.concat_tables([*tables, walked.offsets])
    if sum(table.num_rows > 0 for table in (*tables, walked.offsets)) > 1:
        offsets = offsets.sort_by("source_line")
    return replace(walked, offsets=offsets, row_count=walked.row_count + count, line_count=walked.line_count + count)


# Byte ranges of a big listing; read apart, they give the rows and line numbers of the whole.


_READ_BYTES = 4 << 20


@dataclass(frozen=True)
class Range:
    """Bytes `start` to `stop` of a file, and what their lines need to know of earlier ones."""

    start: int
    stop: int
    context: Context


class Lines(Protocol):
    """What a file must be able to do here."""

    def read(self, size: int) -> bytes:
        """Read so many bytes, less at the end."""
        ...

    def readline(self, size: int) -> bytes:
        """Read up to the end of a line, or so many bytes."""
        ...

    def tell(self) -> int:
        """Return how many bytes are read."""
        ...


def ranges_of(file: Lines, target_bytes: int, context: Context = START) -> list[Range]:
    """Cut a UTF-8 file, open at its start, at line ends into ranges of about `target_bytes`; `context`: that of the first line."""
    cuts = list(_cuts(file, target_bytes, context))
    stops = [start for start, _ in cuts[1:]] + [file.tell()]
    return [Range(start, stop, found) for (start, found), stop in zip(cuts, stops)]


def _cuts(file: Lines, target_bytes: int, context: Context) -> Iterator[tuple[int, Context]]:
    """Yield where each range starts: a line belongs to the range that holds its first byte."""
    base, reached = 0, -1
    for block, stop in _whole_lines(file):
        ranges = (base + block.starts) // target_bytes
        firsts = np.flatnonzero(np.diff(ranges, prepend=reached))
        headers = [at for at, _ in block.headers]
        above = np.searchsorted(headers, firsts)
        for at, count in zip(firsts.tolist(), above.tolist()):
            yield base + int(block.starts[at]), _context(block, at, headers[:count][-1:], context)
        context = _context(block, ranges.size, headers[-1:], context)
        base, reached = stop, ranges[-1]


def _context(block: Block, at: int, header: list[int], context: Context) -> Context:
    """Return what line `at` of a block needs, given the last header above it and what the block's first line needed."""
    taken_at = next((found.time for line, found in reversed(block.times) if line < at), context.taken_at)
    above = _above(block, at, header[0]) if header else context.header
    return replace(context, first_line=context.first_line + at, header=above, taken_at=taken_at)


def _above(block: Block, at: int, header: int) -> bytes:
    """Return a header, with the line below it where that one names the consumer whose tasks follow."""
    line = block.line(header)
    return b"\n".join((line, block.line(header + 1))) if has_lines_of_tasks(line) and header + 1 < at else line


def _whole_lines(file: Lines) -> Iterator[tuple[Block, int]]:
    """Yield blocks and where each ends in the file; a line that is longer than any row is cut."""
    while read := file.read(_READ_BYTES) + file.readline(LONGEST_LINE_BYTES):
        rest = read
        while rest and not rest.endswith(b"\n"):
            rest = file.readline(_READ_BYTES)
        yield Block(read if read.endswith(b"\n") else read + b"\n"), file.tell()
