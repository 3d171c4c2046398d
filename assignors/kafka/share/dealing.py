"""Assigning partitions to members of a share group that lack some."""

import numpy as np

from evenkeel.assignors.arrays import row_ranges, stable_order
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.kafka.share.passes import Passes

Given = tuple[np.ndarray, np.ndarray]
"""Members and the keys assigned to them, rows of Passes."""


def dealt(passes: Passes, unfilled: np.ndarray, lacking: np.ndarray, queue: np.ndarray, need: np.ndarray, holders: Given) -> Given:
    """Deal a queue of keys, pass by pass.

    Parameters
    ----------
    unfilled, lacking : int64
        Members that lack partitions, ascending, and how many they lack.
    queue, need : int64
        Keys that lack members, and how many they lack.
    holders : (member, key)
        Existing assignment.
    """
    single, single_key = (passes.sharing[of] == 1 for of in (passes.member_pass[unfilled], passes.key_pass[queue]))
    given = [_by_turns(passes, unfilled[single], lacking[single], queue[single_key])]
    members_of = _members_of(*holders, queue[~single_key])
    key_pass, member_pass = passes.key_pass[queue], passes.member_pass[unfilled]
    for each in np.unique(key_pass[~single_key]).tolist():
        keys, members = (slice(*np.searchsorted(of, (each, each + 1))) for of in (key_pass, member_pass))
        lists = (column.tolist() for column in (unfilled[members], lacking[members], queue[keys], need[keys]))
        given.append(_one_by_one(*lists, members_of))
    return tuple(np.concatenate(column) for column in zip(*given))


def _by_turns(passes: Passes, unfilled: np.ndarray, lacking: np.ndarray, queue: np.ndarray) -> Given:
    """Assign each key of a pass to the next member that lacks one, in rounds."""
    member_pass = passes.member_pass[unfilled]
    first_turn = member_pass * (lacking.max(initial=0) + 1)
    takers = np.repeat(unfilled, lacking)[stable_order(row_ranges(first_turn, first_turn + lacking))]
    taker_count = np.bincount(member_pass, weights=lacking, minlength=passes.sharing.size).astype(np.int64)
    key_count = np.bincount(passes.key_pass[queue], minlength=passes.sharing.size)
    dealt_count = np.minimum(taker_count, key_count)
    takers = takers[row_ranges(_first(taker_count), _first(taker_count) + dealt_count)]
    queue = queue[row_ranges(_first(key_count), _first(key_count) + dealt_count)]
    return takers, queue


def _first(count: np.ndarray) -> np.ndarray:
    return np.cumsum(count) - count


def _members_of(member: np.ndarray, key: np.ndarray, keys: np.ndarray) -> dict[int, set[int]]:
    members: dict[int, set[int]] = {each: set() for each in keys.tolist()}
    for one, held in zip(member.tolist(), key.tolist()) if members else ():
        if held in members:
            members[held].add(one)
    return members


def _one_by_one(line: list[int], lacking: list[int], queue: list[int], need: list[int], members_of: dict[int, set[int]]) -> Given:
    """Assign each key to as many members as it needs, in turn, among those that lack keys.

    As in Kafka, a member that gets a partition twice in one turn counts twice for the partition and once for itself.
    """
    left, given = dict(zip(line, lacking)), {}
    cursor, gave = 0, False
    for key, missing in zip(queue, need):
        while missing:
            if cursor == len(line):
                if not gave:
                    break
                if not line:
                    message = f"simple: no member is left for {missing} places of a partition, expected 0"
                    raise AssignorError("NoSuchElementException", message)
                cursor, gave = 0, False
            member = line[cursor]
            cursor += 1
            # assignRemainingPartitions does not add what it gives to the set that it asks here.
            if member in members_of[key]:
                continue
            missing, gave = missing - 1, True
            left[member] -= (member, key) not in given
            given[member, key] = True
            if left[member] <= 0:
                cursor -= 1
                line.pop(cursor)
        if not line:
            break
    columns = np.array(list(given), dtype=np.int64).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]
