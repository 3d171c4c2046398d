"""The most and the least loaded subscribers of a topic, in the order in which the heterogeneous builder asks for them."""

import numpy as np

from evenkeel.assignors.arrays import row_ranges, stable_order


def places_with_fewest(size: np.ndarray, count: int) -> np.ndarray:
    """Return the member for each of `count` partitions, int64: one with the fewest each time, in rounds.

    Parameters
    ----------
    size : int64 (members,)
        Partitions of each member, in member order.
    """
    lowest = size.min()
    at_lowest = np.flatnonzero(size == lowest)
    if at_lowest.size >= count:
        return at_lowest[:count]
    if size.max() - lowest <= 1:
        line = np.append(at_lowest, np.flatnonzero(size != lowest))
        return np.append(at_lowest, line[np.arange(count - at_lowest.size) % line.size])
    order = stable_order(size)
    level = size[order]
    dealt_before = np.arange(level.size) * level - (np.cumsum(level) - level)
    taking = int(np.searchsorted(dealt_before, count))
    last_level = level[taking - 1] - (dealt_before[taking - 1] - count) // taking
    in_round = np.searchsorted(level[:taking], np.arange(lowest, last_level), side="right")
    return order[row_ranges(np.zeros_like(in_round), in_round)[:count]]


def evening_moves(size: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the moves that even out a topic's subscribers: partitions, the places they go to, and each member's size afterwards.

    Partitions go from the members with the most to those with the fewest, both in rounds: `MemberAssignmentBalancer`. Sequential, because a
    member without partitions of the topic is replaced by the last one of its round.

    Parameters
    ----------
    size : int64 (members,)
        Partitions of each member, ascending; a member's place is its number here.
    place : int64 (partitions,)
        Place of each partition's owner.
    """
    holding = np.bincount(place, minlength=size.size)
    # Members below `high_start` are untouched: one that holds nothing of the topic would be taken and left out, one by one.
    next_holding = np.maximum.accumulate(np.where(holding > 0, np.arange(size.size), -1)).tolist()
    by_owner, stop = stable_order(place), np.cumsum(holding).tolist()
    first, size, line = [0, *stop], size.tolist(), list(range(size.size))
    # Both ranges begin empty, outside the sizes, as in MemberAssignmentBalancer.initialize; the first use extends them.
    low_end, low_size, low_next = 0, size[0] - 1, 0
    count = high_start = high_end = len(line)
    high_size, high_next = size[-1] + 1, count - 1
    taken_rows, given_places = [], []
    while high_size - low_size > 1:
        while True:
            if high_next < high_start:
                if high_end > high_start:
                    high_size, high_next = high_size - 1, high_end - 1
                elif high_start == 0 or next_holding[high_start - 1] < 0:
                    return by_owner[taken_rows], np.array(given_places, dtype=np.int64), np.array(size)
                else:
                    high_start = high_next = next_holding[high_start - 1]
                    high_end, high_size = high_next + 1, size[high_next]
                while high_start > 0 and size[high_start - 1] == high_size:
                    high_start -= 1
            taken = line[high_next]
            high_next -= 1
            if stop[taken] > first[taken]:
                break
            high_end -= 1
            line[high_next + 1], line[high_end] = line[high_end], taken
        if low_next >= low_end:
            low_size, low_next = low_size + 1, 0
            while low_end < count and size[line[low_end]] == low_size:
                low_end += 1
        given = line[low_next]
        low_next += 1
        # Kafka's balanceTopic asks isBalanced again after it has chosen both members, and then leaves the partition where it is.
        if high_size - low_size <= 1:
            break
        stop[taken] -= 1
        size[taken] -= 1
        size[given] += 1
        taken_rows.append(stop[taken])
        given_places.append(given)
    return by_owner[taken_rows], np.array(given_places, dtype=np.int64), np.array(size)
