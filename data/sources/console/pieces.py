"""Text cut into pieces."""

from collections.abc import Iterator

from data.sources.console.exact.lines import LONGEST_LINE_BYTES
from data.sources.console.fast.block import Piece

PIECE_BYTES = 4 << 20
"""Large enough for vectors, small enough for the processor's cache."""


def pieces(data: bytes, size: int = PIECE_BYTES) -> Iterator[Piece]:
    """Yield whole lines of about `size` bytes, each ending at LF only: a CR before it is dropped, a missing last LF added."""
    at = 0
    while at < len(data):
        stop = data.find(b"\n", min(at + size, len(data)) - 1) + 1 or len(data)
        last = data.rfind(b"\n", at, min(at + size, len(data)) - 1) + 1
        if stop - max(at, last) > LONGEST_LINE_BYTES:
            # A line of its own, of which only the start is looked at.
            stop = last if last > at else stop
            text = data[at : min(stop, at + LONGEST_LINE_BYTES + 1)]
        else:
            text = data[at:stop]
        text = text.replace(b"\r\n", b"\n") if b"\r" in text else text
        yield Piece(text if text.endswith(b"\n") else text + b"\n")
        at = stop
