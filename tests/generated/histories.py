"""Random series of one group, with gaps, missing offsets, restarts and changes of owner."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot import UNKNOWN


def series_of(
    end,
    committed,
    owner=None,
    time=None,
    slot=None,
    begin=None,
    partitions_of=None,
    member_count=2,
    is_member=None,
    read=None,
) -> Series:
    """Return a series of literal columns (S, P); lag follows from the offsets, one topic unless
    `partitions_of` gives their sizes.
    """
    end, committed = np.array(end, dtype=np.int64), np.array(committed, dtype=np.int64)
    owner = (
        np.zeros(end.shape, dtype=np.int32) if owner is None else np.array(owner, dtype=np.int32)
    )
    begin = (
        np.zeros(end.shape, dtype=np.int64) if begin is None else np.array(begin, dtype=np.int64)
    )
    sizes = partitions_of or [end.shape[1]]
    is_known = (end != UNKNOWN) & (committed != UNKNOWN)
    slot = np.arange(end.shape[0]) if slot is None else np.array(slot)
    return Series(
        slot=slot,
        time=slot * 30.0 if time is None else np.array(time, dtype=np.float64),
        topic_name=tuple(f"t{number}" for number in range(len(sizes))),
        topic=np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
        partition=np.concatenate([np.arange(size, dtype=np.int32) for size in sizes]),
        begin_offset=begin,
        committed_offset=committed,
        end_offset=end,
        lag=np.where(is_known, np.maximum(end - np.maximum(committed, begin), 0), -1),
        member_id=tuple("ABCDEFGHIJ"[:member_count]),
        owner=owner,
        is_listed=np.ones(end.shape, dtype=bool),
        is_member=np.ones((end.shape[0], member_count), dtype=bool)
        if is_member is None
        else np.array(is_member),
        generation=np.ones(end.shape[0], dtype=np.int64),
        read_seconds=None if read is None else np.array(read, dtype=np.float64),
    )


def owned_by(*owners, **others):
    """A series in which each row names the owners of its partitions: A, B, or - for nobody."""
    rows = [[{"A": 0, "B": 1, "-": -1}[one] for one in row] for row in owners]
    return series_of(np.full(np.shape(rows), 9), np.full(np.shape(rows), 5), rows, **others)


def random_series(chance: np.random.Generator, partitions: int, slots: int) -> Series:
    """Return partitions of every kind: slow and fast, stuck, rewound, with gaps of all lengths,
    uneven times.
    """
    shape = slots, partitions
    arrived = chance.integers(0, 4, shape) * (chance.random(shape) < chance.random(partitions))
    end = 20 + np.cumsum(arrived, axis=0)
    read = chance.integers(-1, 5, shape) * (chance.random(shape) < chance.random(partitions) ** 2)
    # Rewinds are rare where a partition has none at all, so that stuck ones are seen too.
    read = np.where((read < 0) & (chance.random(partitions) < 0.7), 0, read)
    committed = np.minimum(chance.integers(0, 20, partitions) + np.cumsum(read, axis=0), end)
    is_missing = chance.random(shape) < chance.random(partitions) ** 3
    owner = np.where(
        chance.random(shape) < chance.random(partitions) ** 3,
        UNASSIGNED,
        chance.integers(0, 2, partitions),
    )
    slot = np.cumsum(chance.integers(1, 4, slots))
    return series_of(
        np.where(chance.random(shape) < 0.02, UNKNOWN, end),
        np.where(is_missing, UNKNOWN, np.maximum(committed, 0)),
        owner,
        time=slot * 30 + chance.random(slots),
        slot=slot,
    )
