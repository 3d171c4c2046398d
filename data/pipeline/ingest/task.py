"""One task of an ingest: it parses its parts of files once, settles repeats among them, and writes their tables."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

import msgspec
import numpy as np
import pyarrow as pa

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.writing import Done, write
from evenkeel.data.pipeline.ingest.parts import FilePart, Texts, is_small_listing, parsed_together
from evenkeel.data.pipeline.ingest.repeats import Cell, SharedKeys, key_cells, leave_to_settlement
from evenkeel.data.tables.counts import settled_and_counted
from evenkeel.data.tables.parsed import KEYED, Parsed, encoded, joined, tables_of
from evenkeel.data.tables.repeats import row_keys


class _Read(NamedTuple):
    """`line_counts` and `refused`: by file, the lines of each and why one cannot be read."""

    parsed: Parsed
    line_counts: Mapping[str, int]
    refused: Mapping[str, str]
    texts: Texts


@dataclass(frozen=True)
class Task:
    """Reads `parts`, writes into `lake` as part of `batch`; `place` is its place in the order of the input."""

    place: int
    parts: tuple[FilePart, ...]
    lake: Place
    batch: str

    def run(self, bucket_count: int = 0) -> tuple[Done, list[Cell]]:
        """Parse and write as if there were no other task; return also the row keys, in so many buckets."""
        read, keys = self._read()
        return self._written(read, keys), list(key_cells(keys, self.place, bucket_count)) if bucket_count else []

    def run_without(self, shared: SharedKeys, bucket_count: int) -> tuple[Done, list[Cell]]:
        """Do the same without the lines whose keys other tasks have too; return these lines, in so many buckets."""
        read, keys = self._read()
        rest, left, lines = leave_to_settlement(read.parsed, keys, shared, self.place, bucket_count, read.texts.of)
        counts = {file: count - left[file] for file, count in read.line_counts.items()}
        return self._written(read._replace(parsed=rest, line_counts=counts)), lines

    def _read(self) -> tuple[_Read, dict[str, np.ndarray]]:
        """Parse the parts; return also the row keys by table."""
        pa.set_cpu_count(1)
        texts, tables = Texts(), []
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
        parsed = joined(tables)
        parsed = replace(parsed, offsets=encoded(parsed.offsets))
        return _Read(parsed, line_counts, refused, texts), {name: row_keys(tables_of(parsed)[name], name) for name in KEYED}

    def _texts(self, texts: Texts, refused: dict[str, str]) -> Iterator[tuple[FilePart, bytes]]:
        for part in self.parts:
            data = part.read()
            try:
                text = part.text(data)
            except SnapshotError as error:
                refused[part.file] = str(error)
            else:
                texts.add(part, text)
                yield part, text

    def _written(self, read: _Read, keys: Mapping[str, np.ndarray] = MappingProxyType({})) -> Done:
        done = write(*settled_and_counted(read.parsed, read.line_counts, read.texts.of, keys), self.place, self.lake, self.batch)
        return msgspec.structs.replace(done, refused=dict(read.refused))


def _groups(texts: Iterable[tuple[FilePart, bytes]]) -> Iterator[list[tuple[FilePart, bytes]]]:
    """Yield neighbours that are small listings together, everything else alone."""
    for are_small, run in groupby(texts, lambda known: is_small_listing(*known)):
        yield from [list(run)] if are_small else ([one] for one in run)


def _parsed_alone(part: FilePart, text: bytes) -> tuple[Parsed, dict[str, int]]:
    parsed = part.parsed(text)
    return parsed, {part.file: parsed.line_count}
