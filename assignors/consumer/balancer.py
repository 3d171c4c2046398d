"""The most and the least loaded of a topic's subscribers, in the order in which the heterogeneous builder asks for them."""

import numpy as np

from assignors.consumer.row_ranges import row_ranges


def places_with_fewest(size: np.ndarray, count: int) -> np.ndarray:
    """Return which member gets each of `count` partitions, int64: one of those with the fewest, in rounds.

    Parameters
    ----------
    size : int64 (members,)
        Partitions that they have, in member order.
    """
    lowest = size.min()
    at_lowest = np.flatnonzero(size == lowest)
    if at_lowest.size >= count:
        return at_lowest[:count]
    order = np.argsort(size, kind="stable")
    level = size[order]
    dealt_before = np.arange(level.size) * level - (np.cumsum(level) - level)
    taking = int(np.searchsorted(dealt_before, count))
    last_level = level[taking - 1] - (dealt_before[taking - 1] - count) // taking
    in_round = np.searchsorted(level[:taking], np.arange(lowest, last_level), side="right")
    return order[row_ranges(np.zeros_like(in_round), in_round)[:count]]


def evening_moves(size: np.ndarray, place: np.ndarray) -> list[tuple[int, int, int]]:
    """Return the moves (partition, from, to) that even out a topic's subscribers.

    Parameters
    ----------
    size : int64 (members,)
        Partitions that they have, ascending; a member's place is its number here.
    place : int64 (partitions,)
        Place of each partition's owner.
    """
    by_owner = np.argsort(place, kind="stable").tolist()
    stop = np.cumsum(np.bincount(place, minlength=size.size)).tolist()
    first = [0, *stop]
    size = size.tolist()
    balancer, moves = _Balancer(size), []
    while not balancer.balanced:
        taken = balancer.most()
        while taken is not None and stop[taken] == first[taken]:
            balancer.exclude()
            taken = balancer.most()
        if taken is None:
            break
        given = balancer.least()
        if balancer.balanced:
            break
        stop[taken] -= 1
        size[taken] -= 1
        size[given] += 1
        moves.append((by_owner[stop[taken]], taken, given))
    return moves


class _Balancer:
    """Reproduces `MemberAssignmentBalancer`; `size` is the caller's list, which the caller changes as it moves partitions."""

    def __init__(self, size: list[int]):
        self._size = size
        self._line = list(range(len(size)))
        self._low_end, self._low_size, self._low_next = 0, size[0] - 1, 0
        self._high_start, self._high_end, self._high_size, self._high_next = len(size), len(size), size[-1] + 1, len(size) - 1

    @property
    def balanced(self) -> bool:
        return self._high_size - self._low_size <= 1

    def least(self) -> int:
        """Return the next of the members with the fewest partitions, in rounds."""
        if self._low_next >= self._low_end:
            self._low_size += 1
            while self._low_end < len(self._line) and self._size[self._line[self._low_end]] == self._low_size:
                self._low_end += 1
            self._low_next = 0
        self._low_next += 1
        return self._line[self._low_next - 1]

    def most(self) -> int | None:
        """Return the next of the members with the most partitions, in rounds; None when all were excluded."""
        if self._high_next < self._high_start:
            if self._high_end <= self._high_start and self._high_start > 0:
                self._high_size = self._size[self._line[self._high_start - 1]]
            else:
                self._high_size -= 1
            while self._high_start > 0 and self._size[self._line[self._high_start - 1]] == self._high_size:
                self._high_start -= 1
            self._high_next = self._high_end - 1
        if self._high_next < 0:
            return None
        self._high_next -= 1
        return self._line[self._high_next + 1]

    def exclude(self):
        """Leave out the member that `most` returned last; another of its round takes its place."""
        place, last = self._high_next + 1, self._high_end - 1
        self._line[place], self._line[last] = self._line[last], self._line[place]
        self._high_end = last
