"""Trace: the steps by which an assignor chose each owner, recorded while the assignor runs.

    steps = explain(RangeAssignor(), group, topic, partition)

A caller starts a trace with `recording`. The code of an assignor calls `asked()` once, and adds a
step for each watched partition. `asked()` returns None if there is no trace. The last step of a
partition has its owner.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

import numpy as np

_NOBODY = -1
"""The same as `assignment.UNASSIGNED`. This module imports no other module of `assignors`, so that
all modules can import it.
"""

Pairs = tuple[tuple[int, int], ...]
"""Pairs of member and number. If numbers are equal, the first of these members is chosen."""


@dataclass(frozen=True)
class Step:
    """A decision about a partition. Members are member numbers of the group.

    `member`: owner of the partition after the decision, -1 if none.
    """

    member: int


@dataclass(frozen=True)
class Slice(Step):
    """The partitions of a topic were divided into ranges.

    `members`, `sizes`: subscribers in order, and their range sizes. `place`: this member's place in
    `members`. `first`: first partition of its range.
    """

    members: tuple[int, ...]
    sizes: tuple[int, ...]
    place: int
    first: int


@dataclass(frozen=True)
class FirstWithRoom(Step):
    """The first candidate with room gets the partition.

    `room`: how many partitions each candidate may still get. `is_near`: whether only members near a
    replica are candidates.
    """

    room: Pairs
    is_near: bool


@dataclass(frozen=True)
class Turn(Step):
    """Partitions are dealt in turn, and it was this member's turn.

    `ring`: the members that take turns. `number`: place of the partition in dealing order, from 0.
    `before`: member that got the previous partition, -1 for the first partition. `skipped`: members
    after `before` that could not get the partition. `is_near`: whether the ring has only members
    near a replica.
    """

    ring: tuple[int, ...]
    number: int
    before: int
    skipped: tuple[int, ...] = ()
    is_near: bool = False


@dataclass(frozen=True)
class ByLag(Step):
    """The partitions of a topic were dealt in descending order of lag.

    `rank`: place of this partition in this order, from 0. `partitions`: number of partitions of the
    topic. `count`, `total`: how many partitions and how much lag of the topic each subscriber
    already had, by member id. The subscriber with the fewest partitions gets the partition. If
    counts are equal, the least lag decides, then the smallest member id.
    """

    rank: int
    partitions: int
    lag: int
    count: Pairs
    total: Pairs


@dataclass(frozen=True)
class KeepStep(Step):
    """The owner keeps the partition.

    `count`: number of partitions that the owner had. `limit`: number that it may keep, None if it
    keeps all. `least`: number that every member gets at least, None if the assignor has no such
    number.
    """

    count: int
    limit: int | None = None
    least: int | None = None


class Reason(Enum):
    """Why an owner does not keep a partition."""

    SURPLUS = "surplus"
    CLAIMED_TWICE = "claimed twice"
    RACK = "rack"
    LEFT_TOPIC = "left topic"
    CROWDED = "crowded"


@dataclass(frozen=True)
class ReleaseStep(Step):
    """`owner` does not keep the partition. `owner` is -1 if several members claim the partition.

    `count`, `limit`: as in KeepStep, if the reason is a surplus.
    """

    owner: int
    reason: Reason
    count: int | None = None
    limit: int | None = None


@dataclass(frozen=True)
class Lacking(Step):
    """The member lacked partitions, and got a free partition.

    `number`: place of the partition in dealing order, from 0. `places`: how many partitions each
    member lacked at the start. `in_rounds`: whether members get one partition each in turn. If not,
    one member gets all its partitions before the next member.
    """

    number: int
    places: Pairs
    in_rounds: bool
    is_above_least: bool = False


@dataclass(frozen=True)
class Fewest(Step):
    """The first of the candidates with the fewest partitions got the partition.

    `count`: number of partitions of each candidate. `is_near`: whether only members near a replica
    are candidates.
    """

    count: Pairs
    is_near: bool = False


@dataclass(frozen=True)
class MoveStep(Step):
    """The partition moved from `giver` to the member.

    `had`, `has`: partition counts of `giver` and of the member before the move. `in_place_of`:
    topic-partition that should have moved. If it is not None, the partition of this step, which had
    moved in the opposite direction before, moves back instead.
    """

    giver: int
    had: int
    has: int
    in_place_of: int | None = None
    to_former_owner: bool = False


@dataclass(frozen=True)
class Undone(Step):
    """Levelling did not improve the balance, so the partition returns to its previous owner."""


@dataclass(frozen=True)
class HandBackStep(Step):
    """The leader returns the partition to the member that claims it."""


@dataclass(frozen=True)
class Withheld(Step):
    """The member gets the partition only in the next rebalance, because `owner` still has it.

    `owner` is -1 if unknown.
    """

    owner: int


@dataclass(frozen=True)
class NoSubscriber(Step):
    """No member subscribes to the topic."""


class Trace:
    """A list of recorded steps.

    `tps`: topic-partitions whose steps are recorded, by default all. `steps`: (topic-partition,
    step), in the order of decisions.
    """

    def __init__(self, tps: Iterable[int] | None = None):
        self.steps: list[tuple[int, Step]] = []
        self._watched = None if tps is None else np.array(list(tps), dtype=np.int64)

    def places(self, tps: np.ndarray | slice | Sequence[int]) -> list[int]:
        """Return the places in `tps` of all watched topic-partitions, ascending."""
        rows = (
            np.arange(tps.start, tps.stop)
            if isinstance(tps, slice)
            else np.asarray(tps, dtype=np.int64)
        )
        return (
            list(range(rows.size))
            if self._watched is None
            else np.flatnonzero(np.isin(rows, self._watched)).tolist()
        )

    def of(self, tps: np.ndarray | slice | Sequence[int]) -> list[int]:
        """Return the watched topic-partitions in `tps`, in the order of `tps`."""
        rows = (
            np.arange(tps.start, tps.stop)
            if isinstance(tps, slice)
            else np.asarray(tps, dtype=np.int64)
        )
        return rows[self.places(rows)].tolist()

    def watches(self, tp: int) -> bool:
        """Return whether a topic-partition is watched."""
        return self._watched is None or tp in self._watched

    def add(self, tp: int, step: Step) -> None:
        """Record a step of a topic-partition."""
        self.steps.append((int(tp), step))

    def forget(self, tps: np.ndarray | slice | Sequence[int]) -> None:
        """Delete the steps of topic-partitions, because they are dealt again."""
        gone = set(self.of(tps))
        self.steps = [(tp, step) for tp, step in self.steps if tp not in gone]

    def blank(self) -> "Trace":
        """Return an empty trace that watches the same topic-partitions."""
        return Trace(self._watched)

    def take(self) -> list[tuple[int, Step]]:
        """Return all steps, and delete them from the trace."""
        steps, self.steps = self.steps, []
        return steps

    def steps_of(self, tp: int) -> tuple[Step, ...]:
        """Return the steps of a topic-partition."""
        return tuple(step for each, step in self.steps if each == tp)


_ASKED: ContextVar[Trace | None] = ContextVar("trace", default=None)


def asked() -> Trace | None:
    """Return the trace that is recording now, None if there is none."""
    return _ASKED.get()


def active() -> Trace:
    """Return the trace that is recording now. There must be one."""
    return cast(Trace, _ASKED.get())


@contextmanager
def recording(trace: Trace | None) -> Iterator[Trace | None]:
    """Record assignments in `trace` during the with-block.

    None turns recording off, even if an outer with-block records.
    """
    token = _ASKED.set(trace)
    try:
        yield trace
    finally:
        _ASKED.reset(token)


def explain(assignor: Any, group: Any, topic: int, partition: int) -> tuple[Step, ...]:
    """Run the assignor once. Return the steps that gave a partition its owner.

    The result is empty for an assignor that records no steps, such as a plug-in.

    Parameters
    ----------
    assignor : Assignor
    group : GroupSnapshot
    topic : int
        Number of the topic.

    Raises
    ------
    AssignorError
        If the assignor raises it.
    """
    tp = int(group.first_tp[topic]) + partition
    trace = Trace((tp,))
    with recording(trace):
        answer = assignor.assign(group).handed_out()
    steps, owner = trace.steps_of(tp), int(answer.owner[tp])
    if not steps and owner == _NOBODY and not group.subscribers.count_of_topic[topic]:
        return (NoSubscriber(_NOBODY),)
    also = answer.extra[
        (answer.extra[:, 1] == topic) & (answer.extra[:, 2] == partition), 0
    ].tolist()
    return steps if steps and steps[-1].member in (owner, *also) else ()


def pairs(members: Iterable[int], numbers: Iterable[int]) -> Pairs:
    """Return pairs of member and number, as Python ints."""
    return tuple(
        (int(member), int(number)) for member, number in zip(members, numbers, strict=True)
    )
