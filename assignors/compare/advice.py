"""Advice: whether an assignor is worth its price, which one, and the reason where none is.

`advice(situation, options)` decides for pages, commands, shares and programs alike; it says nothing
in words.
"""

from collections.abc import Sequence
from enum import StrEnum
from math import inf, isfinite, isinf
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.compare.balance import Balance
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.lag import UNKNOWN_LAG, total_lag
from evenkeel.assignors.protocol import SHARE

GAIN = 0.1
"""The least gain that is worth a switch, unless the administrator or a reader chooses another."""

_POINTS = 0.02
"""Two gains that differ by no more are equal: the cheaper one is advised."""

_SAME = 0.001
"""Two gains that differ by no more are the same in words."""

_FLOOR = 0.9
"""The part of the worst member's lag from which on a bound, one partition or an even spread, is the
reason that nothing helps.
"""


class Hottest(NamedTuple):
    """The topic-partition that is furthest behind, and its lag: no assignor can give its owner
    less.
    """

    tp: int
    lag: int


class Reason(StrEnum):
    """Why the advice is what it is; a word of `compare --json`."""

    GAIN = "gain"
    SMALL_GAIN = "small_gain"
    HOT_PARTITION = "hot_partition"
    TOO_SLOW = "too_slow"
    ALREADY_BEST = "already_best"
    AT_REST = "at_rest"
    UNKNOWN = "unknown"


class Needs(StrEnum):
    """What a group needs beyond a setting before it has an assignor, the least first.

    `REBALANCE`: the group uses it now. `PACKAGE`: Evenkeel's package in each member. `PROTOCOL`:
    the consumer protocol (KIP-848). `CLIENT`: the client that leads cannot have it.
    """

    REBALANCE = "rebalance"
    SETTING = "setting"
    PROTOCOL = "protocol"
    PACKAGE = "package"
    JAR = "jar"
    CLIENT = "client"


AT_ONCE = inf
"""The restarts of a switch for which all members have to stop at the same time."""


class Price(NamedTuple):
    """What an answer costs, None where unknown. `restarts`: rolling ones of all members, or
    `AT_ONCE`.
    """

    moved: int | None
    moved_lag: int | None = None
    paused: int | None = None
    rounds: int | None = None
    restarts: float | None = 0


class Time(NamedTuple):
    """Seconds until nothing is behind: infinite for never, NaN where unknown.

    `is_sooner`, `is_later`: clearly, than under the owners of now. `missing`: records/s that come
    in beyond what is read, NaN where unknown. `stuck`: partitions that make no progress with their
    owner, the most lag first.
    """

    seconds: float
    missing: float
    is_sooner: bool = False
    is_later: bool = False
    stuck: tuple[str, ...] = ()


class Option(NamedTuple):
    """One assignor's answer. `keeps_all`: it changes no owner. `time`: None without a history.
    `unknown`: inputs that decide the answer.
    """

    name: str
    balance: Balance | None
    price: Price
    needs: Needs = Needs.SETTING
    keeps_all: bool = False
    time: Time | None = None
    unknown: tuple[str, ...] = ()


class Situation(NamedTuple):
    """A group as it is, or after some steps under the assignor in use. `lag` int64 (P,): the
    page's.

    `current`, `balance`: None where the owners, or after steps the assignor in use, are unknown.
    `time`: None without a history. `group_type`: None where unknown. `step`: after so many steps;
    prices are then those of all of them.
    """

    group: GroupSnapshot
    lag: np.ndarray
    current: Assignment | None
    balance: Balance | None
    time: Time | None = None
    group_type: str | None = None
    step: int = 0

    @property
    def is_in_play(self) -> np.ndarray:
        """Whether a member reads or could get each partition, bool (P,); lines of a share tell
        owners and no subscriptions.
        """
        subscribed = self.group.in_play[self.group.tp_topic]
        return (
            subscribed if self.current is None else subscribed | (self.current.owner != UNASSIGNED)
        )


class Kind(StrEnum):
    """What a gain is a part of: the worst member's lag, the time to drain, the group's lag that
    idle members take over, or nobody reads.
    """

    LAG = "lag"
    TIME = "time"
    WORK = "work"
    READ = "read"


