"""All tasks of an ingest: run apart, and where rows of several repeat each other, judged together."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol

from evenkeel.data.lake.writing import Done
from evenkeel.data.pipeline.ingest.repeats.cells import Cell, answered
from evenkeel.data.pipeline.ingest.repeats.row_keys import SharedKeys, all_shared, found_shared
from evenkeel.data.pipeline.ingest.repeats.settlement import settled_lines
from evenkeel.data.pipeline.ingest.task import Task

BUCKET_TASKS = 8
"""Tasks for each bucket of row keys: a bucket holds as many keys as so many tasks have."""

SETTLED_TASKS = 2
"""Tasks with shared keys for each settlement: it holds at most what so many tasks have read, on average."""


class Shuffle(Protocol):
    """Runs functions apart, and brings their cells together between them: Spark, or this process."""

    def each(self, count: int, function: Callable[[int], Iterable[Cell]]) -> Any:
        """Call a function for every number below `count`; return the cells."""

    def together(self, cells: Any, count: int, function: Callable[[Sequence[Cell]], Iterable[Cell]]) -> Any:
        """Call a function once for the cells of every bucket, in any order; `count`: tasks. Answers pass."""

    def collected(self, cells: Any) -> tuple[list[Done], list[Cell]]:
        """Return the answers, and the other cells."""


def done_by(shuffle: Shuffle, tasks: Sequence[Task]) -> list[Done]:
    """Run the tasks as if each were alone. Then run those that share row keys with another one again, leaving these rows to settlements."""
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
    # A single bucket is searched here: another stage of Spark takes longer.
    found = find(cells) if count == 1 and cells else cells
    return done, all_shared(found, count)


def _first(tasks: Sequence[Task], bucket_count: int, number: int) -> Iterator[Cell]:
    done, keys = tasks[number].run(bucket_count if len(tasks) > 1 else 0)
    yield answered(done)
    yield from keys


def _again(tasks: Sequence[Task], shared: SharedKeys, bucket_count: int, number: int) -> Iterator[Cell]:
    done, lines = tasks[shared.places[number]].run_without(shared, bucket_count)
    yield answered(done)
    yield from lines


def _settled(tasks: Sequence[Task], cells: Sequence[Cell]) -> Iterator[Cell]:
    yield answered(settled_lines(cells, len(tasks) + cells[0].bucket, tasks[0].lake, tasks[0].batch))
