"""Remedies: actions against a cause, each with its computed effect and price, and whether it
helps.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.compare.balance import balance
from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.diagnosis import Diagnosis
from evenkeel.assignors.diagnosis.finding import REASON, Class, Code
from evenkeel.assignors.diagnosis.offer import Offer
from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.weighted import spread
from evenkeel.data.diagnosis.more_members import Situation, likely, more_members, whole_seconds
from evenkeel.data.diagnosis.offers import assigned_at_rest, moved_from, paused_by
from evenkeel.data.diagnosis.phrases import are_too_few, is_soon
from evenkeel.data.diagnosis.remedy import NO_DRAIN, Action, Helps, Remedy
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.leaders import in_use, own_assignors
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.text.formats import counted, number

MOST = 5
_MOST_SETTINGS = 2


def remedies_of(
    observed: ObservedGroup,
    case: Case,
    diagnosis: Diagnosis,
    settings: Settings = Settings(),
    avoidable: Sequence[str] = (),
) -> list[Remedy]:
    """Return the remedies of the headline, including no action; `avoidable`: settings that would
    have avoided rebalances, in words.
    """
    here = Situation(observed, case, diagnosis.headline, settings, avoidable)
    is_open = here.headline.code == Code.UNEVEN and case.is_one_reading
    nothing = _nothing(Class.LATER if is_open else diagnosis.group_class)
    figures = here.headline.figures
    if case.owner is not None and nothing.helps != Helps.YES:
        seconds = figures.get("drain_seconds") or whole_seconds(case.drained_in(case.owner))
        nothing = replace(nothing, drain_seconds=seconds)
    if nothing.helps == Helps.YES and not case.now.is_whole:
        nothing = Remedy(Action.NOTHING, Helps.UNKNOWN, "partitions may be missing")
    if is_soon(nothing.drain_seconds) or diagnosis.group_class == Class.RECOVER:
        nothing = replace(nothing, helps=Helps.UNKNOWN, why=CATCHES_UP)
    remedies = [nothing, *_OF.get(here.headline.code, _none)(here)]
    order = list(Action)
    return sorted(remedies, key=lambda each: order.index(each.action))[:MOST]


def _nothing(group_class: Class) -> Remedy:
    if group_class == Class.FINE:
        return Remedy(Action.NOTHING, Helps.YES, "nothing is wrong")
    if group_class == Class.NEED:
        return Remedy(Action.NOTHING, Helps.NO, "the cause stays")
    return Remedy(Action.NOTHING, Helps.UNKNOWN, "a later reading tells")


def _none(here: Situation) -> Iterator[Remedy]:
    yield from ()


def _no_switch(why: str) -> Remedy:
    return Remedy(Action.SWITCH, Helps.NO, why)


def _look(why: str) -> Remedy:
    return Remedy(Action.LOOK, Helps.UNKNOWN, why)


CATCHES_UP = "it catches up at this pace"

_READ_AGAIN = Remedy(Action.READ_AGAIN, Helps.UNKNOWN, "a second reading decides")


def _down(here: Situation) -> Iterator[Remedy]:
    yield Remedy(Action.START, Helps.YES, "its consumers read on from their commits")
    yield _no_switch("no member is there to take partitions")


def _rebalancing(here: Situation) -> Iterator[Remedy]:
    yield Remedy(Action.READ_AGAIN, Helps.UNKNOWN, "a rebalance ends by itself as a rule")
    yield _no_switch("owners are those of a moment")


def _past_end(here: Situation) -> Iterator[Remedy]:
    yield _look("the topic may have been recreated")
    yield _no_switch("the committed position stays wrong")


def _unread(here: Situation) -> Iterator[Remedy]:
    yield _look("a subscription may be wrong")
    yield _rebalance(here)
    yield _no_switch("it gives an owner only to partitions that a member subscribes to")


def _rebalance(here: Situation) -> Remedy:
    """Return a rebalance by the assignor in use, with the records in partitions that get an
    owner.
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


def _stalled(here: Situation) -> Iterator[Remedy]:
    yield _look("it may be in a long poll, or paused")
    yield from _restart_or_switch(here)


def _silent(here: Situation) -> Iterator[Remedy]:
    yield _READ_AGAIN
    yield from _restart_or_switch(here)


def _restart_or_switch(here: Situation) -> Iterator[Remedy]:
    finding = here.headline
    yield Remedy(
        Action.RESTART,
        Helps.UNKNOWN,
        "what it can read is unknown",
        finding.members,
        moves=len(finding.tps),
        restarts=len(finding.members),
    )
    yield Remedy(Action.ADD_MEMBERS, Helps.NO, "partitions stay with members that do not read")
    yield _switch_of_silent(here)