class Gain(NamedTuple):
    """A part of 1, between two bounds that differ where lags are unknown; below 0 for a loss. 1 for
    what is never read now and then is.
    """

    least: float
    most: float
    kind: Kind = Kind.LAG


class Offer(NamedTuple):
    """An option and what it gains."""

    option: Option
    gain: Gain

    @property
    def name(self) -> str:
        return self.option.name


class Now(NamedTuple):
    """The lag that gains are a part of: of the worst member, or of all partitions that nobody reads
    where that is more.

    `max_lag`: None where unknown; a lower bound where `is_partial`. `unread` int64 (U,): the
    partitions that lag and nobody reads, the most first; `unread_lag`: of all of them. `balance`:
    of the members. `total`: known lag of all partitions, None where unknown.
    """

    max_lag: int | None
    is_partial: bool
    unread: np.ndarray
    unread_lag: int
    balance: Balance
    total: int | None

    @property
    def idle(self) -> np.ndarray:
        """Members without partitions, bool (M,)."""
        return self.balance.partition_count == 0


class Advice(NamedTuple):
    """What to do.

    `worth_it`: None where unknown inputs decide. `offer`: the assignor that the advice names.
    `beyond`: one that gains clearly more and needs more than the group has; `is_topped`: whether
    any such gains more at all. `later`: one that leaves the worst member less, but drains the group
    later. `hottest`: the partition that no assignor splits, where its owner's lag is the floor.
    `is_even`: all members have about the same lag. `missing`: records/s, NaN where unknown.
    """

    worth_it: bool | None
    reason: Reason
    situation: Situation
    now: Now | None = None
    offer: Offer | None = None
    beyond: Offer | None = None
    later: Offer | None = None
    hottest: Hottest | None = None
    is_even: bool = False
    missing: float = np.nan
    is_topped: bool = False

    @property
    def is_hot(self) -> bool:
        """Whether one partition is nearly all of the worst member's lag now."""
        now = self.now
        return (
            self.hottest is not None
            and bool(now.max_lag)
            and not now.is_partial
            and self.hottest.lag > now.max_lag * _FLOOR
        )

    @property
    def is_bounded(self) -> bool:
        """Whether one partition is nearly all that the named assignor leaves the worst member."""
        hot, after = self.hottest, self.offer.option.balance
        return (
            hot is not None
            and not after.lag_is_partial
            and bool(after.max_lag)
            and hot.lag >= _FLOOR * after.max_lag
        )

    @property
    def stuck(self) -> tuple[str, ...]:
        """The partitions that make no progress with their owner, for which the group never
        drains.
        """
        time = self.situation.time
        return time.stuck if time is not None and isinf(time.seconds) else ()


def advice(situation: Situation, options: Sequence[Option], threshold: float = GAIN) -> Advice:
    """Return what to do; `options` without answers, and those that the group never reaches, are
    left out by the caller.

    Worth it is a gain of `threshold` or more where no cheaper answer gains as much within two
    points.
    """
    answered = [
        option for option in options if option.balance is not None and option.balance.lag.size
    ]
    if situation.balance is None or not answered:
        least = min(
            (option for option in answered if _is_own(option)), key=_least_lag, default=None
        )
        return Advice(
            None, Reason.UNKNOWN, situation, offer=least and Offer(least, Gain(-inf, inf))
        )
    now = now_of(situation)
    offers = [Offer(option, gain_of(now, situation, option, threshold)) for option in answered]
    own, others = (
        [one for one in offers if _is_own(one.option)],
        [one for one in offers if not _is_own(one.option)],
    )
    found = _of_own(situation, now, own, threshold)
    gained = found.offer.gain.least if found.offer and found.worth_it is not None else 0
    clearly = [one for one in others if one.gain.least >= max(threshold, gained + _POINTS)]
    is_topped = any(one.gain.least > gained + _SAME for one in others)
    return found._replace(
        beyond=None if found.reason == Reason.AT_REST else _cheapest_of_best(clearly),
        is_topped=is_topped,
    )


