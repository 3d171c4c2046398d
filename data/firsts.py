"""Rows that repeat a row of an earlier task, found by sorted 64-bit keys, bucket by bucket: memory stays the same however many rows there are."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

BUCKET_ROWS = 2**20


def write_firsts(keys: Mapping[int, Path], folder: Path, table: str) -> None:
    """Write for every task which of its keys an earlier task has, as raw uint64 in `folder/<task>/<table>.<first task>`; nothing where nothing repeats.

    `keys` are files of raw uint64 by task, ascending, each key once in a file.
    """
    columns = {task: np.memmap(path, np.uint64, "r") for task, path in sorted(keys.items()) if path.stat().st_size}
    for bucket, task in _buckets(columns):
        for later, first, repeated in _repeats(bucket, task):
            path = folder / str(later) / f"{table}.{first}"
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                file.write(repeated.tobytes())


def _buckets(columns: Mapping[int, np.ndarray]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield keys of one range of values and the task of each, tasks ascending."""
    count = sum(column.size for column in columns.values()) // BUCKET_ROWS + 1
    inner = (np.arange(1, count, dtype=object) * 2**64 // count).astype(np.uint64)
    bounds = {task: [0, *np.searchsorted(column, inner).tolist(), column.size] for task, column in columns.items()}
    for bucket in range(count):
        slices = {task: column[bounds[task][bucket] : bounds[task][bucket + 1]] for task, column in columns.items()}
        sizes = [part.size for part in slices.values()]
        yield np.concatenate([*slices.values(), np.empty(0, np.uint64)]), np.repeat(np.array(list(slices), dtype=np.int64), sizes)


def _repeats(keys: np.ndarray, task: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
    """Yield (later task, first task, keys) for the keys that more than one task has."""
    ascending = np.sort(keys)
    if not np.any(ascending[1:] == ascending[:-1]):
        return
    order = np.argsort(keys, kind="stable")
    keys, task = keys[order], task[order]
    starts = np.concatenate(([True], keys[1:] != keys[:-1]))
    first = task[starts][np.cumsum(starts) - 1]
    for pair in np.unique(np.column_stack([task, first])[~starts], axis=0):
        yield int(pair[0]), int(pair[1]), keys[~starts & (task == pair[0]) & (first == pair[1])]
