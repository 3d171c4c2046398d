"""The way to the consumer protocol: the moves of each restart."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.protocol import CLASSIC, CONSUMER, Assignor
from evenkeel.assignors.readiness.bounces import DRAWS, Bounce, bounces, default_order
from evenkeel.assignors.readiness.facts import (
    Facts,
)
from evenkeel.assignors.readiness.pairs import Pair, Pairs, local_count, pairs
from evenkeel.assignors.rounds.mixed import EXTRA, Change
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.readiness.environment import REMOTE
from evenkeel.data.scenarios.leaders import client_of, in_use, led_by
from evenkeel.data.scenarios.run.group_step import remembering

# The way: all restarts, from today's owners to the final owners.


@dataclass(frozen=True, eq=False)
class Way:
    """The predicted restarts of a group, in order."""

    observed: ObservedGroup
    assignor: str
    bounces: tuple[Bounce, ...]

    @property
    def before(self) -> np.ndarray:
        """Today's owner of each partition, int32 (P,)."""
        assert self.observed.current
        return self.observed.current.owner

    @property
    def has_extra(self) -> bool:
        """Whether an extra member starts first and stops last."""
        return any(bounce.member == EXTRA for bounce in self.bounces)

    @property
    def last(self) -> np.ndarray:
        changes = [
            each
            for bounce in self.bounces
            for each in (bounce.stopped, bounce.started)
            if each is not None
        ]
        return changes[-1].owner if changes else self.before

    @property
    def moves(self) -> int:
        """Number of partitions whose final owner is not today's owner."""
        return int(np.count_nonzero(self.last != self.before))

    @property
    def moved_total(self) -> int:
        """Number of moves in all restarts."""
        return sum(bounce.moved for bounce in self.bounces)

    @property
    def pairs(self) -> list[Pair]:
        """Pairs of topics that now have common owners; only some pairs if there are many."""
        return self.together.listed

    @cached_property
    def together(self) -> Pairs:
        """Facts about all pairs of topics that now have common owners."""
        return pairs(self.observed.snapshot, self.before, self.last)

    @cached_property
    def racks(self) -> tuple[int, int] | None:
        """Number of partitions read in their own rack, now and at the end; None if unknown."""
        before, after = (
            local_count(self.observed.snapshot, owner) for owner in (self.before, self.last)
        )
        return None if before is None or after is None else (before, after)


def way_of(
    observed: ObservedGroup, facts: Facts, assignor: str, *, extra: bool = False, draws: int = DRAWS
) -> Way | None:
    """Predict every restart.

    None if the owners, the subscriptions, the size of a topic or the current assignor is unknown.
    """
    group = observed.snapshot
    is_broker = facts.group_type == CONSUMER
    left = [
        row
        for row, member in enumerate(facts.members)
        if not is_broker or member.protocol == CLASSIC
    ]
    current = observed.current
    if not left or current is None or current.extra.size:
        return None
    if any("].subscribed" in path for path in observed.assumed):
        return None
    before = None if is_broker else classic_assignor_in_use(observed)
    if before is None and not is_broker:
        return None
    change = Change(before, ASSIGNORS[REMOTE[assignor]]())
    try:
        restarts = bounces(
            group,
            current,
            change,
            default_order(group, current, left),
            extra=extra,
            draws=draws,
        )
    except AssignorError:
        return None
    return Way(observed, assignor, restarts)


def classic_assignor_in_use(observed: ObservedGroup) -> Assignor | None:
    """Return the group's classic assignor; None if unknown, or if the assignor is not classic."""
    name = in_use(observed)
    if name is None or ASSIGNORS[name].group_type != CLASSIC:
        return None
    return remembering(led_by(client_of(observed.leader))[name](), observed)
