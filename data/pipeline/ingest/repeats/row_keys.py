"""Row keys of an ingest: each task hands out its own, and learns which of them other tasks have too."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from data.pipeline.ingest.repeats.cells import Cell


def key_cells(keys: Mapping[str, np.ndarray], place: int, bucket_count: int) -> Iterator[Cell]:
    """Yield the `row_keys` of all tables, each once; a bucket is a range of keys.

    Equal keys of different tables are as rare as equal hashes: settlement compares the rows themselves.
    """
    # Not np.unique: its hash table takes 20 times as long on such keys.
    in_order = np.sort(np.concatenate([*keys.values()]))
    distinct = in_order[np.diff(in_order, prepend=~in_order[:1]) != 0]
    inner = (np.arange(1, bucket_count, dtype=object) * 2**64 // bucket_count).astype(np.uint64)
    for bucket, some in enumerate(np.split(distinct, np.searchsorted(distinct, inner))):
        if some.size:
            yield Cell(place, bucket, some.tobytes())


def shared_keys(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield for each task the keys of a bucket that another task has too."""
    in_order = np.sort(keys_of(cells))
    shared = np.unique(in_order[1:][in_order[1:] == in_order[:-1]])
    for cell in cells if shared.size else ():
        keys = keys_of([cell])
        if (found := keys[are_in(keys, shared)]).size:
            yield Cell(cell.place, data=found.tobytes())


def keys_of(cells: Iterable[Cell]) -> np.ndarray:
    """Return the keys in cells, uint64."""
    return np.frombuffer(b"".join(cell.data for cell in cells), np.uint64)


def are_in(keys: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Tell which keys are in `wanted`, which ascends."""
    if not wanted.size:
        return np.zeros(keys.size, dtype=bool)
    return wanted[np.minimum(np.searchsorted(wanted, keys), wanted.size - 1)] == keys
