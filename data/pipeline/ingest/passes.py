"""All tasks of an ingest: run apart, and where rows of several repeat each other, judged together."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from data.lake.writing import Done
from data.pipeline.ingest.settlement import Settlement, Settling
from data.pipeline.ingest.shared_keys import are_in, read_keys, write_shared_keys
from data.pipeline.ingest.task import Task
from data.tables.parsed import KEYED

SETTLED_KEYS = 250_000
"""Shared keys for each settlement, on average."""


class Work(Protocol):
    """What can be sent to another process and done there."""

    def run(self) -> Done:
        """Return an answer that counts every line."""
        ...


Run = Callable[[Sequence[Work]], list[Done]]
"""Does every piece of work once and returns the answers, by place."""


def done_by(run: Run, tasks: Sequence[Task]) -> list[Done]:
    """Run the tasks as if each were alone. Then run those that share row keys with another one again, leaving these rows to settlements."""
    done = run(tasks)
    settling = Settling(tasks[0].scratch, 0)
    shared = {name: write_shared_keys([Path(answer.keys[name]) for answer in done], settling.keys_file(name)) for name in KEYED}
    if not any(shared.values()):
        return done
    settling = replace(settling, bucket_count=sum(shared.values()) // SETTLED_KEYS + 1)
    again = run([replace(tasks[answer.place], settling=settling) for answer in done if _shares(answer, settling)])
    settled = run(
        [Settlement(len(tasks) + bucket, bucket, settling, tasks[0].lake, tasks[0].batch) for bucket in range(settling.bucket_count)]
    )
    latest = {answer.place: answer for answer in (*done, *again, *settled)}
    return [latest[place] for place in sorted(latest)]


def _shares(answer: Done, settling: Settling) -> bool:
    return any(are_in(read_keys(settling.keys_file(name)), read_keys(Path(answer.keys[name]))).any() for name in KEYED)
