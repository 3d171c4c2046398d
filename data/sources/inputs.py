"""Reads named files, or a program's texts and tables, into one set of tables, without Spark."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document.building import encoded
from evenkeel.data.group.tables.counts import without_repeats
from evenkeel.data.group.tables.frames import is_frame, text_of
from evenkeel.data.group.tables.parsed import ParsedTables, joined
from evenkeel.data.group.tables.schemas import MAX_TEXT
from evenkeel.data.sources.detection import (
    HEAD_BYTES,
    as_utf8,
    refuse_useless,
    source_for,
    source_of_all,
)
from evenkeel.data.sources.latest import READING_BYTES, of_one_file
from evenkeel.data.sources.source import START, Context, Readable, distinct_name

_LONGEST_PATH = 4096
_EXPECTED = "expected a path, text, bytes, a DataFrame, a document as a dictionary, or an open file"


def readables(values: Iterable[object]) -> list[Readable]:
    """Return a program's inputs as files and texts. A string with several lines or a JSON object is
    text; every other string is a path.

    Raises
    ------
    SnapshotError
        If a value has another type, a path does not exist, or there are no values.
    """
    readable = [
        source for number, value in enumerate(values, 1) for source in _readable(value, number)
    ]
    if not readable:
        raise SnapshotError(f"nothing to read, {_EXPECTED}")
    return list(dict.fromkeys(readable))


def _readable(value: object, number: int) -> list[Readable]:
    if isinstance(value, str):
        if len(value) > _LONGEST_PATH and not _is_text(value):
            raise SnapshotError(
                f'source {number}: found one line of {len(value):,} characters, "{value[:60]}…",'
                f" {_EXPECTED}"
            )
        return (
            [("text", value.encode("utf-8", "surrogatepass"))]
            if _is_text(value)
            else _at(Path(value))
        )
    if isinstance(value, bytes | bytearray | memoryview):
        return [("text", bytes(value))]
    if isinstance(value, os.PathLike):
        return _at(Path(os.fsdecode(value)))
    if isinstance(value, Mapping):
        return [("document", encoded(value, "document"))]
    if is_frame(value):
        return [("table", text_of(value, "table"))]
    if callable(getattr(value, "read", None)):
        return _opened(value)
    raise SnapshotError(f"source {number}: found {type(value).__name__}, {_EXPECTED}")


def _is_text(value: str) -> bool:
    return "\n" in value or "\0" in value or not value.strip() or value.lstrip()[:1] == "{"


def _at(path: Path) -> list[Readable]:
    try:
        return files_of([path])
    except (OSError, ValueError) as error:
        raise SnapshotError(
            f"{path}: {getattr(error, 'strerror', None) or error}, expected a readable file"
        ) from None


def _opened(file: object) -> list[Readable]:
    try:
        content = file.read()
    except (OSError, ValueError) as error:
        raise SnapshotError(
            f"{getattr(file, 'name', 'file')}: {error}, expected a readable file"
        ) from None
    if not isinstance(content, str | bytes):
        raise SnapshotError(
            f"{getattr(file, 'name', 'file')}: read() gave {type(content).__name__}, expected text"
            " or bytes"
        )
    return [
        (
            str(getattr(file, "name", "text")),
            content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content,
        )
    ]


def files_of(paths: Iterable[str | Path]) -> list[Path]:
    """Return the named files and the files in named folders, without hidden files and duplicates.
    Files of a folder are sorted by name.

    Raises
    ------
    SnapshotError
        If a path does not exist, or there are no files.
    """
    paths = list(map(Path, paths))
    files = list(dict.fromkeys(file for path in paths for file in files_at(path)))
    if not files:
        raise SnapshotError(f"{', '.join(map(str, paths))}: no files in this folder")
    return files


def files_at(path: Path) -> Iterator[Path]:
    """Yield a file, or the files of a folder.

    Raises
    ------
    SnapshotError
        If the path does not exist.
    """
    if path.is_dir():
        inside = (
            file
            for file in path.rglob("*")
            if file.is_file()
            and not any(part.startswith(".") for part in file.relative_to(path).parts)
        )
        yield from sorted(inside)
    elif path.exists():
        yield path
    else:
        raise SnapshotError(f"{path}: no such file or folder")


def read(inputs: Iterable[Readable], context: Context = START) -> ParsedTables:
    """Read files into one set of tables. All files without times count as one reading.

    Raises
    ------
    SnapshotError
        If a file cannot be opened, or no source can read its content.
    """
    texts: dict[str, bytes] = {}
    lines_of = cache(lambda file: texts[file].split(b"\n"))
    parts = []

    def text_of_line(file: str, line: int) -> str:
        return lines_of(file)[line - 1].decode("utf-8", "replace")[:MAX_TEXT]

    for name, data in map(_content, inputs):
        name = distinct_name(name, texts)
        texts[name] = as_utf8(name, data)
        source = source_for(name, data[:HEAD_BYTES], context.topic)
        parsed = source_of_all(source, texts[name], name).parse(texts[name], name, context)
        if not parsed.row_count:
            refuse_useless(name, texts[name])
        is_short = len(data) <= READING_BYTES
        parts.append(of_one_file(parsed, text_of_line) if is_short else parsed)
    return without_repeats(joined(parts), text_of_line)


def _content(readable: Readable) -> tuple[str, bytes]:
    if isinstance(readable, tuple):
        return readable
    try:
        return str(readable), readable.read_bytes()
    except OSError as error:
        raise SnapshotError(
            f"{readable}: {error.strerror or error}, expected a readable file"
        ) from None


def what_instead_of_logs(inputs: Iterable[Readable]) -> str | None:
    """Return a sentence about the first input that contains groups instead of a log, None if no
    input does.
    """
    for readable in inputs:
        with suppress(SnapshotError):
            name, head = _start(readable)
            is_cut = len(head) == HEAD_BYTES
            parsed = read([(name, head[: head.rfind(b"\n") + 1] if is_cut else head)])
            if parsed.offsets.num_rows or parsed.members.num_rows:
                return (
                    f"{name} is {', '.join(parsed.formats)}: it has no rebalances; evenkeel"
                    " snapshot, compare and diagnose read it"
                )
    return None


def _start(readable: Readable) -> tuple[str, bytes]:
    """Return the name and first bytes of an input. An open stream was read before, so its bytes are
    empty.
    """
    if not isinstance(readable, Path):
        return readable[0], readable[1][:HEAD_BYTES] if isinstance(readable[1], bytes) else b""
    with suppress(OSError), readable.open("rb") as file:
        return readable.name, file.read(HEAD_BYTES)
    return readable.name, b""
