"""The sticky assignors where all members subscribe to the same (KAFKA-9987): no member gets more than one partition more than another.

Members keep what they own up to their quota; what nobody keeps goes to those below the lower quota in rounds, then to those at it.
"""

from typing import NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED, Assumed
from assignors.classic.sticky_claims import Owned
from assignors.classic.sticky_fill import Queues, fill
from assignors.classic.sticky_outcome import Outcome
from assignors.classic.sticky_rack_fill import fill_by_rack
from assignors.classic.sticky_racks import Racks
from assignors.classic.sticky_unassigned import unassigned_rows
from assignors.errors import AssignorError
from assignors.group import GroupSnapshot

_RADIX_LIMIT = 1 << 16


class Kept(NamedTuple):
    """What members keep: `owner` int32 (P + B,), `count` int64 (M,), `over`: how many members have one more than the lower quota."""

    owner: np.ndarray
    count: np.ndarray
    over: int
    assumed: tuple[Assumed, ...]


def assign_constrained(group: GroupSnapshot, in_play: np.ndarray, owned: Owned, beyond: np.ndarray, racks: Racks | None) -> Outcome:
    """Return who gets what.

    Raises
    ------
    AssignorError
        ArithmeticException without members; IllegalStateException where partitions beyond their topic's size leave more to hand out than anybody may take.
    """
    if not group.member_count:
        raise AssignorError("ArithmeticException", "the group has 0 members, expected at least 1")
    least, may_exceed = divmod(int(group.partition_count[in_play].sum()), group.member_count)
    kept = _kept(group, owned, racks, least, may_exceed)
    rows = unassigned_rows(group, np.flatnonzero(in_play), kept.owner, beyond)
    queues = _queues(group, kept, least, may_exceed)
    if racks is None:
        takers = fill(queues, _number_of(rows))
    else:
        rows = np.arange(group.tp_count)[rows]
        rows = rows[np.argsort(racks.near_count(rows), kind="stable")]
        rows, takers = fill_by_rack(queues, rows, racks)
    extra = _rows_of(group, beyond, kept.owner)
    ...
