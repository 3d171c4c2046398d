"""One task of an ingest: it parses its parts of files once, settles repeats among them, and writes their tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa

from data.errors import SnapshotError
from data.lake.writing import Done, write
from data.pipeline.ingest.file_part import FilePart, Texts
from data.pipeline.ingest.settlement import Settling, leave_to_settlement
from data.pipeline.ingest.small_files import is_small_listing, parsed_together
from data.tables.counts import settled_and_counted
from data.tables.parsed import KEYED, Parsed, encoded, joined, tables_of
from data.tables.repeats.keys import row_keys


@dataclass(frozen=True)
class Task:
    """Reads `parts`, writes into `lake` as part of `batch`. `place`: in the order of the input. `scratch`: a folder that all tasks see."""

    place: int
    parts: tuple[FilePart, ...]
    lake: Path
    batch: str
    scratch: Path
    settling: Settling | None = None

    @property
    def size(self) -> int:
        """Bytes to read."""
        return sum(part.size for part in self.parts)

    def run(self) -> Done:
        """Parse and write, and leave row keys for the driver; with `settling`, lines whose keys other tasks have too are left for later."""
        pa.set_cpu_count(1)
        texts = Texts()
        parsed, line_counts, refused = self._parsed(texts)
        parsed = replace(parsed, offsets=encoded(parsed.offsets))
        keys = {name: row_keys(tables_of(parsed)[name], name) for name in KEYED}
        files = self._written(keys)
        if self.settling:
            parsed, left = leave_to_settlement(parsed, keys, self.settling, self.place, texts.of)
            line_counts = {file: count - left[file] for file, count in line_counts.items()}
            keys = {}
        done = write(*settled_and_counted(parsed, line_counts, texts.of, keys), self.place, self.lake, self.batch, self.scratch)
        return msgspec.structs.replace(done, refused=refused, keys=files)

    def _parsed(self, texts: Texts) -> tuple[Parsed, dict[str, int], dict[str, str]]:
        """Parse the parts; return also the lines of each file, and the files that cannot be read with their reasons."""
        tables: list[Parsed] = []
        line_counts: Counter[str] = Counter()
        refused: dict[str, str] = {}
        for group in _groups(self._texts(texts, refused)):
            try:
                parsed, counts = parsed_together(group) if len(group) > 1 else _parsed_alone(*group[0])
            except SnapshotError as error:
                refused[group[0][0].file] = str(error)
            else:
                tables.append(parsed)
                line_counts.update(counts)
        return joined(tables), line_counts, refused

    def _texts(self, texts: Texts, refused: dict[str, str]) -> Iterator[tuple[FilePart, bytes]]:
        for part in self.parts:
            try:
                text = part.text()
            except SnapshotError as error:
                refused[part.file] = str(error)
            else:
                texts.add(part, text)
                yield part, text

    def _written(self, keys: Mapping[str, np.ndarray]) -> dict[str, str]:
        files = {name: str(self.scratch / f"{self.place:06d}.{name}") for name in KEYED}
        for name, file in files.items():
            # Not np.unique: its hash table takes 20 times as long on such keys.
            in_order = np.sort(keys[name])
            # Not tofile: on a full disk it says how many numbers were written, not why.
            Path(file).write_bytes(in_order[np.diff(in_order, prepend=~in_order[:1]) != 0])
        return files


def _groups(texts: Iterable[tuple[FilePart, bytes]]) -> Iterator[list[tuple[FilePart, bytes]]]:
    """Yield neighbours that are small listings together, everything else alone."""
    for are_small, run in groupby(texts, lambda known: is_small_listing(*known)):
        yield from [list(run)] if are_small else ([one] for one in run)


def _parsed_alone(part: FilePart, text: bytes) -> tuple[Parsed, dict[str, int]]:
    parsed = part.parsed(text)
    return parsed, {part.file: parsed.line_count}
