"""A batch of files. The files are divided among tasks, which run on Spark or in this process. Then
the batch is published once. `Task` does the work of one task.
"""

import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
import pyarrow as pa

from evenkeel.data import clock
from evenkeel.data.errors import PlaceError, SnapshotError
from evenkeel.data.group.tables.counts import settled_and_counted
from evenkeel.data.group.tables.load import with_lag
from evenkeel.data.group.tables.parsed import KEYED, ParsedTables, encoded, joined, tables_of
from evenkeel.data.group.tables.repeats import row_keys
from evenkeel.data.lake import store
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.run import publish_once, running
from evenkeel.data.lake.service import in_words
from evenkeel.data.lake.writing import Done, results_of, with_counts, with_tables, write
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.pipeline.ingest.parts import (
    FilePart,
    Texts,
    is_small_listing,
    parsed_together,
    planned,
)
from evenkeel.data.pipeline.ingest.repeats import (
    SCHEMA,
    Cell,
    SharedKeys,
    all_shared,
    answered,
    applied,
    batch_of,
    cells_of,
    found_shared,
    key_cells,
    leave_to_settlement,
    parted,
    settled_lines,
)
from evenkeel.data.sources.inputs import read
from evenkeel.data.sources.latest import READING_BYTES, of_one_file
from evenkeel.data.sources.source import START, Context
from evenkeel.data.text.formats import first_of


class _TaskResult(NamedTuple):
    """The parsed files of a task. `line_counts`: number of lines of each file. `refused`: reason
    for each file that cannot be read.
    """

    parsed: ParsedTables
    line_counts: Mapping[str, int]
    refused: Mapping[str, str]
    texts: Texts


@dataclass(frozen=True)
class Task:
    """Reads `parts`, and writes their tables into `lake` for `batch`. `place`: position of the
    task's parts in the input.
    """

    place: int
    parts: tuple[FilePart, ...]
    lake: Place
    batch: str

    def run(self, bucket_count: int = 0) -> tuple[Done, list[Cell]]:
        """Parse and write all lines. Return the answer of the task, and the row keys of its lines,
        divided into `bucket_count` buckets.
        """
        read, keys = self._read()
        return self._written(read, keys), list(
            key_cells(keys, self.place, bucket_count)
        ) if bucket_count else []

    def run_without(self, shared: SharedKeys, bucket_count: int) -> tuple[Done, list[Cell]]:
        """Parse and write all lines, except lines with shared keys. `shared`: row keys that several
        tasks have. Return the answer of the task, and its lines with shared keys, divided into
        `bucket_count` buckets.
        """
        read, keys = self._read()
        rest, left, lines = leave_to_settlement(
            read.parsed, keys, shared, self.place, bucket_count, read.texts.of
        )
        counts = {file: count - left[file] for file, count in read.line_counts.items()}
        return self._written(read._replace(parsed=rest, line_counts=counts)), lines

    def _read(self) -> tuple[_TaskResult, dict[str, np.ndarray]]:
        """Parse the parts. Return the result, and the row keys by table."""
        pa.set_cpu_count(1)
        texts, tables = Texts(), []
        line_counts: Counter[str] = Counter()
        refused: dict[str, str] = {}
        for group in _groups(self._texts(texts, refused)):
            try:
                parsed, counts = (
                    parsed_together(group) if len(group) > 1 else _parsed_alone(*group[0])
                )
            except SnapshotError as error:
                refused[group[0][0].file] = str(error)
            else:
                is_short = _may_have_readings(group[0][0])
                tables.append(of_one_file(parsed, texts.of) if is_short else parsed)
                line_counts.update(counts)
        parsed = joined(tables)
        parsed = replace(parsed, offsets=encoded(parsed.offsets))
        return _TaskResult(parsed, line_counts, refused, texts), {
            name: row_keys(tables_of(parsed)[name], name) for name in KEYED
        }

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

    def _written(
        self, read: _TaskResult, keys: Mapping[str, np.ndarray] = MappingProxyType({})
    ) -> Done:
        done = write(
            *settled_and_counted(read.parsed, read.line_counts, read.texts.of, keys),
            self.place,
            self.lake,
            self.batch,
        )
        return msgspec.structs.replace(done, refused=dict(read.refused))


