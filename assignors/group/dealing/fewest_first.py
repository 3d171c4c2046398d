"""Fewest first: each free partition to its subscriber with the fewest, as the sticky assignors do."""

from collections.abc import Iterator

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.group.snapshot import GroupSnapshot
from evenkeel.assignors.group.subscribers import Subscribers


def fill(group: GroupSnapshot, rows: np.ndarray, owner: np.ndarray, count: np.ndarray, sets: Subscribers) -> None:
    """Assign `rows` in turn: update `owner` int32 (P,) and the counts `count` int64 (M,); ties go to the first member of a set."""
    for run, subscribers in _runs(rows, sets.set_of_topic[group.tp_topic[rows]]):
        members = sets.members[subscribers]
        takers = members[slots(count[members], run.size)]
        owner[run] = takers
        count += np.bincount(takers, minlength=count.size)


def _runs(rows: np.ndarray, key: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """Yield the rows and the key of each run of equal keys."""
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    return zip(np.split(rows, starts[1:]), key[starts].tolist(), strict=True) if rows.size else iter(())


def slots(count: np.ndarray, number: int) -> np.ndarray:
    """Hand out `number` partitions, one at a time, to the first place with the fewest; return the places, int64.

    These are the first `number` pairs of (partitions so far, place) in order.
    """
    (lowest,) = (count == count.min()).nonzero()
    if number <= lowest.size:
        return lowest[:number]
    level = _level(count, number)
    ragged = _up_to(count, min(level, int(count.max())))
    rounds = max(level - int(count.max()), 0)
    result = np.empty(number, dtype=np.int64)
    result[: ragged.size] = ragged
    rest = ragged.size + rounds * count.size
    result[ragged.size : rest].reshape(rounds, count.size)[:] = np.arange(count.size)
    result[rest:] = np.flatnonzero(count <= level)[: number - rest]
    return result


def _level(count: np.ndarray, number: int) -> int:
    """Return the least count of the places that get something when `number` partitions are handed out."""
    ordered = np.sort(count)
    total = ordered.cumsum()
    needed = ordered * np.arange(1, ordered.size + 1) - total
    taking_part = int(np.searchsorted(needed, number, side="right"))
    return (number + int(total[taking_part - 1])) // taking_part


def _up_to(count: np.ndarray, level: int) -> np.ndarray:
    """Return each place as often as it lacks a partition to `level`, in the order of (partitions so far, place)."""
    missing = np.maximum(level - count, 0)
    place = np.arange(count.size).repeat(missing)
    so_far = np.arange(place.size) + (count - missing.cumsum() + missing).repeat(missing)
    return place[stable_order(so_far)]
