"""The numbers above a difference of two assignments."""

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.figures.moves import Moves
from evenkeel.assignors.rounds.switch import Kind, Switch, kind_of
from evenkeel.dashboard.view import Change, View
from evenkeel.dashboard.widgets.parts.kpi_strip import Kpi
from evenkeel.dashboard.words.answers import NEVER_ENDS
from evenkeel.dashboard.words.verdict import in_rounds
from evenkeel.data.scenarios.leaders import in_use
from evenkeel.data.words.formats import compact_sum, count, exact, percent


def kpis(view: View, change: Change, after: str, way: Switch | None = None, has_happened: bool = False) -> list[Kpi]:
    """Return what is kept, what moves, how many members change, and what a switch to `after` pauses.

    The pause is that of the protocol of `after`, of both protocols where it is unknown; a switch that has happened has none.
    `way`: the rounds to the answer of `after`, which may never end.
    """
    moves = change.moves
    seen = [_kept(moves, len(change.lag)), _moved(moves), _members(view, moves)]
    owned = int((change.pairs.from_member != UNASSIGNED).sum())
    if has_happened:
        return seen
    if way and in_use(view.observed) == after:
        return [*seen, Kpi("In use", "no change", f"a rebalance pauses {exact(way.paused_count)}")]
    switch = _switch(moves, owned, kind_of(ASSIGNORS[after]) if after in ASSIGNORS else None, way)
    return [*seen, *([kpi._replace(note=NEVER_ENDS, tone="worse") for kpi in switch] if way and way.is_endless else switch)]


def _switch(moves: Moves, owned: int, kind: Kind | None, way: Switch | None) -> list[Kpi]:
    if kind == Kind.SHARED:
        return [Kpi("Switch", "0 paused", "members share partitions")]
    if kind == Kind.RECONCILED:
        return [Kpi("Switch", _paused(moves, way), " · ".join(["the broker revokes only these", *_rounds(way)]))]
    return [*[_eager(moves, owned, way)] * (kind != Kind.COOPERATIVE), *[_cooperative(moves, way)] * (kind != Kind.EAGER)]


def _paused(moves: Moves, way: Switch | None) -> str:
    """Return what is without an owner for a while: what is taken from a member, where the rounds are not known."""
    return f"{exact(way.paused_count if way else moves.moved_count + moves.revoked_count)} paused"


def _rounds(way: Switch | None) -> list[str]:
    return [] if way is None else [in_rounds(way)]


def _kept(moves: Moves, partitions: int) -> Kpi:
    share = moves.retained_count / partitions if partitions else None
    return Kpi("Kept", exact(moves.retained_count), f"{percent(share)} of {count(partitions, 'partition')}")


def _moved(moves: Moves) -> Kpi:
    unowned = ((moves.added_count, "previously unowned"), (moves.revoked_count, "left unowned"))
    more = [f"{exact(number)} {words}" for number, words in unowned if number]
    lag = compact_sum(moves.moved_lag, moves.moved_lag_is_partial)
    return Kpi("Moved", exact(moves.moved_count), " · ".join(["lag unknown" if moves.moved_lag is None else f"with {lag} lag", *more]))


def _members(view: View, moves: Moves) -> Kpi:
    """Count the members whose partitions change, of all."""
    changed = int(np.count_nonzero(moves.added.partition_count + moves.revoked.partition_count))
    return Kpi("Members that change", exact(changed), f"of {count(len(view.names), 'member')}")


def _eager(moves: Moves, owned: int, way: Switch | None) -> Kpi:
    """An eager rebalance revokes everything that is owned, also what the same member gets back."""
    back = moves.retained_count
    facts = [f"⚠ {exact(back)} come back" if back else "none come back", *(_rounds(way) if way and way.round_count > 1 else [])]
    return Kpi("Eager switch", f"{exact(owned)} paused", " · ".join(facts), "worse" if back else "")


def _cooperative(moves: Moves, way: Switch | None) -> Kpi:
    """A cooperative rebalance revokes only what leaves its member; its new owner waits for a later round."""
    changed = moves.moved_count + moves.revoked_count + moves.added_count
    return Kpi("Cooperative switch", _paused(moves, way), "".join(_rounds(way)) if changed else "nothing to do")
