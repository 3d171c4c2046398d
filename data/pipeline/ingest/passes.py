"""All tasks of an ingest: run apart, and where rows of several repeat each other, judged together."""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
import numpy as np

from data.lake.writing import Done
from data.pipeline.ingest.repeats.cells import Cell, Shuffle
from data.pipeline.ingest.repeats.row_keys import keys_of, shared_keys
from data.pipeline.ingest.repeats.settlement import settled_lines
from data.pipeline.ingest.task import Task

BUCKET_TASKS = 8
"""Tasks for each bucket of row keys: a bucket holds as many keys as so many tasks have."""

SETTLED_KEYS = 500_000
"""Shared keys for each settlement, on average, counted in every task that has them."""


def done_by(shuffle: Shuffle, tasks: Sequence[Task]) -> list[Done]:
    """Run the tasks as if each were alone. Then run those that share row keys with another one again, leaving these rows to settlements."""
    if len(tasks) == 1:
        return shuffle.answers(shuffle.each(1, partial(_alone, tasks)))[0]
    buckets = len(tasks) // BUCKET_TASKS + 1
    first = shuffle.each(len(tasks), partial(_first, tasks, buckets))
    with shuffle.kept(shuffle.together(first, "bucket", buckets, shared_keys)) as shared:
        done, size = shuffle.answers(shared)
        if size:
            buckets = size // np.uint64().nbytes // SETTLED_KEYS + 1
            again = shuffle.together(shuffle.with_data(shared), "place", len(tasks), partial(_again, tasks, buckets))
            done += shuffle.answers(shuffle.together(again, "bucket", buckets, partial(_settled, tasks)))[0]
    latest = {answer.place: answer for answer in done}
    return [latest[place] for place in sorted(latest)]


def _alone(tasks: Sequence[Task], number: int) -> Iterator[Cell]:
    yield _answered(tasks[number].run()[0])


def _first(tasks: Sequence[Task], bucket_count: int, number: int) -> Iterator[Cell]:
    done, keys = tasks[number].run(bucket_count)
    yield _answered(done)
    yield from keys


def _again(tasks: Sequence[Task], bucket_count: int, cells: Sequence[Cell]) -> Iterator[Cell]:
    done, lines = tasks[cells[0].place].run_without(np.sort(keys_of(cells)), bucket_count)
    yield _answered(done)
    yield from lines


def _settled(tasks: Sequence[Task], cells: Sequence[Cell]) -> Iterator[Cell]:
    yield _answered(settled_lines(cells, len(tasks) + cells[0].bucket, tasks[0].lake, tasks[0].batch))


def _answered(done: Done) -> Cell:
    return Cell(done.place, done=msgspec.json.encode(done))