def _groups(texts: Iterable[tuple[FilePart, bytes]]) -> Iterator[list[tuple[FilePart, bytes]]]:
    """Yield lists of files that are parsed together. Small listings that follow each other are in
    one list; any other file is alone in its list. No list mixes files that are searched for several
    readings of a group with files that are not.
    """
    kinds = groupby(texts, lambda known: (is_small_listing(*known), _may_have_readings(known[0])))
    for (are_small, _), run in kinds:
        if are_small:
            yield list(run)
        else:
            yield from ([item] for item in run)


def _may_have_readings(part: FilePart) -> bool:
    return part.is_whole and part.size <= READING_BYTES


def _parsed_alone(part: FilePart, text: bytes) -> tuple[ParsedTables, dict[str, int]]:
    parsed = part.parsed(text)
    return parsed, {part.file: parsed.line_count}


_MOST_REFUSED = 20

Results = Mapping[str, tuple[str, ...]]
"""Files of LAG, MEMBER_LOAD and GROUP_LOAD, by table."""


class Engine(Protocol):
    """Runs tasks."""

    def run(self, tasks: Sequence[Task]) -> tuple[list[Done], Callable[[], Results]]:
        """Run the tasks. Return their answers in the order of the input. Also return a function
        that computes the tables LAG, MEMBER_LOAD and GROUP_LOAD.
        """

    def named_errors(self, names: Sequence[str], lake: Place) -> AbstractContextManager[None]:
        """Turn an error in the `with` block into a SnapshotError. `names`: names of the files."""


def batch_by(
    engine: Engine,
    inputs: Sequence[Input],
    lake: Place,
    context: Context = START,
    batch: str | None = None,
) -> Manifest:
    """Store files in the lake as one batch, and return the manifest of the batch. Nothing is
    written if all files are in the lake already.

    If another ingest stores one of the files meanwhile, the work is done again without this file.
    `context`: group and time for listings without a group or a time. A batch is published as a
    whole or not at all.

    Raises
    ------
    SnapshotError
        If no file can be read, or if the engine fails; the message names the files. If a place
        cannot be read or written, the message names the place.
    """
    now = clock.now()
    batch = batch or f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    stored = _stored(lake)
    plan = planned(inputs, context, stored)
    manifest = Manifest(
        batch=batch, ingested_at=now, taken_at=context.taken_at, sources=tuple(plan.sources)
    )
    if not plan.tasks:
        return _counted(manifest, [])
    with running(lake, batch), engine.named_errors([file.name for file in inputs], lake):
        tasks = [Task(place, parts, lake, batch) for place, parts in enumerate(plan.tasks)]
        done, results = engine.run(tasks)
        manifest = _counted(manifest, done)
        manifest = with_tables(manifest, done, results())
        manifest = msgspec.structs.replace(manifest, is_in_order=len(done) == len(tasks))
        is_first = publish_once(lake, manifest, lambda: _stored(lake).keys() - stored.keys())
    return manifest if is_first else batch_by(engine, inputs, lake, context, batch)


def _stored(lake: Place) -> dict[str, SourceFile]:
    """Return all files that the lake has, by SHA-256."""
    files: dict[str, SourceFile] = {}
    for manifest in store.batches(lake):
        files |= {source.sha256: source for source in manifest.sources if source.refused is None}
    return files


def _counted(manifest: Manifest, done: Sequence[Done]) -> Manifest:
    """Return the manifest with the counts of each file and their sum.

    Raises
    ------
    SnapshotError
        If every file is refused. The message has the reasons.
    """
    manifest = with_counts(manifest, done)
    if all(source.refused for source in manifest.sources):
        raise SnapshotError(
            "; ".join(
                first_of(
                    [source.refused or "" for source in manifest.sources], _MOST_REFUSED, "file"
                )
            )
            or "no files"
        )
    return manifest


# All tasks of an ingest. Each task runs alone; repeated rows of several tasks are then judged
# together.


BUCKET_TASKS = 8
"""For this number of tasks there is one bucket of row keys."""

SETTLED_TASKS = 2
"""For this number of tasks with shared keys there is one settlement. So, on average, a settlement
has at most the rows of two tasks.
"""


class Shuffle(Protocol):
    """Runs a function for each task. The function returns cells, and each cell has a bucket number.
    Then runs a second function for each bucket, with all cells of the bucket. One Shuffle uses
    Spark, another does not.
    """

    def each(self, count: int, function: Callable[[int], Iterable[Cell]]) -> Any:
        """Call a function for every number from 0 to `count` - 1. Return the cells of all calls."""

    def together(
        self, cells: Any, count: int, function: Callable[[Sequence[Cell]], Iterable[Cell]]
    ) -> Any:
        """Call a function once for each bucket, in any order, with all cells of the bucket.
        `count`: number of Spark tasks. Cells with an answer are returned unchanged.
        """

    def collected(self, cells: Any) -> tuple[list[Done], list[Cell]]:
        """Return the answers in the cells, and the cells that are not answers."""


