"""Trace: why an answer gives a partition to a member, recorded by the deciding code while it
decides.

    steps = explain(RangeAssignor(), group, topic, partition)

A caller asks with `recording`; deciding code calls `asked()` once, which is None without a
recording, and adds a step for each watched partition. The last step of a partition names its owner.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

import numpy as np

_NOBODY = -1
"""`UNASSIGNED` of `assignment`, which this module does not import: every room may import it."""

Pairs = tuple[tuple[int, int], ...]
"""Members, each with a number, in the order that breaks ties."""


@dataclass(frozen=True)
class Step:
    """One decision about a partition. Members are rows of the group.

    `member`: the partition's owner after it, -1 for none.
    """

    member: int


@dataclass(frozen=True)
class Slice(Step):
    """A topic's partitions were cut into ranges of `sizes` for `members`, its subscribers in order;
    the member's range starts at `first`.
    """

    members: tuple[int, ...]
    sizes: tuple[int, ...]
    place: int
    first: int


@dataclass(frozen=True)
class FirstWithRoom(Step):
    """The first candidate with room gets it; `room`: how many more partitions each may have.
    `is_near`: the candidates are members with a fitting rack, else all.
    """

    room: Pairs
    is_near: bool


@dataclass(frozen=True)
class Turn(Step):
    """It was the member's turn. `ring`: the members that take turns. `number`: place of the
    partition in the round-robin, from 0.

    `before`: the previous partition's member, -1 for the first. `skipped`: members in between that
    could not take it. `is_near`: the ring has only members in a rack with a replica.
    """

    ring: tuple[int, ...]
    number: int
    before: int
    skipped: tuple[int, ...] = ()
    is_near: bool = False


@dataclass(frozen=True)
class ByLag(Step):
    """Partitions of a topic were dealt by lag: this was number `rank`, from 0, of `partitions`.

    `count` and `total`: each subscriber's partitions and lag of the topic so far, by member id. The
    fewest partitions decide, then the least lag, then the member id.
    """

    rank: int
    partitions: int
    lag: int
    count: Pairs
    total: Pairs


@dataclass(frozen=True)
class KeepStep(Step):
    """The owner keeps it: it had `count` partitions and may keep `limit`, None if all of its
    partitions stay.

    `least`: the least number for every member, None if the assignor has no such number.
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
    """`owner` does not keep it, -1 if several claim it; `count` and `limit` as in KeepStep, if a
    surplus is the reason.
    """

    owner: int
    reason: Reason
    count: int | None = None
    limit: int | None = None


@dataclass(frozen=True)
class Lacking(Step):
    """Free partitions go to members with places left; this was number `number`, from 0. `places`:
    each member's places at the start.

    `in_rounds`: one partition for each member in turn; else one member after the other is filled.
    """

    number: int
    places: Pairs
    in_rounds: bool
    is_above_least: bool = False


@dataclass(frozen=True)
class Fewest(Step):
    """The first of the candidates with the fewest partitions got it; `count`: their number.
    `is_near`: in a rack with a replica.
    """

    count: Pairs
    is_near: bool = False


@dataclass(frozen=True)
class MoveStep(Step):
    """It moved from `giver`, which had `had` partitions, to the member, which had `has`.

    `in_place_of`: the topic-partition that was to move, if another moved: a partition of the topic
    that moved the opposite way before goes back instead.
    """

    giver: int
    had: int
    has: int
    in_place_of: int | None = None
    to_former_owner: bool = False


@dataclass(frozen=True)
class Undone(Step):
    """Moves were undone, because they did not make the group more even."""


@dataclass(frozen=True)
class HandBackStep(Step):
    """The leader hands it back to the member that claims it."""


@dataclass(frozen=True)
class Withheld(Step):
    """`owner` still has it, so the member gets it in the next rebalance; -1 if the owner is
    unknown.
    """

    owner: int


@dataclass(frozen=True)
class NoSubscriber(Step):
    """Nobody subscribes to the topic."""


class Trace:
    """Collects the steps of the topic-partitions in `tps`, by default all: `steps` has
    (topic-partition, step) in order.
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
        """Drop the steps of topic-partitions that are decided again."""
        gone = set(self.of(tps))
        self.steps = [(tp, step) for tp, step in self.steps if tp not in gone]

    def blank(self) -> "Trace":
        """Return an empty trace that watches the same topic-partitions."""
        return Trace(self._watched)

    def take(self) -> list[tuple[int, Step]]:
        """Return the steps so far, and forget them."""
        steps, self.steps = self.steps, []
        return steps

    def steps_of(self, tp: int) -> tuple[Step, ...]:
        """Return the steps of one topic-partition."""
        return tuple(step for each, step in self.steps if each == tp)


_ASKED: ContextVar[Trace | None] = ContextVar("trace", default=None)


def asked() -> Trace | None:
    """Return the active trace, None without one."""
    return _ASKED.get()


def active() -> Trace:
    """Return the active trace, for callers that know that there is one."""
    return cast(Trace, _ASKED.get())


@contextmanager
def recording(trace: Trace | None) -> Iterator[Trace | None]:
    """Record a trace of the assignments inside; None turns recording off, even for an outer
    trace.
    """
    token = _ASKED.set(trace)
    try:
        yield trace
    finally:
        _ASKED.reset(token)


def explain(assignor: Any, group: Any, topic: int, partition: int) -> tuple[Step, ...]:
    """Run the assignor once; return why it assigns a partition as it does, empty if the assignor
    reports no reasons, like a plug-in.

    Parameters
    ----------
    assignor : Assignor
    group : GroupSnapshot
    topic : int
        Row of the topic.

    Raises
    ------
    AssignorError
        As the assignor does.
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
    """Return each member with its number, as Python numbers."""
    return tuple(
        (int(member), int(number)) for member, number in zip(members, numbers, strict=True)
    )
