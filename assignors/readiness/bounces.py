"""Bounces: the members of a classic group restart one after the other, with another protocol.

The result has the owners after each stop and each start. A static member comes back under its
instance id and takes its old place, so there is no new assignment. The ids of new members are
unknown, so several ids are tried. An owner is certain if it is the same for all these ids.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.rounds.mixed import EXTRA, Change, MixedGroup, Owners
from evenkeel.assignors.rounds.new_ids import NewIds, buckets_of

DRAWS = 33
"""How many sets of new member ids are tried. If the owners differ between these sets, they depend
on the ids of new members.
"""

MOST_BACK = 24
"""Largest number of restarts for which the way back is calculated, because it undoes every restart.
"""

_ENOUGH = 5
"""After this many sets of ids, only the first restart is tried, unless the owners after a later
restart were the same for all sets.
"""


class Back(NamedTuple):
    """The way back to the classic protocol.

    `restarts`: number of restarts. `moved`: number of partitions that move in these restarts.
    `left`: number of partitions that the last member with the consumer protocol has when it
    leaves. With the policy `upgrade`, these partitions then have no owner.
    """

    restarts: int
    moved: int
    left: int


@dataclass(frozen=True, eq=False)
class Bounce:
    """One restart.

    `member`: number of the member in the listed group, or `EXTRA`. `stopped`: owners after the
    stop; None if nothing is assigned while the member is stopped. `started`: owners after the
    start; None if the member does not come back. `back`: the way back after this restart. None if
    it is not calculated: for a change from an eager to a cooperative assignor, for a group that is
    already mixed, and after more than `MOST_BACK` restarts.
    """

    member: int
    is_static: bool
    stopped: Owners | None
    started: Owners | None
    back: Back | None = None

    @property
    def moved(self) -> int:
        """Number of partitions that move in this restart."""
        return sum(each.moved for each in (self.stopped, self.started) if each is not None)


def bounces(
    group: GroupSnapshot,
    current: Assignment,
    change: Change,
    order: Sequence[int],
    *,
    extra: bool = False,
    draws: int = DRAWS,
    ids: Mapping[int, str] = MappingProxyType({}),
) -> tuple[Bounce, ...]:
    """Return every restart. `order`: members in the order in which they restart.

    `extra`: whether an extra member with the new protocol joins first and leaves last. `draws`: how
    many sets of new member ids are tried. `ids`: new member ids, if known.

    The result has the owners for the first set of ids. The other sets show whether these owners are
    certain, and which other owners are possible. All possible owners are included only for the
    first restart of a group with at most 12 members.

    Raises
    ------
    AssignorError
        If Kafka's own class would throw.
    """
    tried: list[list[Bounce]] = []
    taken = set(buckets_of(group.member_id, group.member_count).tolist())
    for draw in range(max(draws, 1)):
        if (new_ids := NewIds(draw, ids, group.member_count)).repeats(taken):
            continue
        few = 1 + extra if draw >= _ENOUGH and not _some_certain(tried, 1 + extra) else None
        walk = _walked(group, current, change, order, extra, new_ids, goes_back=not draw)
        tried.append(list(islice(walk, few)))
    return tuple(
        _told([bounce for bounce in each if bounce is not None]) for each in zip_longest(*tried)
    )


def _some_certain(tried: Sequence[Sequence[Bounce]], first: int) -> bool:
    """Return whether any restart had the same owners in all draws.

    The first `first` restarts are left out.
    """
    changes = (
        [getattr(bounce, name) for bounce in each]
        for each in zip(*(walk[first:] for walk in tried), strict=False)
        for name in ("stopped", "started")
    )
    return any(each[0] is not None and _is_same(each) for each in changes)


def default_order(group: GroupSnapshot, current: Assignment, rows: Sequence[int]) -> list[int]:
    """Return members in restart order: the member with the most partitions first.

    Eager members stop all their partitions at each restart of another member. In this order, the
    members that still wait for their restart have few partitions.
    """
    counts = np.bincount(current.owner[current.owner != UNASSIGNED], minlength=group.member_count)
    return sorted(rows, key=lambda row: (-int(counts[row]), row))


def _walked(
    group: GroupSnapshot,
    current: Assignment,
    change: Change,
    order: Sequence[int],
    extra: bool,
    ids: NewIds,
    *,
    goes_back: bool,
) -> Iterator[Bounce]:
    state = MixedGroup(group, current, change, ids)
    done: list[int] = []
    if extra and order:
        yield Bounce(
            EXTRA, False, None, state.start(EXTRA, order[0]), _back(state, done, goes_back)
        )
    for row in order:
        done.append(row)
        if group.instance_id[row] is not None:
            yield Bounce(row, True, None, state.replaced(row), _back(state, done, goes_back))
        else:
            yield Bounce(
                row, False, state.stop(row), state.start(row, row), _back(state, done, goes_back)
            )
    if extra and order:
        yield Bounce(EXTRA, False, state.stop(EXTRA), None, _back(state, done, goes_back))


def _back(state: MixedGroup, done: Sequence[int], is_asked: bool) -> Back | None:
    """Undo the restarts in reverse order, and return the way back.

    Each member comes back with the classic protocol. If there is an extra member, it leaves at the
    end.
    """
    if (
        not is_asked
        or len(done) > MOST_BACK
        or state.change.before is None
        or state.change.after.group_type != CONSUMER
    ):
        return None
    other, moved, left = state.copy(), 0, 0
    for row in reversed(done):
        if other.joined == {row}:
            left = other.count(row)
        if other.listed.instance_id[row] is not None:
            moved += other.replaced_again(row).moved
        else:
            moved += other.stop(row).moved + other.start_again(row).moved
    if EXTRA in other.rows:
        left = other.count(EXTRA)
        moved += other.stop(EXTRA).moved
    return Back(len(done), moved, left)


def _told(tried: list[Bounce]) -> Bounce:
    stopped, started = (
        _together([getattr(bounce, name) for bounce in tried]) for name in ("stopped", "started")
    )
    return replace(tried[0], stopped=stopped, started=started)


def _together(tried: list[Owners | None]) -> Owners | None:
    first = tried[0]
    if first is None:
        return None
    distinct = {owners.owner.tobytes(): owners.owner for owners in tried if owners}
    moves = [owners.moved for owners in tried if owners]
    others = tuple(distinct.values())[1:]
    return replace(
        first,
        is_certain=not others and not first.assumed,
        others=others,
        moves=(min(moves), max(moves)),
    )


def _is_same(tried: list[Owners]) -> bool:
    return not tried[0].assumed and all(
        np.array_equal(tried[0].owner, other.owner) for other in tried[1:]
    )
