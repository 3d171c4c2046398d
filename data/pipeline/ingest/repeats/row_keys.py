"""Row keys of an ingest: each task hands out its own, and learns which of them other tasks have too."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from evenkeel.data.pipeline.ingest.repeats.cells import Cell

BUCKET_BITS = 2**22
"""Shared keys are told by one bit for so many ranges of keys in a bucket: the driver holds 0.5 MB a bucket, however many there are."""


class _Found(msgspec.Struct):
    """What is shared in a bucket: `places` of the tasks that have a shared key, `bits` of the ranges with one."""

    places: list[int]
    bits: bytes


@dataclass(frozen=True)
class SharedKeys:
    """The keys that several tasks have, and a few that lie next to them. `places`: of these tasks. `bits`: of all buckets."""

    places: list[int]
    bits: bytes
    bucket_count: int

    def has(self, keys: np.ndarray) -> np.ndarray:
        """Tell which keys are shared."""
        ranges = _ranges(keys, self.bucket_count)
        return (np.frombuffer(self.bits, np.uint8)[ranges >> 3] >> (ranges & 7) & 1).astype(bool)


def key_cells(keys: Mapping[str, np.ndarray], place: int, bucket_count: int) -> Iterator[Cell]:
    """Yield the `row_keys` of all tables, each once; a bucket is a range of keys.

    Equal keys of different tables are as rare as equal hashes: settlement compares the rows themselves.
    """
    # Not np.unique: its hash table takes 20 times as long on such keys.
    in_order = np.sort(np.concatenate([*keys.values()]))
    distinct = in_order[np.diff(in_order, prepend=~in_order[:1]) != 0]
    begins = np.searchsorted(_ranges(distinct, bucket_count), np.arange(1, bucket_count) * BUCKET_BITS)
    yield from (Cell(place, bucket, some.tobytes()) for bucket, some in enumerate(np.split(distinct, begins)) if some.size)


def found_shared(bucket_count: int, cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield what is shared among the keys of a bucket."""
    keys = [np.frombuffer(cell.data, np.uint64) for cell in cells]
    in_order = np.sort(np.concatenate(keys))
    shared = in_order[1:][in_order[1:] == in_order[:-1]]
    if shared.size:
        bits = np.zeros(BUCKET_BITS, bool)
        bits[_ranges(shared, bucket_count) % BUCKET_BITS] = True
        places = [cell.place for cell, some in zip(cells, keys, strict=True) if are_in(shared, some).any()]
        yield Cell(places[0], cells[0].bucket, msgspec.msgpack.encode(_Found(places, np.packbits(bits, bitorder="little").tobytes())))


def all_shared(cells: Iterable[Cell], bucket_count: int) -> SharedKeys:
    """Return what is shared in all buckets."""
    found = {cell.bucket: msgspec.msgpack.decode(cell.data, type=_Found) for cell in cells}
    none = _Found([], bytes(BUCKET_BITS // 8))
    bits = b"".join(found.get(bucket, none).bits for bucket in range(bucket_count))
    return SharedKeys(sorted({place for one in found.values() for place in one.places}), bits, bucket_count)


def are_in(keys: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Tell which keys are in `wanted`, which ascends."""
    if not wanted.size:
        return np.zeros(keys.size, dtype=bool)
    return wanted[np.minimum(np.searchsorted(wanted, keys), wanted.size - 1)] == keys


def _ranges(keys: np.ndarray, bucket_count: int) -> np.ndarray:
    """Return the range of each key, `BUCKET_BITS` in a bucket."""
    return (keys // np.uint64(2**64 // (bucket_count * BUCKET_BITS) + 1)).astype(np.int64)
