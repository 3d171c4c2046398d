"""Plan: divides the files of an ingest among tasks. This module also turns the bytes of a part into
text and tables.
"""

import hashlib
import os
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import BinaryIO, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables.parsed import ParsedTables, have_times, joined, tables_of
from evenkeel.data.group.tables.schemas import MAX_TEXT
from evenkeel.data.lake.manifest import SourceFile
from evenkeel.data.lake.place import Place
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.console.headers import header_of
from evenkeel.data.sources.console.listing import Range, ranges_of
from evenkeel.data.sources.detection import (
    HEAD_BYTES,
    SOURCES,
    as_utf8,
    is_plain,
    source_for,
    source_of_all,
)
from evenkeel.data.sources.latest import READING_BYTES
from evenkeel.data.sources.source import Context, Source

TASK_BYTES = 32 * 2**20
_SOURCES = {source.NAME: source for source in SOURCES}


@dataclass(frozen=True)
class FilePart:
    """A range of bytes of a file. `file`: the file's name. `place`, `key`: where the file is.
    `format`: `NAME` of the source that parses the file.

    `is_whole`: the range is the whole file. Only then the file may be UTF-16 or have a byte order
    mark.
    """

    file: str
    place: Place
    key: str
    range: Range
    format: str
    is_whole: bool

    @property
    def size(self) -> int:
        """Size in bytes."""
        return self.range.stop - self.range.start

    def read(self) -> bytes:
        """Return the bytes.

        Raises
        ------
        SnapshotError
            If the file is gone, or its place does not answer.
        """
        try:
            with self.place.opened(self.key) as file:
                file.seek(self.range.start)
                return file.read(self.size)
        except FileNotFoundError:
            raise SnapshotError(f"{self.place / self.key}: No such file or directory") from None

    def text(self, data: bytes) -> bytes:
        """Return the bytes as UTF-8. Raise SnapshotError if the bytes are not text."""
        return as_utf8(self.file, data) if self.is_whole else data

    def parsed(self, text: bytes) -> ParsedTables:
        """Parse a text returned by `text`."""
        source = _SOURCES[self.format]
        if self.is_whole:
            source = source_of_all(source, text, self.file)
        return source.parse(text, self.file, self.range.context)


class Texts:
    """Lines of text by file and line number. If a line is rejected after later lines were read, its
    text is needed again.
    """

    def __init__(self):
        self._parts: defaultdict[str, list[tuple[int, bytes]]] = defaultdict(list)
        self._lines: dict[tuple[str, int], list[bytes]] = {}

    def add(self, part: FilePart, text: bytes) -> None:
        """Store the text of a part. Parts of a file must be added in order."""
        self._parts[part.file].append((part.range.context.first_line, text))

    def of(self, file: str, line: int) -> str:
        """Return a line, cut at 1,000 characters."""
        first_line, text = next(known for known in reversed(self._parts[file]) if known[0] <= line)
        if (file, first_line) not in self._lines:
            self._lines[file, first_line] = text.split(b"\n")
        return self._lines[file, first_line][line - first_line].decode("utf-8", "replace")[
            :MAX_TEXT
        ]


# A file that is hashed while it is read, so that its content and its SHA-256 need one pass.


_LEFT_BYTES = 2**18
"""Small enough for the processor's cache."""

_SMALL_BYTES = 2**16
_MOST_WAITING = 4


class HashedFile:
    """A file that is read from start to end. Its bytes are hashed in `thread` while reading
    continues.

    `head`: the first `HEAD_BYTES`. `size`: size in bytes.
    """

    def __init__(self, file: BinaryIO, thread: Executor):
        self._file, self._thread, self._hash = file, thread, hashlib.sha256()
        self._waiting: deque[Future[None]] = deque()
        self.head = file.read(HEAD_BYTES)
        self.size = file.seek(0, os.SEEK_END)
        file.seek(0)

    def read(self, size: int) -> bytes:
        """Read `size` bytes, fewer at the end of the file."""
        return self._hashed(self._file.read(size))

    def readline(self, size: int) -> bytes:
        """Read up to the end of a line, at most `size` bytes."""
        return self._hashed(self._file.readline(size))

    def tell(self) -> int:
        """Return the number of bytes read."""
        return self._file.tell()

    def sha256_and_size(self) -> tuple[str, int]:
        """Read the rest. Return the hash in hexadecimal, and the size in bytes."""
        self._wait(0)
        while left := self._file.read(_LEFT_BYTES):
            self._hash.update(left)
        return self._hash.hexdigest(), self.tell()

    def _hashed(self, data: bytes) -> bytes:
        if len(data) < _SMALL_BYTES and not self._waiting:
            self._hash.update(data)
        else:
            self._waiting.append(self._thread.submit(self._hash.update, data))
            self._wait(_MOST_WAITING)
        return data

    def _wait(self, most: int) -> None:
        """Wait until at most `most` reads are not hashed. The bytes of reads that are not hashed
        stay in memory.
        """
        while len(self._waiting) > most:
            self._waiting.popleft().result()


# Plan: which task reads which bytes of which file.


