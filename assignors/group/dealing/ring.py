"""Ring: partitions one by one to members in turn, past those that do not subscribe: what most clients' roundrobin assignors do."""

from collections.abc import Iterable

import numpy as np

from evenkeel.assignors.arrays import deal_in_turn
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.dealing.topic_runs import topic_runs
from evenkeel.assignors.group.snapshot import GroupSnapshot
from evenkeel.assignors.group.subscribers import Subscribers


def owners_in_ring(group: GroupSnapshot, subscribers: Subscribers, place: np.ndarray) -> np.ndarray:
    """Return the owners, int32 (P,), where topics are dealt by name; `place` as below, `subscribers` in that order."""
    runs = ((subscribers.of_topic(topics[0]), tps) for topics, tps in topic_runs(group, subscribers.set_of_topic))
    return dealt_in_ring(runs, place, group.tp_count)


def dealt_in_ring(runs: Iterable[tuple[np.ndarray, slice]], place: np.ndarray, number: int) -> np.ndarray:
    """Deal `number` partitions, and return their members, int32.

    The pointer stays where it is from one run to the next, as in Kafka's CircularIterator.

    Parameters
    ----------
    runs : iterable of (int32, slice)
        Adjacent partitions that the same members subscribe to, and those members in the order of the ring; the runs cover all partitions.
    place : int64 (M,)
        Each member's place in the ring.
    """
    owner = np.empty(number, dtype=np.int32)
    pointer = 0
    for members, partitions in runs:
        if members.size:
            last = _deal(owner[partitions], members, np.searchsorted(place[members], pointer) if pointer else 0)
            pointer = place[last] + 1
        else:
            owner[partitions] = UNASSIGNED
    return owner


def _deal(owner: np.ndarray, members: np.ndarray, start: int) -> int:
    """Write members in turn into `owner`, from the one at `start`; return the last one written."""
    turn = np.concatenate((members[start:], members[:start]))[: owner.size]
    deal_in_turn(owner, turn)
    return owner[-1]
