"""Dealing to members in turn."""

from collections.abc import Iterable

import numpy as np

from evenkeel.assignors.arrays import deal_in_turn
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.dealing.ranges import topic_runs
from evenkeel.assignors.group.snapshot import GroupSnapshot
from evenkeel.assignors.group.subscriptions import Subscribers
from evenkeel.assignors.trace import Trace, Turn, asked

# Ring: partitions go one by one to members in turn; members that do not subscribe are skipped


def owners_in_ring(group: GroupSnapshot, subscribers: Subscribers, place: np.ndarray) -> np.ndarray:
    """Deal the topics in their order, each to its subscribers in turn. Return the owners, int32
    (P,).

    `place`: as in `dealt_in_ring`. The members in `subscribers` are in the order of the ring.
    """
    runs = (
        (subscribers.of_topic(topics[0]), tps)
        for topics, tps in topic_runs(group, subscribers.set_of_topic)
    )
    return dealt_in_ring(runs, place, group.tp_count)


def dealt_in_ring(
    runs: Iterable[tuple[np.ndarray, slice]],
    place: np.ndarray,
    number: int,
    tps: np.ndarray | None = None,
) -> np.ndarray:
    """Deal `number` partitions, and return the member of each partition, int32.

    A run continues after the last member of the previous run, as in Kafka's CircularIterator.

    Parameters
    ----------
    runs : iterable of (int32, slice)
        For each run: its subscribers, in the order of the ring, and the slice of its partitions.
        The runs cover all partitions.
    place : int64 (M,)
        Each member's place in the ring, or -1 if the member is not in the ring.
    tps : int64 (number,)
        Topic-partitions in the order in which they are dealt. By default in ascending order.
    """
    owner, trace = np.empty(number, dtype=np.int32), asked()
    pointer, before = 0, UNASSIGNED
    for members, partitions in runs:
        if members.size:
            last = _deal(
                owner[partitions],
                members,
                int(np.searchsorted(place[members], pointer)) if pointer else 0,
            )
            if trace is not None:
                _tell_turns(trace, owner, partitions, members, before, place, tps)
            pointer, before = place[last] + 1, int(last)
        else:
            owner[partitions] = UNASSIGNED
    return owner


def _tell_turns(
    trace: Trace,
    owner: np.ndarray,
    run: slice,
    members: np.ndarray,
    before: int,
    place: np.ndarray,
    tps: np.ndarray | None,
) -> None:
    """Trace how a run was dealt. `before`: the member that got the last partition of the previous
    run.
    """
    rows = np.arange(run.start, run.stop) if tps is None else tps[run]
    for at in trace.places(rows):
        number = run.start + at
        last = int(owner[number - 1]) if at else before
        trace.add(
            rows[at],
            Turn(
                int(owner[number]),
                tuple(members.tolist()),
                number,
                last,
                _between(place, last, int(owner[number])),
            ),
        )


def _between(place: np.ndarray, before: int, member: int) -> tuple[int, ...]:
    """Return the members of the ring that were skipped between `before` and `member`, in order.

    If `before` is `UNASSIGNED`, the result starts at the first member of the ring.
    """
    ring = np.flatnonzero(place >= 0)
    ring = ring[np.argsort(place[ring], kind="stable")].tolist()
    start, stop = ring.index(before) + 1 if before != UNASSIGNED else 0, ring.index(member)
    return tuple(ring[start:stop] if start <= stop else ring[start:] + ring[:stop])


def deal_and_tell(owner: np.ndarray, members: np.ndarray, tps: np.ndarray | slice) -> None:
    """Give the partitions to `members` in turn, as `deal_in_turn` does, and trace each turn.

    `owner` is written in place. `tps`: the topic-partitions that are dealt.
    """
    deal_in_turn(owner, members)
    if (trace := asked()) is not None:
        for at in trace.places(tps):
            tp = tps.start + at if isinstance(tps, slice) else tps[at]
            trace.add(
                tp,
                Turn(
                    int(owner[at]),
                    tuple(members.tolist()),
                    at,
                    int(owner[at - 1]) if at else UNASSIGNED,
                ),
            )


def _deal(owner: np.ndarray, members: np.ndarray, start: int) -> int:
    """Write `members` in turn into `owner`, the member at `start` first. Return the last member."""
    turn = np.concatenate((members[start:], members[:start]))[: owner.size]
    deal_in_turn(owner, turn)
    return owner[-1]