class Plan(NamedTuple):
    """`tasks`: for each task, parts of files with about `TASK_BYTES` in total, in the order of the
    input.

    `sources`: all inputs in order. An input has counts only if the lake already has the file, and a
    reason in `refused` if the file cannot be read.
    """

    tasks: list[tuple[FilePart, ...]]
    sources: list[SourceFile]


def planned(inputs: Sequence[Input], context: Context, stored: Mapping[str, SourceFile]) -> Plan:
    """Open each file once to get its hash, its format and its parts. A file in `stored` (by
    SHA-256) is in no task.
    """
    sources, parts = [], []
    with ThreadPoolExecutor(1) as thread:
        for file in inputs:
            source, file_parts_read = _looked_at(file, context, thread)
            known = stored.get(source.sha256) if source.sha256 else None
            sources.append(
                msgspec.structs.replace(source, counts=known.counts) if known else source
            )
            parts += [] if known else file_parts_read
    return Plan(list(bundled(parts)), sources)


def _looked_at(
    input_file: Input, context: Context, thread: Executor
) -> tuple[SourceFile, list[FilePart]]:
    """Return the entry of a file for the manifest, and the parts of the file. A file that cannot be
    read has no parts.
    """
    try:
        with input_file.place.opened(input_file.key) as opened:
            file = HashedFile(opened, thread)
            try:
                file_parts_read, refused = (
                    file_parts(
                        input_file,
                        source_for(input_file.name, file.head, context.topic),
                        file,
                        context,
                    ),
                    None,
                )
            except SnapshotError as error:
                file_parts_read, refused = [], str(error)
            return SourceFile(
                input_file.name, *file.sha256_and_size(), refused=refused
            ), file_parts_read
    except FileNotFoundError:
        return SourceFile(
            input_file.name, "", 0, refused=f"{input_file.name}: No such file or directory"
        ), []
    except SnapshotError as error:
        return SourceFile(input_file.name, "", 0, refused=str(error)), []


def file_parts(
    input_file: Input, source: Source, file: HashedFile, context: Context
) -> list[FilePart]:
    """Return the parts of a file. A large listing in UTF-8 has several parts, any other file has
    one. `file` must be at its start.
    """
    if source is listing and is_plain(file.head) and file.size > READING_BYTES:
        ranges = ranges_of(file, TASK_BYTES, context)
    else:
        ranges = [Range(0, file.size, context)]
    is_whole = len(ranges) == 1
    return [
        FilePart(input_file.name, input_file.place, input_file.key, each, source.NAME, is_whole)
        for each in ranges
    ]


def bundled(parts: Iterable[FilePart]) -> Iterator[tuple[FilePart, ...]]:
    """Yield the parts of each task: parts that follow each other, with about `TASK_BYTES` in total.
    So ten thousand small files need only a few tasks.
    """
    bundle: list[FilePart] = []
    size = 0
    for part in parts:
        if bundle and size + part.size > TASK_BYTES:
            yield tuple(bundle)
            bundle, size = [], 0
        bundle.append(part)
        size += part.size
    if bundle:
        yield tuple(bundle)


# Many small listings are parsed as one text, because the parser's overhead is then paid only once.


SMALL_BYTES = HEAD_BYTES
"""A larger file may have another block after the bytes that detection has read."""


def is_small_listing(part: FilePart, text: bytes) -> bool:
    """Return whether a part is a whole small listing that starts with a header. Such listings can
    be joined into one text.
    """
    is_short_listing = part.format == listing.NAME and part.is_whole and len(text) < SMALL_BYTES
    return (
        is_short_listing
        and header_of(text.lstrip(b"\r\n").partition(b"\n")[0].removesuffix(b"\r")) is not None
    )


def parsed_together(files: Sequence[tuple[FilePart, bytes]]) -> tuple[ParsedTables, dict[str, int]]:
    """Parse several files as one text. Return the rows, with file name and line number, and the
    number of lines of each file.

    The time in a file does not apply to the next file. So if any file has a time, each file is
    parsed alone.
    """
    texts = [text if text.endswith(b"\n") else text + b"\n" for _, text in files]
    names = [part.file for part, _ in files]
    line_counts = [text.count(b"\n") for text in texts]
    parsed = listing.parse(b"".join(texts), "", files[0][0].range.context)
    if have_times(parsed.notes):
        return joined(part.parsed(text) for part, text in files), dict(
            zip(names, line_counts, strict=True)
        )
    first_line = np.cumsum([1, *line_counts])
    tables = {
        name.lower(): _in_files(table.combine_chunks(), names, first_line)
        for name, table in tables_of(parsed).items()
    }
    return replace(parsed, **tables), dict(zip(names, line_counts, strict=True))


def _in_files(table: pa.Table, names: list[str], first_line: np.ndarray) -> pa.Table:
    line = table["source_line"].to_numpy()
    file = np.searchsorted(first_line, line, side="right") - 1
    columns = {
        "source_file": pa.array(names, "string").take(pa.array(file)),
        "source_line": pa.array(line - first_line[file] + 1),
    }
    for name, column in columns.items():
        table = table.set_column(
            table.schema.get_field_index(name), table.schema.field(name), column
        )
    return table