def _switch_of_silent(here: Situation) -> Remedy:
    """Return the switch with the least lag of the worst member, and the number of partitions that
    it gives to members that do not read.
    """
    offer = _best(here)
    if offer is None:
        return _no_switch("no assignor knows that it does not read")
    assigned = assigned_at_rest(
        here.observed.snapshot, own_assignors(here.observed, here.settings)[offer.name]
    )
    given = int(np.count_nonzero(np.isin(assigned.owner, here.headline.members)))
    who, whose = ("it", "its") if len(here.headline.members) == 1 else ("they", "their")
    why = f"{who} would not read {whose} {counted(given, 'partition')} either"
    return Remedy(
        Action.SWITCH, Helps.NO, why, assignor=offer.name, worst_lag=offer.worst, moves=offer.moved
    )


def _best(here: Situation) -> Offer | None:
    return min(here.case.all_offers, key=lambda each: (each.worst, each.price), default=None)


def _slow(here: Situation) -> Iterator[Remedy]:
    yield _look("it may run on a slow host")
    yield Remedy(
        Action.RESTART,
        Helps.UNKNOWN,
        "what it can read is unknown",
        here.headline.members,
        restarts=1,
    )
    yield _switch(here, Helps.UNKNOWN, "it may be as slow with other partitions")
    yield Remedy(Action.MORE_PARTITIONS, Helps.NO, "a member is slow, not a partition")


def _stuck(here: Situation) -> Iterator[Remedy]:
    yield _look("one record may stop its reader")
    yield from _stays_in_partition(here)


def _one_partition(here: Situation) -> Iterator[Remedy]:
    figures = here.headline.figures
    if not here.case.is_one_reading:
        if "in_rate" in figures and not is_soon(figures.get("drain_seconds")):
            yield _look("a partition is read too slowly")
        yield from _same_reader()
        return
    yield _READ_AGAIN
    yield from _stays_in_partition(here)


def _same_reader() -> Iterator[Remedy]:
    yield _no_switch("another owner gets the same records")
    yield Remedy(Action.MORE_PARTITIONS, Helps.NO, "records that wait stay in their partition")


def _stays_in_partition(here: Situation) -> Iterator[Remedy]:
    yield from _same_reader()
    yield Remedy(
        Action.SKIP, Helps.UNKNOWN, "reading goes on behind the record, if one record stops it"
    )


def _rewound(here: Situation) -> Iterator[Remedy]:
    yield _look("a reset, or a member that commits an old position")
    yield _no_switch("the records are read again by every owner")


def _hot(here: Situation) -> Iterator[Remedy]:
    yield _look("one key may send most records")
    yield Remedy(Action.ADD_MEMBERS, Helps.NO, "a partition has one reader")
    yield _no_switch("another owner gets the same records")
    yield Remedy(Action.MORE_PARTITIONS, Helps.UNKNOWN, "keys move, records that wait stay")


def _uncommitted(here: Situation) -> Iterator[Remedy]:
    yield _look("auto.offset.reset decides how much is read")
    yield _no_switch("the lag of these partitions is unknown")


def _behind(here: Situation) -> Iterator[Remedy]:
    figures = here.headline.figures
    if here.case.is_one_reading:
        yield _READ_AGAIN
    switch = None if here.case.is_short else _draining_switch(here)
    if switch is None:
        yield more_members(here, figures["room"])
        is_short = here.case.is_short
        switch = _no_switch(
            "no assignment reads as much as comes in" if is_short else "all readers are behind"
        )
    yield switch
    if figures["room"] <= 0 or are_too_few(figures):
        why = "makes room for members, and moves keys"
        yield Remedy(Action.MORE_PARTITIONS, Helps.UNKNOWN, why)


def _draining_switch(here: Situation) -> Remedy | None:
    """Return the cheapest switch that drains a group that never drains now, although it reads
    enough.
    """
    figures = here.headline.figures
    if "in_rate" not in figures or "drain_seconds" in figures:
        return None
    why = "no member would get more than it reads"
    for offer in sorted(here.case.all_offers, key=lambda each: each.price):
        if math.isfinite(_drain_after(here, offer.name)):
            return _switch(here, Helps.UNKNOWN, why, offer.name)
    return None


def _uneven(here: Situation) -> Iterator[Remedy]:
    yield _switch(here, likely(here.headline), "spreads the lag", here.headline.detail["assignor"])
    yield from _weights(here)
    yield _best_plan(here)
    if here.case.is_one_reading:
        yield _READ_AGAIN


