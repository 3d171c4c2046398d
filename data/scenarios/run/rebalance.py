"""One change of a group and the rebalances that it causes, until the group rests."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.edits import EditResult, with_member_rows
from evenkeel.assignors.figures.balance import Balance, balance
from evenkeel.assignors.figures.moves import Moves, moves_between
from evenkeel.assignors.group.coordinator_order import order_with_inserted
from evenkeel.assignors.group.lag import page_lag
from evenkeel.assignors.protocol import Assignor
from evenkeel.assignors.rounds.group_at_rest import GroupAtRest, group_at_rest
from evenkeel.data.columns import succession
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.group_after import observed_after


@dataclass(frozen=True, eq=False)
class Rebalance:
    """A group at rest, and the way to it.

    Parameters
    ----------
    group : ObservedGroup
        At rest: `current` is what members have, its claims are the input of the next rebalance. Members stand as the coordinator
        reports them then, in another order than in `joined` where members joined a broker's group; `balance` has the rows of this one.
    joined : ObservedGroup
        As it joined the first rebalance.
    wide : ObservedGroup
        `joined` with the members that left as its last rows: moves can be counted on it, no assignor may run on it.
    before : Assignment or None
        Owners before, in rows of `wide`; None where unknown.
    lag : int64 (P,)
        The page's lag.
    at_rest : GroupAtRest or None
        None where the change causes no rebalance.
    moves : Moves or None
        None where the owners before are unknown, or the group has no members.
    paused : int64 (N,) or None
        Topic-partitions that had an owner before and none for a while; None where unknown.
    """

    group: ObservedGroup
    joined: ObservedGroup
    wide: ObservedGroup
    before: Assignment | None
    lag: np.ndarray
    at_rest: GroupAtRest | None
    moves: Moves | None
    paused: np.ndarray | None
    balance: Balance

    @property
    def assignment(self) -> Assignment:
        """What members have at rest."""
        return self.group.current


def rebalance(before: ObservedGroup, joined: ObservedGroup, assignor: Assignor, renamed: Mapping[str, str] | None = None) -> Rebalance:
    """Rebalance a group that has changed until it rests. `renamed`: members that came back under other ids.

    Raises
    ------
    AssignorError
        Where Kafka's own class would throw, in any round.
    """
    done = group_at_rest(joined.snapshot, joined.current, assignor)
    return _with_figures(before, joined, replace(joined, snapshot=done.group, current=done.assignment), done, renamed)


def no_rebalance(before: ObservedGroup, after: ObservedGroup, renamed: Mapping[str, str] | None = None) -> Rebalance:
    """Return the same for a change that causes no rebalance: members keep what they have. The owners must be known."""
    return _with_figures(before, after, after, None, renamed)


def _with_figures(
    before: ObservedGroup, joined: ObservedGroup, rests: ObservedGroup, done: GroupAtRest | None, renamed: Mapping[str, str] | None
) -> Rebalance:
    wide, owned = succession(before, joined, renamed)
    lag = page_lag(joined.snapshot)
    moves = None if owned is None or not wide.snapshot.member_count else moves_between(owned, rests.current, wide.snapshot, lag)
    paused = np.empty(0, dtype=np.int64) if done is None else done.paused
    if owned is not None and paused is not None and done is not None:
        left = (owned.owner != UNASSIGNED) & (joined.current.owner == UNASSIGNED)
        paused = np.union1d(paused, np.flatnonzero(left))
    reported = _as_reported(before, rests)
    return Rebalance(reported, joined, wide, owned, lag, done, moves, paused, balance(reported.snapshot, reported.current, lag))


def _as_reported(before: ObservedGroup, rests: ObservedGroup) -> ObservedGroup:
    """Return a broker's group with new members where its coordinator reports them; a classic group has them there when it joins."""
    known = set(before.snapshot.member_id)
    is_new = np.array([member_id not in known for member_id in rests.snapshot.member_id], dtype=bool)
    if rests.is_classic or not is_new.any():
        return rests
    after, member_row = with_member_rows(rests.snapshot, order_with_inserted(rests.snapshot, is_new, is_classic=False))
    return observed_after(rests, EditResult(after, member_row, np.arange(after.topic_count, dtype=np.int32)))
