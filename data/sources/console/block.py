"""Blocks of text, cut at line ends, as arrays: where lines begin, which are headers or times, which suit the fast path."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evenkeel.data.sources.console.exact.lines import LONGEST_LINE_BYTES
from evenkeel.data.sources.console.headers import Layout, header_of
from evenkeel.data.sources.console.times import PrintedTime, time_of

BLOCK_BYTES = 4 << 20
"""Large enough for vectors, small enough for the processor's cache."""

_LF, _BLANK, _COLON = 10, 32, ord(":")
_SHORTEST_HEADER = 8
# GROU, TOPI, CONS, COOR and Grou as integers: one comparison rules out every line that is no header.
_HEADER_STARTS = np.frombuffer(b"GROUTOPICONSCOORGrou", "<u4")
_PASTED, _LETTER = 1, 2
_FIRST_BYTE = np.zeros(256, np.uint8)
_FIRST_BYTE[list(b"\n \t|*`\xc2\xef")] = _PASTED
_FIRST_BYTE[list(b"GTC")] = _LETTER
_IS_DIGIT = np.zeros(256, bool)
_IS_DIGIT[list(b"0123456789")] = True


@dataclass(frozen=True, eq=False)
class Block:
    """Whole lines, each with its LF."""

    data: bytes

    @cached_property
    def buffer(self) -> np.ndarray:
        """uint8 (bytes,)."""
        return np.frombuffer(self.data, np.uint8)

    @cached_property
    def stops(self) -> np.ndarray:
        """int64 (lines,): where each line's LF is."""
        return np.flatnonzero(self.buffer == _LF)

    @cached_property
    def starts(self) -> np.ndarray:
        """int64 (lines,): where each line begins."""
        return np.concatenate(([0], self.stops[:-1] + 1)) if self.stops.size else self.stops

    def line(self, at: int) -> bytes:
        """Return a line without its LF."""
        return self.data[self.starts[at] : self.stops[at]]

    @cached_property
    def first_byte(self) -> np.ndarray:
        """uint8 (lines,): 1 for a line that is empty or begins like a pasted table, 2 for the first letter of a header, else 0."""
        return _FIRST_BYTE[self.buffer[self.starts]]

    @cached_property
    def headers(self) -> list[tuple[int, Layout]]:
        """Header lines and their layouts."""
        found = ((int(at), header_of(self.line(at))) for at in self._may_be_headers())
        return [(at, layout) for at, layout in found if layout is not None]

    def _may_be_headers(self) -> np.ndarray:
        likely = np.flatnonzero(self.first_byte)
        likely = likely[self.stops[likely] - self.starts[likely] >= _SHORTEST_HEADER]
        words = np.ndarray(max(len(self.data) - 3, 0), "<u4", self.data, strides=(1,))
        return likely[(self.first_byte[likely] == _PASTED) | np.isin(words[self.starts[likely]], _HEADER_STARTS)]

    @cached_property
    def times(self) -> list[tuple[int, PrintedTime]]:
        """Lines that say a time and nothing else."""
        found = ((int(at), time_of(self.line(at).removesuffix(b"\r"))) for at in self._may_be_times())
        return [(at, time) for at, time in found if time is not None]

    def _may_be_times(self) -> np.ndarray:
        """Return the lines with a colon between digits, and those that begin with a digit and may be seconds since 1970."""
        colons = np.flatnonzero(self.buffer[1:-1] == _COLON) + 1
        colons = colons[_IS_DIGIT[self.buffer[colons - 1]] & _IS_DIGIT[self.buffer[colons + 1]]]
        size = self.stops - self.starts
        seconds = np.flatnonzero(_IS_DIGIT[self.buffer[self.starts]] & (size >= 10) & (size <= 24))
        return np.union1d(np.searchsorted(self.stops, colons), seconds)

    def odd(self, longest: int) -> np.ndarray:
        """bool (lines,): lines for the exact path only: too long, with a byte that is not printable ASCII, or with a hexadecimal number."""
        odd = (self.first_byte == _PASTED) | (self.stops - self.starts > longest)
        for at in self._odd_bytes():
            odd[np.searchsorted(self.stops, at)] = True
        return odd

    def _odd_bytes(self) -> Iterator[np.ndarray]:
        buffer = self.buffer
        if not self.data.isascii() or np.count_nonzero(buffer < _BLANK) > self.stops.size:
            yield np.flatnonzero((buffer >= 128) | (buffer < _BLANK) & (buffer != _LF))
        # pyarrow reads 0x10 as a number; no tool prints one.
        after_zero = np.flatnonzero(((buffer[1:] | 32) == ord("x")) & (buffer[:-1] == ord("0")))
        yield after_zero


def blocks(data: bytes, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """Yield whole lines of about `size` bytes, each ending at LF only: a CR before it is dropped, a missing last LF added."""
    at = 0
    while at < len(data):
        stop = data.find(b"\n", min(at + size, len(data)) - 1) + 1 or len(data)
        last = data.rfind(b"\n", at, min(at + size, len(data)) - 1) + 1
        if stop - max(at, last) > LONGEST_LINE_BYTES:
            # A line of its own; only its start is looked at.
            stop = last if last > at else stop
            text = data[at : min(stop, at + LONGEST_LINE_BYTES + 1)]
        else:
            text = data[at:stop]
        text = text.replace(b"\r\n", b"\n") if b"\r" in text else text
        yield Block(text if text.endswith(b"\n") else text + b"\n")
        at = stop
