"""Piece: bytes of one file that one task reads, and how they become tables and text."""

from dataclasses import dataclass, field

from data.sources import SOURCES
from data.sources.detection import as_utf8
from data.sources.parsed import Parsed
from data.sources.ranges import Range

LONGEST_TEXT = 1_000

_PARSERS = {source.NAME: source.parse for source in SOURCES}


@dataclass(frozen=True)
class Piece:
    """A range of a file, the name the file goes by, and the NAME of the source that parses it; `is_whole` files may be UTF-16 or carry a byte order mark."""

    file: str
    part: Range
    format: str
    is_whole: bool

    @property
    def size(self) -> int:
        """Bytes."""
        return self.part.stop - self.part.start

    def text(self) -> bytes:
        """Read the bytes, as UTF-8."""
        with self.part.path.open("rb") as file:
            file.seek(self.part.start)
            data = file.read(self.size)
        return as_utf8(self.file, data) if self.is_whole else data

    def parsed(self, text: bytes) -> Parsed:
        """Parse what `text` returned."""
        return _PARSERS[self.format](text, self.file, self.part.context)


@dataclass
class Texts:
    """Text of lines by file and number, for those lines that are rejected because of another one."""

    _pieces: list[tuple[Piece, bytes]] = field(default_factory=list)
    _lines: dict[Piece, list[bytes]] = field(default_factory=dict)

    def add(self, piece: Piece, text: bytes) -> None:
        """Remember the text of a piece."""
        self._pieces.append((piece, text))

    def of(self, file: str, line: int) -> str:
        """Return one line, cut at 1,000 characters."""
        piece, text = max((known for known in self._pieces if known[0].file == file and known[0].part.context.first_line <= line), key=lambda known: known[0].part.start)
        lines = self._lines.setdefault(piece, text.split(b"\n")) if piece not in self._lines else self._lines[piece]
        return lines[line - piece.part.context.first_line].decode("utf-8", "replace")[:LONGEST_TEXT]
