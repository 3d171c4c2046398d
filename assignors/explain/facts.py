"""Facts: what to say of an answer beside its figures."""

from typing import NamedTuple

from evenkeel.assignors.assignment import Assignment, AssignorError, NotKnownError
from evenkeel.assignors.explain.quirk import Quirk
from evenkeel.assignors.explain.quirks import quirks
from evenkeel.assignors.explain.rack_effect import rack_effect
from evenkeel.assignors.explain.shared_partitions import Sharing, sharing
from evenkeel.assignors.explain.unknown_inputs import MEMBER_ORDER, missing_racks, order_decides
from evenkeel.assignors.figures.comparison import Row
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.protocol import Assignor
from evenkeel.assignors.rounds.switch import Switch, switch


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
