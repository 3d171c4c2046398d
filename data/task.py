"""One task of an ingest: it parses its pieces once, settles what repeats among them, and writes their tables."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa

from data.errors import SnapshotError
from data.piece import Piece, Texts
from data.repeats import without_repeats
from data.row_keys import row_keys
from data.settlement import Settling, leave_to_settlement
from data.sources.parsed import Parsed, joined
from data.writing import KEYED, Done, tables_of, write


@dataclass(frozen=True)
class Task:
    """Reads `pieces`, writes into `lake` as part of `batch`; `place` is its place in the order of the input, `scratch` a folder that all tasks see."""

    place: int
    pieces: tuple[Piece, ...]
    lake: Path
    batch: str
    scratch: Path
    settling: Settling | None = None

    @property
    def size(self) -> int:
        """Bytes to read."""
        return sum(piece.size for piece in self.pieces)

    def run(self) -> Done:
        """Parse and write, and leave row keys for the driver; with `settling`, lines whose keys other tasks have too are left for later."""
        pa.set_cpu_count(1)
        texts = Texts()
        parts, refused = self._parts(texts)
        parsed, line_counts = joined(parts.values()), {file: part.line_count for file, part in parts.items()}
        keys = self._written_keys(parsed)
        if self.settling:
            parsed, left = leave_to_settlement(parsed, self.settling, self.place, texts.of)
            line_counts = {file: count - left[file] for file, count in line_counts.items()}
        done = write(without_repeats(parsed, texts.of), line_counts, self.place, self.lake, self.batch)
        return msgspec.structs.replace(done, refused=refused, keys=keys)

    def _parts(self, texts: Texts) -> tuple[dict[str, Parsed], dict[str, str]]:
        """Parse each file's pieces; a file that cannot be read is refused with its reason."""
        parts: dict[str, list[Parsed]] = {}
        refused: dict[str, str] = {}
        for piece in self.pieces:
            try:
                text = piece.text()
                parts.setdefault(piece.file, []).append(piece.parsed(text))
                texts.add(piece, text)
            except SnapshotError as error:
                refused[piece.file] = str(error)
        return {file: joined(parsed) for file, parsed in parts.items()}, refused

    def _written_keys(self, parsed: Parsed) -> dict[str, str]:
        files = {name: str(self.scratch / f"{self.place:06d}.{name}") for name in KEYED}
        for name, file in files.items():
            np.unique(row_keys(tables_of(parsed)[name], name)).tofile(file)
        return files
