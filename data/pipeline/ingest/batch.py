"""A batch of files: planned, run by Spark or by this process, published once."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec

from evenkeel.data import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import store
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.run import publish_once, running
from evenkeel.data.lake.writing import Done, with_counts, with_tables
from evenkeel.data.pipeline.ingest.files.inputs import Input
from evenkeel.data.pipeline.ingest.files.plan import planned
from evenkeel.data.pipeline.ingest.task import Task
from evenkeel.data.sources.source import START, Context
from evenkeel.data.words.formats import first_of

_MOST_REFUSED = 20

Results = Mapping[str, tuple[str, ...]]
"""Files of LAG and of the loads, by table."""


class Engine(Protocol):
    """What runs tasks."""

    def run(self, tasks: Sequence[Task]) -> tuple[list[Done], Callable[[], Results]]:
        """Run the tasks; return their answers in the order of the input, and what then runs the transforms."""

    def named_errors(self, names: Sequence[str], lake: Place) -> AbstractContextManager[None]:
        """Turn faults into SnapshotError; `names`: of the files."""


def batch_by(engine: Engine, inputs: Sequence[Input], lake: Place, context: Context = START, batch: str | None = None) -> Manifest:
    """Bring files into the lake as one batch and return its manifest; where the lake has every file already, nothing is written.

    Where another ingest has stored one of the files meanwhile, all begins again without that file. `context`: what listings do not say
    themselves.

    Raises
    ------
    SnapshotError
        When no file can be read, or the engine fails, naming the files; for a place that cannot be read or written, naming it. Nothing is
        half published.
    """
    now = clock.now()
    batch = batch or f"{now:%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    stored = _stored(lake)
    plan = planned(inputs, context, stored)
    one = Manifest(batch=batch, ingested_at=now, taken_at=context.taken_at, sources=tuple(plan.sources))
    if not plan.tasks:
        return _counted(one, [])
    with running(lake, batch), engine.named_errors([one.name for one in inputs], lake):
        tasks = [Task(place, parts, lake, batch) for place, parts in enumerate(plan.tasks)]
        done, results = engine.run(tasks)
        one = _counted(one, done)
        one = with_tables(one, done, results())
        one = msgspec.structs.replace(one, is_in_order=len(done) == len(tasks))
        is_first = publish_once(lake, one, lambda: _stored(lake).keys() - stored.keys())
    return one if is_first else batch_by(engine, inputs, lake, context, batch)


def _stored(lake: Place) -> dict[str, SourceFile]:
    """Return every file that was read into the lake, by SHA-256."""
    return {source.sha256: source for one in store.batches(lake) for source in one.sources if source.refused is None}


def _counted(one: Manifest, done: Sequence[Done]) -> Manifest:
    """Return the manifest with the counts of its files and of all of them.

    Raises
    ------
    SnapshotError
        When every file is refused: why, for each.
    """
    one = with_counts(one, done)
    if all(source.refused for source in one.sources):
        raise SnapshotError("; ".join(first_of([source.refused for source in one.sources], _MOST_REFUSED, "file")) or "no files")
    return one
