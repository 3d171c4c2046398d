"""Remedies that change owners: a rebalance, a switch, weights and the best plan."""

import math
from collections.abc import Iterator

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.diagnosis.offer import Offer
from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.weighted import spread
from evenkeel.data.diagnosis.more_members import Situation, whole_seconds
from evenkeel.data.diagnosis.offers import assigned_at_rest, moved_from, paused_by
from evenkeel.data.diagnosis.remedy import NO_DRAIN, Action, Helps, Remedy
from evenkeel.data.scenarios.leaders import in_use, own_assignors
from evenkeel.data.text.formats import counted, number


def no_switch(why: str) -> Remedy:
    """Return the remedy `switch`, marked as no help; `why`: the reason."""
    return Remedy(Action.SWITCH, Helps.NO, why)


def rebalance(here: Situation) -> Remedy:
    """Return the remedy `rebalance`, and how many of the unread records would get an owner.

    The group keeps its assignor.
    """
    group, tps = here.observed.snapshot, list(here.headline.tps)
    name, why = in_use(here.observed), "gives these partitions an owner if a member subscribes"
    if name is None or name not in ASSIGNORS or not group.are_subscriptions_known:
        return Remedy(Action.REBALANCE, Helps.UNKNOWN, why)
    assigned = assigned_at_rest(group, own_assignors(here.observed, here.settings)[name])
    if assigned is None:
        return Remedy(Action.REBALANCE, Helps.UNKNOWN, why)
    lag = here.case.known[tps]
    given = int(lag[assigned.owner[tps] != UNASSIGNED].sum())
    why = f"{name} gives {number(given)} of these {number(int(lag.sum()))} records an owner"
    return Remedy(
        Action.REBALANCE,
        Helps.UNKNOWN if given else Helps.NO,
        why,
        assignor=name,
        worst_lag=balance(group, assigned, here.case.lag_now).worst_lag,
    )


def switch_of_silent(here: Situation) -> Remedy:
    """Return the remedy `switch`, with the assignor under which the largest member lag is smallest.

    The switch does not help, because members that read nothing would still own partitions.
    """
    offer = _best(here)
    if offer is None:
        return no_switch("no assignor knows whether a member reads")
    assignor = own_assignors(here.observed, here.settings)[offer.name]
    assigned = assigned_at_rest(here.observed.snapshot, assignor)
    assert assigned is not None, offer.name
    given = int(np.count_nonzero(np.isin(assigned.owner, here.headline.members)))
    who, whose = ("it", "its") if len(here.headline.members) == 1 else ("they", "their")
    why = f"{who} would not read {whose} {counted(given, 'partition')} either"
    return Remedy(
        Action.SWITCH, Helps.NO, why, assignor=offer.name, worst_lag=offer.worst, moves=offer.moved
    )


def _best(here: Situation) -> Offer | None:
    return min(here.case.all_offers, key=lambda each: (each.worst, each.price), default=None)


def draining_switch(here: Situation) -> Remedy | None:
    """Return the switch that drains the group with the smallest change of settings, then of owners.

    None if no switch drains the group, if the group already drains, or if rates are unknown.
    """
    figures = here.headline.figures
    if "in_rate" not in figures or "drain_seconds" in figures:
        return None
    why = "no member would get more than it reads"
    for offer in sorted(here.case.all_offers, key=lambda each: each.price):
        if math.isfinite(_drain_after(here, offer.name)):
            return switch(here, Helps.UNKNOWN, why, offer.name)
    return None


def best_plan(here: Situation) -> Remedy:
    """Return the remedy `best plan`: run `evenkeel best`."""
    seconds = math.inf if here.case.never_drains else math.nan
    why = "evenkeel best computes the least lag of the worst member"
    return Remedy(Action.BEST_PLAN, *_by_drain(seconds, Helps.UNKNOWN, why))


def _by_drain(seconds: float, helps: Helps, why: str) -> tuple[Helps, str]:
    return (Helps.NO, NO_DRAIN) if seconds == math.inf else (helps, why)


def weights(here: Situation) -> Iterator[Remedy]:
    """Yield the remedy `weights`, if brokers assign the group.

    The broker assignor `evenkeel-weighted` then uses the lag of a partition as its weight.
    """
    observed, case = here.observed, here.case
    if observed.group_type != CONSUMER or observed.current is None:
        return
    group = observed.snapshot
    assigned = spread(group, case.lag_now.astype(np.float64))
    worst = balance(group, assigned, case.lag_now).worst_lag
    if worst is None or worst > (1 - case.gain) * int(case.member_lag.max()):
        return
    seconds = case.drained_in(assigned.owner)
    needs = "needs the jar evenkeel-weighted on the brokers"
    yield Remedy(
        Action.WEIGHTS,
        *_by_drain(seconds, Helps.UNKNOWN, needs),
        worst_lag=worst,
        moves=moved_from(observed.current, assigned, group, case.lag_now),
        restarts=0,
        drain_seconds=whole_seconds(seconds),
    )


def switch(here: Situation, helps: Helps, why: str, name: str | None = None) -> Remedy:
    """Return the remedy of a switch to assignor `name`.

    If `name` is None, the assignor is the one under which the largest member lag is smallest.
    """
    best = _best(here)
    offer = next((each for each in here.case.all_offers if each.name == name), best)
    if offer is None or (
        name is None and offer.worst >= (1 - here.case.gain) * int(here.case.member_lag.max())
    ):
        return no_switch("no setting leaves the worst member clearly less")
    seconds = _drain_after(here, offer.name)
    return Remedy(
        Action.SWITCH,
        *_by_drain(seconds, helps, why),
        assignor=offer.name,
        worst_lag=offer.worst,
        moves=offer.moved,
        paused=paused_by(here.observed, offer.name, here.settings),
        restarts=offer.price[-1],
        drain_seconds=whole_seconds(seconds),
    )


def _drain_after(here: Situation, name: str) -> float:
    """Return the drain time in seconds after a switch: infinite if endless, NaN if unknown."""
    if here.case.pace is None:
        return math.nan
    made = own_assignors(here.observed, here.settings)[name]
    assigned = assigned_at_rest(here.observed.snapshot, made)
    return math.nan if assigned is None else here.case.drained_in(assigned.owner)
