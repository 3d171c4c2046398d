"""Plan: which task of an ingest reads which bytes of which file."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec

from data.errors import SnapshotError
from data.lake.manifest import SourceFile
from data.pipeline.ingest.file_part import FilePart
from data.sources.console import listing
from data.sources.console.ranges import Range, ranges_of
from data.sources.detection import HEAD_BYTES, is_utf8, source_for
from data.sources.inputs import Input
from data.sources.parsing.context import Context
from data.sources.parsing.source import Source

TASK_BYTES = 32 * 2**20


class Plan(NamedTuple):
    """`tasks`: parts of files, of about `TASK_BYTES` together, in the order of the input. `sources`: every input in its order, with the counts and refusals that need no parsing."""

    tasks: list[tuple[FilePart, ...]]
    sources: list[SourceFile]


def planned(inputs: Sequence[Input], context: Context, stored: Mapping[str, SourceFile]) -> Plan:
    """Look at every file once: its hash, its format, where its ranges begin. What `stored` has by SHA-256 is not parsed again."""
    sources, parts = [], []
    # Hashing leaves Python to other threads: the ranges of a file are found meanwhile.
    with ThreadPoolExecutor(1) as beside:
        for one in inputs:
            hashing = beside.submit(_sha256_and_size, one.path)
            try:
                found, refused = file_parts(one, _source_of(one), context), None
            except SnapshotError as error:
                found, refused = [], str(error)
            except OSError as error:
                found, refused = [], f"{one.name}: {error.strerror}"
            source, new = _judged(one, hashing, refused, stored)
            sources.append(source)
            parts += found if new else []
    return Plan(list(bundled(parts)), sources)


def _judged(one: Input, hashing: Future[tuple[str, int]], refused: str | None, stored: Mapping[str, SourceFile]) -> tuple[SourceFile, bool]:
    """Return what is known of a file before it is parsed, and whether it is new."""
    try:
        source = SourceFile(one.name, *hashing.result(), refused=refused)
    except OSError as error:
        return SourceFile(one.name, "", 0, refused=f"{one.name}: {error.strerror}"), False
    if source.sha256 in stored:
        return msgspec.structs.replace(source, counts=stored[source.sha256].counts), False
    return source, True


def file_parts(one: Input, source: Source, context: Context) -> list[FilePart]:
    """Return what can be parsed apart: ranges of a listing in UTF-8, everything else whole."""
    with one.path.open("rb") as file:
        is_whole = source is not listing or not is_utf8(file.read(HEAD_BYTES))
    ranges = [Range(one.path, 0, one.path.stat().st_size, context)] if is_whole else ranges_of(one.path, TASK_BYTES, context)
    return [FilePart(one.name, each, source.NAME, is_whole) for each in ranges]


def bundled(parts: Iterable[FilePart]) -> Iterator[tuple[FilePart, ...]]:
    """Yield neighbours of about `TASK_BYTES` together: ten thousand small files are a few tasks."""
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


def _sha256_and_size(path: Path) -> tuple[str, int]:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()


def _source_of(one: Input) -> Source:
    with one.path.open("rb") as file:
        return source_for(one.name, file.read(HEAD_BYTES))
