"""Byte ranges of a big listing; read apart, they give the rows and line numbers of the whole."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from evenkeel.data.sources.console.exact.lines import LONGEST_LINE_BYTES
from evenkeel.data.sources.console.fast.block import Block
from evenkeel.data.sources.console.headers.header import has_lines_of_tasks
from evenkeel.data.sources.parsing.context import START, Context

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