def _of_own(situation: Situation, now: Now, own: Sequence[Offer], threshold: float) -> Advice:
    """Return the advice on what the group can have by a setting."""
    missing = _missing(situation, own)
    later, hottest = _later(now, own), _floor(situation)
    # A member without a partition cannot take lag over.
    readers = min(situation.group.member_count, int(np.count_nonzero(situation.is_in_play)))
    found = Advice(
        False,
        Reason.ALREADY_BEST,
        situation,
        now,
        None,
        None,
        later,
        hottest,
        _is_even(now, readers),
        missing,
    )
    if situation.time is not None and situation.time.seconds == 0:
        # What is behind came between two commits: who has how much of it says nothing.
        return found._replace(reason=Reason.AT_REST)
    worth = [one for one in own if one.gain.least >= threshold]
    if worth:
        return found._replace(worth_it=True, reason=Reason.GAIN, offer=_cheapest_of_best(worth))
    if _rests(now, own):
        return found._replace(reason=Reason.AT_REST)
    possible = [one for one in own if one.gain.most >= threshold]
    if possible:
        return found._replace(
            worth_it=None,
            reason=Reason.UNKNOWN,
            offer=min(possible, key=lambda one: _least_lag(one.option)),
        )
    if found.stuck:
        return found._replace(reason=Reason.TOO_SLOW)
    most = _cheapest_of_best([one for one in own if one.gain.least > 0], _SAME)
    if most is not None:
        return found._replace(reason=Reason.SMALL_GAIN, offer=most)
    return found._replace(reason=_why_none(found))


def first_choice(found: Advice, in_use: str | None, options: Sequence[Option]) -> str | None:
    """Return the assignor to look at first: the one that the advice names, else the one in use,
    else an own one with the least lag.
    """
    if found.offer:
        return found.offer.name
    own = [option for option in options if option.balance is not None and _is_own(option)]
    names = [option.name for option in own]
    return in_use if in_use in names else min(own, key=_least_lag).name if own else None


def now_of(situation: Situation) -> Now:
    """Return the lag that gains are a part of."""
    group, lag, balance = situation.group, situation.lag, situation.balance
    owner = (
        np.full(group.tp_count, UNASSIGNED)
        if situation.current is None
        else situation.current.owner
    )
    unread = np.flatnonzero(situation.is_in_play & (owner == UNASSIGNED))
    alone, is_unread_partial = total_lag(lag[unread]) or 0, bool((lag[unread] == UNKNOWN_LAG).any())
    is_unread = alone > (balance.max_lag or 0)
    unread = unread[lag[unread] > 0]
    return Now(
        max_lag=alone if is_unread else balance.max_lag,
        is_partial=balance.lag_is_partial or is_unread_partial,
        unread=unread[np.argsort(-lag[unread], kind="stable")],
        unread_lag=alone,
        balance=balance,
        total=total_lag(lag[situation.is_in_play]),
    )


def gain_of(now: Now, situation: Situation, option: Option, threshold: float) -> Gain:
    """Return what an answer gains: of the worst member's lag, of the time to drain, or of the lag
    that gets a reader.

    An answer under which the group drains clearly later, or never, gains nothing. Where nobody
    reads the most lag, every answer gives it an owner. What idle members take over counts where
    times are unknown and the worst member's lag falls by less than the threshold.
    """
    if option.time is not None and option.time.is_later:
        return Gain(min(0.0, _lag_gain(now, option).most), 0.0)
    found = _lag_gain(now, option)
    if option.time is not None and option.time.is_sooner and situation.time is not None:
        earlier = (
            1.0
            if isinf(situation.time.seconds)
            else 1 - option.time.seconds / situation.time.seconds
        )
        return Gain(
            max(found.least, earlier),
            max(found.most, earlier),
            Kind.TIME if earlier > found.least else Kind.LAG,
        )
    if now.unread.size:
        return Gain(1.0, 1.0, Kind.READ)
    is_timed = (
        option.time is not None
        and situation.time is not None
        and isfinite(option.time.seconds + situation.time.seconds)
    )
    work = (
        _taken_over(now, option.balance) if 0 <= found.least < threshold and not is_timed else 0.0
    )
    return (
        Gain(max(found.least, work), max(found.most, work), Kind.WORK)
        if work > found.least
        else found
    )