def _best_plan(here: Situation) -> Remedy:
    seconds = math.inf if here.case.never_drains else math.nan
    why = "evenkeel best computes the least lag of the worst member"
    return Remedy(Action.BEST_PLAN, *_by_drain(seconds, Helps.UNKNOWN, why))


def _by_drain(seconds: float, helps: Helps, why: str) -> tuple[Helps, str]:
    """Return whether an assignment helps, and why: not if the group never drains under it."""
    return (Helps.NO, NO_DRAIN) if seconds == math.inf else (helps, why)


def _weights(here: Situation) -> Iterator[Remedy]:
    """Yield the answer of `evenkeel-weighted` for the lags, for a group assigned by the broker."""
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


def _lagging(here: Situation) -> Iterator[Remedy]:
    if "in_rate" in here.headline.figures:
        yield _look("it gets more than it reads")
        yield _switch(here, Helps.UNKNOWN, "it gets less, and others may read more")
        return
    if here.case.is_one_reading:
        yield _READ_AGAIN
    yield _look("nothing of the readings says why")


def _unknown(here: Situation) -> Iterator[Remedy]:
    why, detail = here.headline.figures.get("why"), here.headline.detail
    if why is not None:
        reason = "no partition has a leader" if why == "no leader" else "a broker does not answer"
    elif detail.get("lacks_ends"):
        reason = "a broker may not answer, or the input has no end offsets"
    else:
        reason = "a right or a column may be missing"
    yield _look(str(detail.get(REASON) or reason))


def _loses(here: Situation) -> Iterator[Remedy]:
    because = here.headline.detail.get("because")
    yield _look("a longer retention.ms keeps what is not deleted yet")
    if because in (Code.DOWN, Code.FORGOTTEN):
        yield Remedy(Action.START, Helps.YES, "its consumers read on from what is left")
    elif because == Code.STALLED and here.headline.members:
        yield Remedy(
            Action.RESTART,
            Helps.UNKNOWN,
            "what it can read is unknown",
            here.headline.members,
            moves=len(here.headline.tps),
            restarts=len(here.headline.members),
        )
    yield _no_switch("records are deleted whoever owns the partition")


def _blocked(here: Situation) -> Iterator[Remedy]:
    yield _look("a producer left its transaction open")
    yield _no_switch("every owner waits at the same offset")
    yield Remedy(Action.MORE_PARTITIONS, Helps.NO, "records that wait stay in their partition")


def _comes_and_goes(here: Situation) -> Iterator[Remedy]:
    yield _look("it crashes, is killed, or is too slow to poll")
    for why in here.avoidable[:_MOST_SETTINGS]:
        yield Remedy(Action.SETTING, Helps.UNKNOWN, why)
    yield _no_switch("members that come and go rebalance any assignor")


def _late(here: Situation) -> Iterator[Remedy]:
    yield _look("something holds it up")


def _switch(here: Situation, helps: Helps, why: str, name: str | None = None) -> Remedy:
    """Return the switch to an assignor, by default the assignor with the least lag of the worst
    member.
    """
    best = _best(here)
    offer = next((each for each in here.case.all_offers if each.name == name), best)
    if offer is None or (
        name is None and offer.worst >= (1 - here.case.gain) * int(here.case.member_lag.max())
    ):
        return _no_switch("no setting leaves the worst member clearly less")
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
    """Return how long the group drains with an assignor, as `Case.drained_in`."""
    if here.case.pace is None:
        return math.nan
    made = own_assignors(here.observed, here.settings)[name]
    assigned = assigned_at_rest(here.observed.snapshot, made)
    return math.nan if assigned is None else here.case.drained_in(assigned.owner)


_OF: dict[Code, Callable[[Situation], Iterator[Remedy]]] = {
    Code.LOST: _loses,
    Code.LOSES: _loses,
    Code.DOWN: _down,
    Code.REBALANCING: _rebalancing,
    Code.PAST_END: _past_end,
    Code.UNREAD: _unread,
    Code.BLOCKED: _blocked,
    Code.STALLED: _stalled,
    Code.STUCK: _stuck,
    Code.REWOUND: _rewound,
    Code.NEVER_DRAINS: _late,
    Code.OVER_SLO: _late,
    Code.UNSTABLE: _comes_and_goes,
    Code.BURSTS: _comes_and_goes,
    Code.SILENT_MEMBER: _silent,
    Code.SLOW_MEMBER: _slow,
    Code.ONE_PARTITION: _one_partition,
    Code.HOT_PARTITION: _hot,
    Code.UNCOMMITTED: _uncommitted,
    Code.BEHIND: _behind,
    Code.UNEVEN: _uneven,
    Code.LAGGING: _lagging,
    Code.UNKNOWN: _unknown,
}
"""By the code of the headline; none: doing nothing is all."""