def done_by(shuffle: Shuffle, tasks: Sequence[Task]) -> list[Done]:
    """Run each task separately. If tasks have row keys in common, run these tasks again without the
    rows with common keys. Then find repeats among the rows with common keys and write the other
    rows.
    """
    done, shared = _alone(shuffle, tasks)
    if shared.places:
        count = len(shared.places) // SETTLED_TASKS + 1
        again = shuffle.each(len(shared.places), partial(_again, tasks, shared, count))
        done += shuffle.collected(shuffle.together(again, count, partial(_settled, tasks)))[0]
    latest = {answer.place: answer for answer in done}
    return [latest[place] for place in sorted(latest)]


def _alone(shuffle: Shuffle, tasks: Sequence[Task]) -> tuple[list[Done], SharedKeys]:
    count = (len(tasks) - 1) // BUCKET_TASKS + 1
    find = partial(found_shared, count)
    first = shuffle.each(len(tasks), partial(_first, tasks, count))
    done, cells = shuffle.collected(first if count == 1 else shuffle.together(first, count, find))
    # A single bucket is searched in this process, because another stage of Spark takes longer.
    shared = find(cells) if count == 1 and cells else cells
    return done, all_shared(shared, count)


def _first(tasks: Sequence[Task], bucket_count: int, number: int) -> Iterator[Cell]:
    done, keys = tasks[number].run(bucket_count if len(tasks) > 1 else 0)
    yield answered(done)
    yield from keys


def _again(
    tasks: Sequence[Task], shared: SharedKeys, bucket_count: int, number: int
) -> Iterator[Cell]:
    done, lines = tasks[shared.places[number]].run_without(shared, bucket_count)
    yield answered(done)
    yield from lines


def _settled(tasks: Sequence[Task], cells: Sequence[Cell]) -> Iterator[Cell]:
    yield answered(
        settled_lines(cells, len(tasks) + cells[0].bucket, tasks[0].lake, tasks[0].batch)
    )


# A batch without Spark: this process runs the tasks of an ingest one after the other.


_EXAMPLE = (
    b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0 1 2"
    b" 1 - - -\ng t 0 1 2 1 - - -\nGROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\ng a-1"
    b" /h a 1 t(0)\n"
)


def stored_here(
    inputs: Sequence[Input], lake: Place, context: Context = START, batch: str | None = None
) -> Manifest:
    """Store files in the lake as one batch, in this process. Result and errors are as in
    `batch_by`.
    """
    return batch_by(_Here(), inputs, lake, context, batch)


def prepare() -> None:
    """Parse a few lines before this process is forked. Then modules are loaded and expressions are
    compiled already.
    """
    import_module("obstore.store")
    with_lag(read([("example", _EXAMPLE)]).offsets)


class ShuffleHere:
    """The Shuffle of an ingest without Spark. The cells are rows of an Arrow table."""

    def each(self, count: int, function: Callable[[int], Iterable[Cell]]) -> pa.Table:
        """Call a function for every number from 0 to `count` - 1. Return the cells of all calls."""
        return pa.Table.from_batches(map(batch_of, map(function, range(count))), SCHEMA)

    def together(
        self, cells: pa.Table, count: int, function: Callable[[Sequence[Cell]], Iterable[Cell]]
    ) -> pa.Table:
        """Call a function once for each bucket, with all cells of the bucket. Cells with an answer
        are returned unchanged.
        """
        return pa.Table.from_batches(applied(cells_of(cells.to_batches()), function), SCHEMA)

    def collected(self, cells: pa.Table) -> tuple[list[Done], list[Cell]]:
        """Return the answers in the cells, and the cells that are not answers."""
        return parted(cells_of(cells.to_batches()))


class _Here:
    def run(self, tasks: Sequence[Task]) -> tuple[list[Done], Callable[[], Results]]:
        done = done_by(ShuffleHere(), tasks)
        return done, lambda: results_of(tasks[0].lake, tasks[0].batch, done)

    @contextmanager
    def named_errors(self, names: Sequence[str], lake: Place) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            where = error.filename if error.errno and error.filename else f"lake {lake}"
            raise PlaceError(
                where, os.strerror(error.errno) if error.errno else in_words(error)
            ) from error
