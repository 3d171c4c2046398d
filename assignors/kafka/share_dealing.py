"""Sharing of partitions among the members of a share group: how many members each partition gets,
and how many partitions each member gets.

`share(passes, member, key, lambda: key_order(key, targets, passes.key_hash))` revokes surplus
partitions and assigns missing partitions. Partitions are called keys here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.arrays import row_ranges, stable_order
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError
from evenkeel.assignors.java.collections import IterationOrder, compute_order, put_orders
from evenkeel.assignors.java.hashing import FIRST_CAPACITY, presized_capacity
from evenkeel.assignors.trace import KeepStep, Lacking, Reason, ReleaseStep, asked, pairs

Given = tuple[np.ndarray, np.ndarray]
"""Pairs of member and assigned key, as numbers in Passes."""


@dataclass(frozen=True, eq=False)
class Passes:
    """Independent calculations. Each pass shares its partitions, here called keys, among its
    members.

    S passes have N members and Q keys in total.

    Parameters
    ----------
    sharing : int64 (S,)
        Number of members that each key of the pass should have.
    member_pass, key_pass : int (N,) and (Q,)
        Pass of each member, ascending, and pass of each key.
    number : int64 (N,)
        Each member's place in Kafka's map, ascending in each pass.
    want : int64 (N,)
        Number of keys that each member should have.
    key_hash : uint32 (Q,)
        Java's hash code of each key.
    """

    sharing: np.ndarray
    member_pass: np.ndarray
    key_pass: np.ndarray
    number: np.ndarray
    want: np.ndarray
    key_hash: np.ndarray


def shares(member_count: int, target_count: int) -> tuple[int, np.ndarray]:
    """Return how many members each partition should have, and how many partitions each member,
    int64.
    """
    sharing = -(-member_count // target_count) if target_count else 0
    # In doubles, like Kafka. 7 members and 29 targets result in ceil(29.000000000000004), one more
    # than the exact result.
    each = sharing * target_count / member_count
    return sharing, np.diff(np.ceil(each * np.arange(member_count + 1))).astype(np.int64)


class KeyShares(NamedTuple):
    """Keys that members keep, and keys that members get.

    `retained`: whether each existing pair of member and key is kept, bool (pairs,). `member`,
    `key`: the added pairs, int64. `tree_bin`: whether Java's real order may differ. `by_hash`:
    whether the result depends on the hash codes of the keys.
    """

    retained: np.ndarray
    member: np.ndarray
    key: np.ndarray
    tree_bin: bool
    by_hash: bool


def share(
    passes: Passes, member: np.ndarray, key: np.ndarray, key_order: Callable[[], IterationOrder]
) -> KeyShares:
    """Revoke surplus keys, then assign keys to members that have too few keys.

    Parameters
    ----------
    member, key : int64 (pairs,)
        The existing pairs, as numbers in `passes`. The pairs of a member with too many keys are
        adjacent, in the order in which the member got the keys.
    key_order : function
        Returns the existing keys and all other keys, pass by pass, in the order of Kafka's map.
        Called only if a key is assigned.
    """
    is_retained = np.ones(member.size, dtype=bool)
    over = np.bincount(member, minlength=passes.want.size) - passes.want
    tree_bin = _take_surplus(member, passes.key_hash[key], np.maximum(over, 0), is_retained)
    # For a member that should have no keys, the order does not matter.
    by_hash = bool((passes.want[over > 0] > 0).any())
    tree_bin |= _take_crowd(passes, member, key, is_retained)
    lacking = passes.want - np.bincount(member[is_retained], minlength=passes.want.size)
    unfilled = np.flatnonzero(lacking > 0)
    if not unfilled.size:
        return KeyShares(is_retained, unfilled, unfilled, tree_bin, by_hash)
    queue, is_crowded = key_order()
    need = (
        passes.sharing[passes.key_pass[queue]]
        - np.bincount(key[is_retained], minlength=passes.key_hash.size)[queue]
    )
    lacks = need > 0
    queue, need = queue[lacks], need[lacks]
    given = dealt(
        passes, unfilled, lacking[unfilled], queue, need, (member[is_retained], key[is_retained])
    )
    # A single member gets all remaining keys, in any order, unless partitions that do not exist
    # take its places.
    is_choice = unfilled.size > 1 or lacking[unfilled].sum() < queue.size
    return KeyShares(
        is_retained, *given, tree_bin or is_crowded, by_hash or (queue.size > 1 and bool(is_choice))
    )


def tell(
    passes: Passes, member: np.ndarray, key: np.ndarray, shared: KeyShares, row: np.ndarray
) -> None:
    """Trace which keys members keep, lose and get.

    `member`, `key`: as in `share`. `row`: number in the group of each member of `passes`, int32
    (N,).
    """
    trace = asked()
    if trace is None:
        return
    had, retained = (
        np.bincount(each, minlength=passes.want.size) for each in (member, member[shared.retained])
    )
    for at in trace.places(key):
        who, count, limit = int(row[member[at]]), int(had[member[at]]), int(passes.want[member[at]])
        reason = Reason.SURPLUS if count > limit else Reason.CROWDED
        is_kept = bool(shared.retained[at])
        trace.add(
            key[at],
            KeepStep(who, count, limit)
            if is_kept
            else ReleaseStep(UNASSIGNED, who, reason, count, limit),
        )
    lacking = passes.want - retained
    number_of_pass = passes.member_pass[shared.member]
    for at in trace.places(shared.key):
        (line,) = ((lacking > 0) & (passes.member_pass == number_of_pass[at])).nonzero()
        number = int(np.count_nonzero(number_of_pass[:at] == number_of_pass[at]))
        trace.add(
            shared.key[at],
            Lacking(
                int(row[shared.member[at]]), number, pairs(row[line], lacking[line]), in_rounds=True
            ),
        )


def _take_surplus(
    member: np.ndarray, hash_code: np.ndarray, surplus: np.ndarray, is_retained: np.ndarray
) -> bool:
    """Revoke the surplus keys of each member: the first keys in the iteration order of its set.

    Return whether Java's real order of a set may differ.
    """
    rows = np.flatnonzero(surplus[member] > 0)
    start = np.flatnonzero(np.diff(member[rows], prepend=-1))
    size = np.diff(start, append=rows.size)
    order = put_orders(
        hash_code[rows], np.append(start, rows.size), np.full(start.size, FIRST_CAPACITY)
    )
    place = row_ranges(np.zeros_like(size), size)
    is_retained[rows[order.rows[place < surplus[member[rows]]]]] = False
    return order.tree_bin


def _take_crowd(
    passes: Passes, member: np.ndarray, key: np.ndarray, is_retained: np.ndarray
) -> bool:
    """Revoke keys that have too many members: the first members in the key's set lose the key.

    Return whether Java's real order of a set may differ.
    """
    crowd = (
        np.bincount(key[is_retained], minlength=passes.key_hash.size)
        - passes.sharing[passes.key_pass]
    )
    if crowd.max(initial=0) <= 0:
        return False
    rows = np.flatnonzero(crowd[key] > 0)
    rows = rows[np.lexsort((member[rows], key[rows]))]
    start = np.flatnonzero(np.diff(key[rows], prepend=-1))
    start_capacity = np.full(start.size, FIRST_CAPACITY)
    order = put_orders(
        passes.number[member[rows]].astype(np.uint32), np.append(start, rows.size), start_capacity
    )
    rows = rows[order.rows]
    # Removed only after the order is computed: members that lost the partition were in its set
    # before, and the bucket count of a HashSet never decreases.
    rows = rows[is_retained[rows]]
    place = np.arange(rows.size) - np.searchsorted(key[rows], key[rows])
    is_retained[rows[place < crowd[key[rows]]]] = False
    return order.tree_bin


def key_order(held: np.ndarray, targets: np.ndarray, key_hash: np.ndarray) -> IterationOrder:
    """Return keys in the iteration order of the map in which Kafka collects them.

    Kafka adds the held keys, then all targets.

    Parameters
    ----------
    held, targets : int64
        Key numbers. Held keys are in iteration order. A key with several members is in `held`
        several times.
    key_hash : uint32 (keys,)
        Java's hash code of each key.
    """
    distinct = held[np.sort(np.unique(held, return_index=True)[1])]
    there = np.zeros(key_hash.size, dtype=bool)
    there[distinct] = True
    keys = np.append(distinct, targets[~there[targets]])
    last_is_there = bool(targets.size) and bool(there[targets[-1]])
    # AssignorHelpers.newHashMap adds 1 to the expected size.
    order = compute_order(
        key_hash[keys], presized_capacity(targets.size + 1), called_again=last_is_there
    )
    return IterationOrder(keys[order.rows], order.tree_bin)


def dealt(
    passes: Passes,
    unfilled: np.ndarray,
    lacking: np.ndarray,
    queue: np.ndarray,
    need: np.ndarray,
    holders: Given,
) -> Given:
    """Deal the keys in `queue`, pass by pass. Return the added pairs of member and key.

    Parameters
    ----------
    unfilled, lacking : int64
        Members with too few keys, ascending, and how many keys each of them lacks.
    queue, need : int64
        Keys with too few members, and how many members each of them lacks.
    holders : (member, key)
        Existing pairs.
    """
    single, single_key = (
        passes.sharing[of] == 1 for of in (passes.member_pass[unfilled], passes.key_pass[queue])
    )
    given = [_by_turns(passes, unfilled[single], lacking[single], queue[single_key])]
    members_of = _members_of(*holders, queue[~single_key])
    key_pass, member_pass = passes.key_pass[queue], passes.member_pass[unfilled]
    for each in np.unique(key_pass[~single_key]).tolist():
        keys, members = (
            slice(*np.searchsorted(of, (each, each + 1))) for of in (key_pass, member_pass)
        )
        lists = (
            column.tolist()
            for column in (unfilled[members], lacking[members], queue[keys], need[keys])
        )
        given.append(_one_by_one(*lists, members_of))
    return tuple(np.concatenate(column) for column in zip(*given, strict=False))


def _by_turns(
    passes: Passes, unfilled: np.ndarray, lacking: np.ndarray, queue: np.ndarray
) -> Given:
    """Give the keys of each pass, in turn, to the members that lack keys."""
    member_pass = passes.member_pass[unfilled]
    first_turn = member_pass * (lacking.max(initial=0) + 1)
    takers = np.repeat(unfilled, lacking)[
        stable_order(row_ranges(first_turn, first_turn + lacking))
    ]
    taker_count = np.bincount(member_pass, weights=lacking, minlength=passes.sharing.size).astype(
        np.int64
    )
    key_count = np.bincount(passes.key_pass[queue], minlength=passes.sharing.size)
    dealt_count = np.minimum(taker_count, key_count)
    takers = takers[row_ranges(_first(taker_count), _first(taker_count) + dealt_count)]
    queue = queue[row_ranges(_first(key_count), _first(key_count) + dealt_count)]
    return takers, queue


def _first(count: np.ndarray) -> np.ndarray:
    return np.cumsum(count) - count


def _members_of(member: np.ndarray, key: np.ndarray, keys: np.ndarray) -> dict[int, set[int]]:
    members: dict[int, set[int]] = {each: set() for each in keys.tolist()}
    for row, held in zip(member.tolist(), key.tolist(), strict=False) if members else ():
        if held in members:
            members[held].add(row)
    return members


def _one_by_one(
    line: list[int],
    lacking: list[int],
    queue: list[int],
    need: list[int],
    members_of: dict[int, set[int]],
) -> Given:
    """Give keys in turn to members that lack keys, until every key has enough members.

    A member may get the same key twice. As in Kafka, the key then counts two members, but the
    member counts only one key.
    """
    left, given = dict(zip(line, lacking, strict=False)), {}
    cursor, gave = 0, False
    for key, missing in zip(queue, need, strict=False):
        while missing:
            if cursor == len(line):
                if not gave:
                    break
                if not line:
                    message = (
                        f"simple: no member is left for {missing} places of a partition, expected 0"
                    )
                    raise AssignorError("NoSuchElementException", message)
                cursor, gave = 0, False
            member = line[cursor]
            cursor += 1
            # assignRemainingPartitions does not add new members to the set that it reads here.
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
