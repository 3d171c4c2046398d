"""FilePart: bytes of one file that one task reads, and how they become tables and text."""

from collections import defaultdict
from dataclasses import dataclass

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.place import Place
from evenkeel.data.sources.console.listing import Range
from evenkeel.data.sources.detection import SOURCES, as_utf8
from evenkeel.data.tables.parsed import Parsed
from evenkeel.data.tables.schemas import MAX_TEXT

_PARSERS = {source.NAME: source.parse for source in SOURCES}


@dataclass(frozen=True)
class FilePart:
    """A range of a file. `file`: the name it goes by. `place`, `key`: where it lies. `format`: NAME of the source that parses it.

    `is_whole`: the range is the whole file, which may be UTF-16 or carry a byte order mark.
    """

    file: str
    place: Place
    key: str
    range: Range
    format: str
    is_whole: bool

    @property
    def size(self) -> int:
        """Bytes."""
        return self.range.stop - self.range.start

    def read(self) -> bytes:
        """Return the bytes.

        Raises
        ------
        SnapshotError
            When the file is gone, or its place does not answer.
        """
        try:
            with self.place.opened(self.key) as file:
                file.seek(self.range.start)
                return file.read(self.size)
        except FileNotFoundError:
            raise SnapshotError(f"{self.place / self.key}: No such file or directory") from None

    def text(self, data: bytes) -> bytes:
        """Return what was read as UTF-8; SnapshotError where it is no text."""
        return as_utf8(self.file, data) if self.is_whole else data

    def parsed(self, text: bytes) -> Parsed:
        """Parse what `text` returned."""
        return _PARSERS[self.format](text, self.file, self.range.context)


class Texts:
    """Text of lines by file and number, for lines that are rejected because of another one."""

    def __init__(self):
        self._parts: defaultdict[str, list[tuple[int, bytes]]] = defaultdict(list)
        self._lines: dict[tuple[str, int], list[bytes]] = {}

    def add(self, part: FilePart, text: bytes) -> None:
        """Remember the text of a part; the parts of one file come in their order."""
        self._parts[part.file].append((part.range.context.first_line, text))

    def of(self, file: str, line: int) -> str:
        """Return one line, cut at 1,000 characters."""
        first_line, text = next(known for known in reversed(self._parts[file]) if known[0] <= line)
        if (file, first_line) not in self._lines:
            self._lines[file, first_line] = text.split(b"\n")
        return self._lines[file, first_line][line - first_line].decode("utf-8", "replace")[:MAX_TEXT]
