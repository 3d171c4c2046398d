"""Row keys of more than one task, found in buckets of sorted keys: memory does not grow with the rows."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

BUCKET_ROWS = 2**20


def write_shared_keys(files: Iterable[Path], target: Path) -> int:
    """Write the keys that are in more than one file, ascending; return their number. A file is raw uint64, ascending, each key once."""
    columns = [np.memmap(path, np.uint64, "r") for path in files if path.stat().st_size]
    with target.open("wb") as file:
        return sum(file.write(shared.tobytes()) for shared in _shared(columns)) // np.uint64().nbytes


def read_keys(path: Path) -> np.ndarray:
    """Return the keys of a file, uint64."""
    return np.fromfile(path, np.uint64)


def are_in(keys: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Tell which keys are in `wanted`, which ascends."""
    if not wanted.size:
        return np.zeros(keys.size, dtype=bool)
    return wanted[np.minimum(np.searchsorted(wanted, keys), wanted.size - 1)] == keys


def _shared(columns: list[np.ndarray]) -> Iterator[np.ndarray]:
    count = sum(column.size for column in columns) // BUCKET_ROWS + 1
    inner = (np.arange(1, count, dtype=object) * 2**64 // count).astype(np.uint64)
    bounds = [[0, *np.searchsorted(column, inner).tolist(), column.size] for column in columns]
    for bucket in range(count):
        keys = np.sort(
            np.concatenate(
                [column[bound[bucket] : bound[bucket + 1]] for column, bound in zip(columns, bounds, strict=True)]
                or [np.empty(0, np.uint64)]
            )
        )
        yield np.unique(keys[1:][keys[1:] == keys[:-1]])
