"""Giving partitions to the members of a share group that lack some."""

import numpy as np

from assignors.consumer.row_ranges import row_ranges
from assignors.errors import AssignorError
from assignors.stable_order import stable_order


def by_turns(unfilled: np.ndarray, lacking: np.ndarray, queue: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give each partition to the next member that lacks one, in rounds."""
    member = np.repeat(np.arange(unfilled.size), lacking)
    turn = row_ranges(np.zeros_like(lacking), lacking)
    takers = unfilled[member[stable_order(turn * unfilled.size + member)]]
    return takers[: queue.size], queue[: takers.size]


def holders(number: np.ndarray, key: np.ndarray, queue: np.ndarray) -> dict[int, set[int]]:
    """Return the members that have each partition of the queue."""
    members: dict[int, set[int]] = {each: set() for each in queue.tolist()}
    for one, held in zip(number.tolist(), key.tolist()):
        if held in members:
            members[held].add(one)
    return members


def one_by_one(unfilled: np.ndarray, lacking: np.ndarray, queue: np.ndarray, need: np.ndarray, holders: dict[int, set[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Give each partition to as many members as it needs, going round those that lack some.

    As in Kafka, a member that is given a partition twice in one round trip counts twice for the partition and once for itself.
    """
    line, left, given = unfilled.tolist(), dict(zip(unfilled.tolist(), lacking.tolist())), {}
    cursor, gave = 0, False
    for key, missing in zip(queue.tolist(), need.tolist()):
        while missing:
            if cursor == len(line):
                if not gave:
                    break
                if not line:
                    raise AssignorError("NoSuchElementException", f"simple: no member is left for {missing} places of a partition, expected 0")
                cursor, gave = 0, False
            number = line[cursor]
            cursor += 1
            if number in holders[key]:
                continue
            missing, gave = missing - 1, True
            left[number] -= (number, key) not in given
            given[number, key] = True
            if left[number] <= 0:
                cursor -= 1
                line.pop(cursor)
        if not line:
            break
    columns = np.array(list(given), dtype=np.int64).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]