def _lag_gain(now: Now, option: Option) -> Gain:
    """Return the part of the worst member's lag that goes away; a sum with unknown lags is a lower
    bound.
    """
    if (
        option.keeps_all
        or now.max_lag == 0 == option.balance.max_lag
        and not (now.is_partial or option.balance.lag_is_partial)
    ):
        return Gain(0.0, 0.0)
    if not now.max_lag or option.balance.max_lag is None:
        return Gain(-inf, 1.0 if now.is_partial or now.max_lag is None else 0.0)
    falls = 1 - option.balance.max_lag / now.max_lag
    return Gain(-inf if option.balance.lag_is_partial else falls, 1.0 if now.is_partial else falls)


def _taken_over(now: Now, after: Balance) -> float:
    """Return the part of the known lag that idle members take over, less that of members who become
    idle; 0 where as many are idle.
    """
    total, becomes_idle = after.lag.sum(), (after.partition_count == 0) & ~now.idle
    if not total or not after.idle_members < now.idle.sum():
        return 0.0
    return max(
        0.0, float((after.lag[now.idle].sum() - now.balance.lag[becomes_idle].sum()) / total)
    )


def _is_own(option: Option) -> bool:
    return option.needs in (Needs.REBALANCE, Needs.SETTING)


def _least_lag(option: Option) -> tuple:
    balance = option.balance
    lag = inf if balance.max_lag is None else balance.max_lag
    is_late = option.time is not None and option.time.is_later
    return is_late, lag, balance.idle_members or 0, balance.max_partitions or 0, *_price(option)


def _price(option: Option) -> tuple:
    """Order options by what they cost: what the group needs, then moves, pauses, rounds and
    restarts.
    """
    moved, _, paused, rounds, restarts = option.price
    ranks = list(Needs)
    return (
        ranks.index(option.needs),
        moved or 0,
        paused or 0,
        rounds or 0,
        AT_ONCE if restarts is None else restarts,
    )


def _cheapest_of_best(offers: Sequence[Offer], points: float = _POINTS) -> Offer | None:
    most = max((one.gain.least for one in offers), default=0)
    near = [one for one in offers if one.gain.least >= most - points]
    return min(near, key=lambda one: _price(one.option), default=None)


def _floor(situation: Situation) -> Hottest | None:
    """Return the partition whose lag its owner has under every assignor; none in a share group,
    where several members read one.
    """
    return None if situation.group_type == SHARE else hottest(situation.lag, situation.is_in_play)


def hottest(lag: np.ndarray, is_in_play: np.ndarray) -> Hottest | None:
    """Return the partition with the most known lag among those that an assignor can assign; None
    where no lag above 0 is known.

    `lag` int64 (P,), `is_in_play` bool (P,): a topic without a subscriber keeps the lag of its
    commits, and no member gets it.
    """
    tps = np.flatnonzero(is_in_play)
    if not tps.size or lag[tps].max() <= 0:
        return None
    tp = int(tps[lag[tps].argmax()])
    return Hottest(tp, int(lag[tp]))


def _is_even(now: Now, readers: int) -> bool:
    """Tell whether no spread of the lag over `readers` members could take much off the
    worst one.
    """
    is_known = bool(now.max_lag) and not now.is_partial and now.total is not None
    return is_known and readers > 1 and now.total / readers > now.max_lag * _FLOOR


def _later(now: Now, own: Sequence[Offer]) -> Offer | None:
    """Return what leaves the worst member the least, where it gains nothing because the group
    drains later.
    """
    late = [
        one
        for one in own
        if one.option.time is not None
        and one.option.time.is_later
        and _lag_gain(now, one.option).least > 0
    ]
    return min(late, key=lambda one: one.option.balance.max_lag, default=None)


def _rests(now: Now, own: Sequence[Offer]) -> bool:
    is_exact = not now.is_partial and all(not one.option.balance.lag_is_partial for one in own)
    return is_exact and now.max_lag == 0


def _missing(situation: Situation, own: Sequence[Offer]) -> float:
    """Return the records/s that are missing under whatever the group can have; NaN where it drains,
    is stuck or nothing is known.
    """
    times = [situation.time, *(one.option.time for one in own)]
    if not all(time is not None and isinf(time.seconds) and not time.stuck for time in times):
        return np.nan
    return times[0].missing


def _why_none(found: Advice) -> Reason:
    is_alone = found.situation.group.member_count == 1
    if found.is_hot and not (found.is_even or is_alone):
        return Reason.HOT_PARTITION
    return Reason.TOO_SLOW if found.missing > 0 else Reason.ALREADY_BEST
