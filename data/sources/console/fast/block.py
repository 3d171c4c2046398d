"""A piece of text as arrays: where its lines are, which of them are headers, which are plain enough for the fast path."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from data.sources.console.headers.header import Layout, header_of

_LF, _BLANK = 10, 32
_SHORTEST_HEADER = 8
_HEADER_STARTS = np.frombuffer(b"GROUTOPICONSCOORGrou", "<u4")
_PASTED, _LETTER = 1, 2
_FIRST_BYTE = np.zeros(256, np.uint8)
_FIRST_BYTE[list(b"\n \t|*`\xc2\xef")] = _PASTED
_FIRST_BYTE[list(b"GTC")] = _LETTER


@dataclass(frozen=True, eq=False)
class Piece:
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
        """uint8 (lines,): 1 for lines that begin as a pasted table may, with a blank or not at all, 2 for the first letter of a header, else 0."""
        return _FIRST_BYTE[self.buffer[self.starts]]

    @cached_property
    def headers(self) -> list[tuple[int, Layout]]:
        """The header lines with what they announce."""
        found = ((int(at), header_of(self.line(at))) for at in self._may_be_headers())
        return [(at, layout) for at, layout in found if layout is not None]

    def _may_be_headers(self) -> np.ndarray:
        likely = np.flatnonzero(self.first_byte)
        likely = likely[self.stops[likely] - self.starts[likely] >= _SHORTEST_HEADER]
        words = np.ndarray(max(len(self.data) - 3, 0), "<u4", self.data, strides=(1,))
        return likely[(self.first_byte[likely] == _PASTED) | np.isin(words[self.starts[likely]], _HEADER_STARTS)]

    def odd(self, longest: int) -> np.ndarray:
        """Return bool (lines,): lines that only the exact path may read, for a byte that is not printable ASCII, a number in hexadecimal or their length."""
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
