"""Plan: which task of an ingest reads which bytes of which file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import NamedTuple

import msgspec

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.manifest import SourceFile
from evenkeel.data.pipeline.ingest.files.file_part import FilePart
from evenkeel.data.pipeline.ingest.files.hashed_file import HashedFile
from evenkeel.data.pipeline.ingest.files.inputs import Input
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.console.listing import Range, ranges_of
from evenkeel.data.sources.detection import is_utf8, source_for
from evenkeel.data.sources.source import Context, Source

TASK_BYTES = 32 * 2**20


class Plan(NamedTuple):
    """`tasks`: parts of files, of about `TASK_BYTES` together, in the order of the input.

    `sources`: every input in its order, with the counts and refusals that need no parsing.
    """

    tasks: list[tuple[FilePart, ...]]
    sources: list[SourceFile]


def planned(inputs: Sequence[Input], context: Context, stored: Mapping[str, SourceFile]) -> Plan:
    """Open every file once: its hash, its format, where its ranges begin. What `stored` has by SHA-256 is not parsed again."""
    sources, parts = [], []
    with ThreadPoolExecutor(1) as thread:
        for one in inputs:
            source, found = _looked_at(one, context, thread)
            known = stored.get(source.sha256) if source.sha256 else None
            sources.append(msgspec.structs.replace(source, counts=known.counts) if known else source)
            parts += [] if known else found
    return Plan(list(bundled(parts)), sources)


def _looked_at(one: Input, context: Context, thread: Executor) -> tuple[SourceFile, list[FilePart]]:
    """Return what is known of a file before it is parsed, and its parts; none where it cannot be read."""
    try:
        with one.place.opened(one.key) as opened:
            file = HashedFile(opened, thread)
            try:
                found, refused = file_parts(one, source_for(one.name, file.head), file, context), None
            except SnapshotError as error:
                found, refused = [], str(error)
            return SourceFile(one.name, *file.sha256_and_size(), refused=refused), found
    except FileNotFoundError:
        return SourceFile(one.name, "", 0, refused=f"{one.name}: No such file or directory"), []
    except SnapshotError as error:
        return SourceFile(one.name, "", 0, refused=str(error)), []


def file_parts(one: Input, source: Source, file: HashedFile, context: Context) -> list[FilePart]:
    """Return what can be parsed apart: ranges of a listing in UTF-8, everything else whole; `file` is open at its start."""
    is_whole = source is not listing or not is_utf8(file.head)
    ranges = [Range(0, file.size, context)] if is_whole else ranges_of(file, TASK_BYTES, context)
    return [FilePart(one.name, one.place, one.key, each, source.NAME, is_whole) for each in ranges]


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
