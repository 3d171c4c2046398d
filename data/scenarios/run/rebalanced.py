"""One change of a group and the rebalances that it causes, until the group rests."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from assignors.assignment import UNASSIGNED, Assignment
from assignors.figures.balance import Balance, balance
from assignors.figures.moves import Moves, moves_between
from assignors.group.lag import page_lag
from assignors.protocol import Assignor
from assignors.rounds.settled import Settled, settled
from data.columns import succession
from data.columns.observed import ObservedGroup


@dataclass(frozen=True, eq=False)
class Rebalanced:
    """A group at rest, and the way to it.

    Parameters
    ----------
    group : ObservedGroup
        At rest: `current` is what members have, its claims are the input of the next rebalance.
    joined : ObservedGroup
        As it joined the first rebalance.
    wide : ObservedGroup
        The same with members that left behind the others; for moves, not for assignors.
    before : Assignment or None
        Owners before, in rows of `wide`; None where unknown.
    lag : int64 (P,)
        The page's lag.
    settled : Settled or None
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
    settled: Settled | None
    moves: Moves | None
    paused: np.ndarray | None
    balance: Balance

    @property
    def assignment(self) -> Assignment:
        """What members have at rest."""
        return self.group.current


def rebalanced(before: ObservedGroup, joined: ObservedGroup, assignor: Assignor, renamed: Mapping[str, str] | None = None) -> Rebalanced:
    """Rebalance a group that has changed until it rests. `renamed`: members that came back under other ids.

    Raises
    ------
    AssignorError
        Where Kafka's own class would throw, in any round.
    """
    done = settled(joined.snapshot, joined.current, assignor)
    return _with_figures(before, joined, replace(joined, snapshot=done.group, current=done.assignment), done, renamed)


def unchanged(before: ObservedGroup, after: ObservedGroup, renamed: Mapping[str, str] | None = None) -> Rebalanced:
    """Return the same for a change that causes no rebalance: members keep what they have. The owners must be known."""
    return _with_figures(before, after, after, None, renamed)


def _with_figures(
    before: ObservedGroup, joined: ObservedGroup, rests: ObservedGroup, done: Settled | None, renamed: Mapping[str, str] | None
) -> Rebalanced:
    wide, owned = succession(before, joined, renamed)
    lag = page_lag(joined.snapshot)
    moves = None if owned is None or not wide.snapshot.member_count else moves_between(owned, rests.current, wide.snapshot, lag)
    paused = np.empty(0, dtype=np.int64) if done is None else done.paused
    if owned is not None and paused is not None and done is not None:
        left = (owned.owner != UNASSIGNED) & (joined.current.owner == UNASSIGNED)
        paused = np.union1d(paused, np.flatnonzero(left))
    return Rebalanced(rests, joined, wide, owned, lag, done, moves, paused, balance(joined.snapshot, rests.current, lag))
