"""Trace: the reasons of an answer, recorded by the assignor's code while it runs.

    steps = explain(RangeAssignor(), group, topic, partition)

A caller starts a trace with `recording`. The assignor's code calls `asked()` once, which returns
None without a trace, and adds a step for each watched partition. A partition's last step has its
owner.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

import numpy as np

_NOBODY = -1
"""The same as `assignment.UNASSIGNED`. This module imports no room, so that every room may import
it."""

Pairs = tuple[tuple[int, int], ...]
"""Members and a number for each, in the order that breaks ties."""


@dataclass(frozen=True)
class Step:
    """A decision about a partition. Members are rows of the group.

    `member`: the partition's owner after the decision, -1 if none.
    """

    member: int


@dataclass(frozen=True)
class Slice(Step):
    """A topic's partitions were cut into ranges. `members`: subscribers in order; `sizes`: their
    range sizes; `first`: start of this member's range.
    """

    members: tuple[int, ...]
    sizes: tuple[int, ...]
    place: int
    first: int


@dataclass(frozen=True)
class FirstWithRoom(Step):
    """The first candidate with room gets the partition. `room`: number of partitions that a member
    may still get. `is_near`: only members in a rack with a replica are candidates.
    """

    room: Pairs
    is_near: bool


@dataclass(frozen=True)
class Turn(Step):
    """Round-robin: it was the member's turn. `ring`: the members that take turns. `number`:
    position of the partition in the round-robin, from 0.

    `before`: the previous partition's member, -1 for the first partition. `skipped`: members in
    between that could not get the partition. `is_near`: the ring has only members in a rack with a
    replica.
    """

    ring: tuple[int, ...]
    number: int
    before: int
    skipped: tuple[int, ...] = ()
    is_near: bool = False


@dataclass(frozen=True)
class ByLag(Step):
    """A topic was dealt by lag. `rank`: the partition's position, from 0, among `partitions`.

    `count` and `total`: partitions and lag of the topic that each subscriber had so far, by member
    id. The subscriber with the fewest partitions was chosen, then with the least lag, then with the
    smallest member id.
    """

    rank: int
    partitions: int
    lag: int
    count: Pairs
    total: Pairs


@dataclass(frozen=True)
class KeepStep(Step):
    """The owner keeps the partition. The owner had `count` partitions and may keep `limit`
    partitions, None if it keeps all.

    `least`: the least partition count of each member, None if the assignor has no such number.
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
    """`owner` does not keep the partition; -1 if several members claim it. `count` and `limit`: as
    in KeepStep, if the reason is a surplus.
    """

    owner: int
    reason: Reason
    count: int | None = None
    limit: int | None = None


@dataclass(frozen=True)
class Lacking(Step):
    """Free partitions are dealt to members that lack partitions. `number`: position of the
    partition, from 0. `places`: number of partitions that each member lacked at the start.

    `in_rounds`: members get one partition each in turn; else members are filled one after another.
    """

    number: int
    places: Pairs
    in_rounds: bool
    is_above_least: bool = False


@dataclass(frozen=True)
class Fewest(Step):
    """The first candidate with the fewest partitions got the partition. `count`: each candidate's
    number of partitions. `is_near`: only members in a rack with a replica are candidates.
    """

    count: Pairs
    is_near: bool = False


@dataclass(frozen=True)
class MoveStep(Step):
    """The partition moved from `giver`, which had `had` partitions, to the member, which had `has`.

    `in_place_of`: the topic-partition that should have moved. Another partition of the topic had
    moved the opposite way before, so it moves back instead.
    """

    giver: int
    had: int
    has: int
    in_place_of: int | None = None
    to_former_owner: bool = False


@dataclass(frozen=True)
class Undone(Step):
    """Moves were undone, because they did not improve the balance."""


@dataclass(frozen=True)
class HandBackStep(Step):
    """The leader returns the partition to the member that claims it."""


@dataclass(frozen=True)
class Withheld(Step):
    """The member gets the partition in the next rebalance, because `owner` still has it. `owner` is
    -1 if unknown.
    """

    owner: int


@dataclass(frozen=True)
class NoSubscriber(Step):
    """No member subscribes to the topic."""


class Trace:
    """Collects steps. `tps`: the watched topic-partitions, by default all. `steps`:
    (topic-partition, step) in the order of decision.
    """

    def __init__(self, tps: Iterable[int] | None = None):
        self.steps: list[tuple[int, Step]] = []
        self._watched = None if tps is None else np.array(list(tps), dtype=np.int64)

    def places(self, tps: np.ndarray | slice | Sequence[int]) -> list[int]:
        """Return the positions of watched topic-partitions in `tps`, ascending."""
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
        """Return the watched topic-partitions of `tps`, in their order."""
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
        """Append a step of a topic-partition."""
        self.steps.append((int(tp), step))

    def forget(self, tps: np.ndarray | slice | Sequence[int]) -> None:
        """Delete the steps of topic-partitions that are decided again."""
        gone = set(self.of(tps))
        self.steps = [(tp, step) for tp, step in self.steps if tp not in gone]

    def blank(self) -> "Trace":
        """Return an empty trace that watches the same topic-partitions."""
        return Trace(self._watched)

    def take(self) -> list[tuple[int, Step]]:
        """Return the steps so far, and delete them."""
        steps, self.steps = self.steps, []
        return steps

    def steps_of(self, tp: int) -> tuple[Step, ...]:
        """Return the steps of a topic-partition."""
        return tuple(step for each, step in self.steps if each == tp)


_ASKED: ContextVar[Trace | None] = ContextVar("trace", default=None)


def asked() -> Trace | None:
    """Return the active trace, or None if there is no trace."""
    return _ASKED.get()


def active() -> Trace:
    """Return the active trace. There must be one."""
    return cast(Trace, _ASKED.get())


@contextmanager
def recording(trace: Trace | None) -> Iterator[Trace | None]:
    """Record the assignments of the with-block in `trace`. None turns recording off, also for an
    outer trace.
    """
    token = _ASKED.set(trace)
    try:
        yield trace
    finally:
        _ASKED.reset(token)


def explain(assignor: Any, group: Any, topic: int, partition: int) -> tuple[Step, ...]:
    """Run the assignor once; return the steps that decide a partition's owner. Assignors that
    record no steps, such as plug-ins, return an empty tuple.

    Parameters
    ----------
    assignor : Assignor
    group : GroupSnapshot
    topic : int
        Row of the topic.

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
