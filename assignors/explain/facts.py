"""Facts: what to say of an answer beside its figures."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import Assignment, AssignorError, NotKnownError
from evenkeel.assignors.explain.quirks import Quirk, quirks
from evenkeel.assignors.explain.unknown_inputs import MEMBER_ORDER, missing_racks, order_decides
from evenkeel.assignors.figures.comparison import Row
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.kafka.sticky.assignor import racks_in_play
from evenkeel.assignors.protocol import Assignor
from evenkeel.assignors.rounds.switch import Switch, switch


class Sharing(NamedTuple):
    """`member_count`: members that read a partition together with another member. `partition_count`: partitions with several readers."""

    member_count: int
    partition_count: int


class Facts(NamedTuple):
    """`switch` is None where the current owners or the way of rebalancing are unknown, and where Kafka throws on the way.

    `unknown`: unknown inputs that decide the answer. `by_racks`: number of partitions that have another owner without racks.
    `sharing`: of a share group only. `later_error`: thrown in a later round of the switch.
    """

    switch: Switch | None
    quirks: tuple[Quirk, ...]
    unknown: tuple[str, ...]
    by_racks: int = 0
    sharing: Sharing | None = None
    later_error: AssignorError | None = None


NO_FACTS = Facts(None, (), ())


def facts_of(group: GroupSnapshot, current: Assignment | None, assignor: Assignor, row: Row, is_order_known: bool) -> Facts:
    """Return the facts about the assignor's row of a comparison; `is_order_known`: members stand in the coordinator's order."""
    if isinstance(row.error, NotKnownError):
        return NO_FACTS
    if row.assignment is None:
        return Facts(None, quirks(group, assignor, None), ())
    unknown = [racks] if (racks := missing_racks(group, assignor)) else []
    if not is_order_known and order_decides(group, assignor, row.assignment):
        unknown.append(MEMBER_ORDER)
    struck = quirks(group, assignor, row.assignment)
    shared = sharing(group, row.assignment) if assignor.group_type == "share" else None
    moved_by_racks = rack_effect(group, assignor, row.assignment)
    way, error = _switch(group, current, assignor, row.assignment)
    return Facts(way, struck, tuple(unknown), moved_by_racks, shared, error)


def _switch(
    group: GroupSnapshot, current: Assignment | None, assignor: Assignor, answer: Assignment
) -> tuple[Switch | None, AssignorError | None]:
    if current is None:
        return None, None
    try:
        return switch(group, current, assignor, answer), None
    except AssignorError as error:
        return None, error


# What racks change


def rack_effect(group: GroupSnapshot, assignor: Assignor, answer: Assignment) -> int:
    """Return how many partitions would finally have another owner if no member had a rack."""
    if not assignor.uses_racks or racks_in_play(group, 0) is None:
        return 0
    try:
        plain = assignor.assign(replace(group, member_rack=np.full_like(group.member_rack, NO_RACK)))
    except AssignorError:
        return 0
    return int(np.count_nonzero(plain.handed_out().owner != answer.handed_out().owner))


# What share groups have in common


def sharing(group: GroupSnapshot, answer: Assignment) -> Sharing | None:
    """Return how many members and partitions share; None where every partition has at most one reader."""
    member, topic, partition = answer.extra.T
    inside = partition < group.partition_count[topic]
    tps = group.first_tp[topic[inside]] + partition[inside]
    if not tps.size:
        return None
    readers = np.unique(np.append(member[inside], answer.owner[tps]))
    return Sharing(readers.size, np.unique(tps).size)
