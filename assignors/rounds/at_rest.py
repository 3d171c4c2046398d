"""A group at rest: its members have an assignment after which no further rebalance follows."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.owned import (
    owners_of,
    with_owned,
    with_target,
)
from evenkeel.assignors.protocol import CLASSIC, Assignor
from evenkeel.assignors.rounds.classic import rounds
from evenkeel.assignors.rounds.switch import Kind, kind_of, switch


@dataclass(frozen=True, eq=False)
class GroupAtRest:
    """A group at rest, and the number of rounds until it was at rest.

    Parameters
    ----------
    answer : Assignment
        Answer of the first rebalance.
    assignment : Assignment
        Assignment at rest, or after the last simulated round.
    group : GroupSnapshot
        The group when its members join the next rebalance. A KIP-848 group has the target that the
        broker stores.
    round_count : int
        For a classic group, the number of rebalances. For a KIP-848 group, the number of rounds of
        heartbeats. None if the owners before the first rebalance are unknown.
    is_settled, is_endless : bool
        As in `Rounds`.
    paused : int64 (N,) or None
        Topic-partitions that temporarily have no owner. None if the owners before the first
        rebalance, or the kind of rebalance, are unknown.
    """

    answer: Assignment
    assignment: Assignment
    group: GroupSnapshot
    round_count: int | None
    is_settled: bool
    is_endless: bool
    paused: np.ndarray | None


def group_at_rest(
    group: GroupSnapshot, current: Assignment | None, assignor: Assignor
) -> GroupAtRest:
    """Rebalance the group until no rebalance follows. `current`: the owners before the first
    rebalance, None if unknown.

    Raises
    ------
    AssignorError
        If Kafka's own class would throw, in any round.
    """
    if kind_of(assignor) in (Kind.EAGER, Kind.COOPERATIVE):
        return _classic(group, current, assignor)
    answer = assignor.assign(group)
    # The assignor is a plug-in with an unknown way of rebalancing. Its answer counts as the final
    # assignment.
    is_client = assignor.group_type == CLASSIC
    after = (
        with_owned(group, answer, int(group.generation.max(initial=0)) + 1)
        if is_client
        else with_target(group, answer)
    )
    way = None if current is None else switch(group, current, assignor, answer)
    round_count, paused = (way.round_count, way.paused) if way else (None, None)
    return GroupAtRest(answer, answer, after, round_count, True, False, paused)


def _classic(group: GroupSnapshot, current: Assignment | None, assignor: Assignor) -> GroupAtRest:
    done = rounds(group, assignor)
    answer = done.rounds[0].assignment
    is_direct = (
        len(done.rounds) == 1 and not len(done.rounds[0].rejected) and not answer.withheld.size
    )
    assignment = (
        answer if is_direct else owners_of(done.rounds[-1].owned_after, group.partition_count)
    )
    way = None if current is None else switch(group, current, assignor, answer, done)
    paused = way.paused if way else None
    return GroupAtRest(
        answer, assignment, done.joining, len(done.rounds), done.is_settled, done.is_endless, paused
    )
