"""The advice on a group in sentences: what it gains and costs, why nothing helps, and what a jar or
another protocol would add.
"""

from collections.abc import Sequence
from math import floor, isfinite, isinf, isnan
from typing import NamedTuple

from evenkeel.assignors import ASSIGNORS, JAVA
from evenkeel.assignors.clients.client import PACKAGE
from evenkeel.assignors.compare.advice import (
    AT_ONCE,
    Advice,
    Kind,
    Needs,
    Now,
    Offer,
    Price,
    Reason,
)
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.assignors.protocol import CONSUMER
from evenkeel.data.text.formats import (
    MINUS,
    NARROW,
    compact,
    compact_sum,
    count,
    duration,
    exact,
    percent,
    with_more,
)

_NO_MEMBERS = "No consumer is running: the group has no members, so there is nothing to assign"
_NOT_NAMED = "Whether a switch helps is unknown: the input names no members"

_NUMBERS = ("no", "one", "two")


class Sentences(NamedTuple):
    """`headline`: the answer. `rest`: what it costs and what else there is, each a sentence. All
    without the full stop at the end.
    """

    headline: str
    rest: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it, for texts without bold, with plain blanks."""
        return " ".join(f"{one}." for one in (self.headline, *self.rest)).replace(NARROW, " ")


def advice_words(found: Advice, client: str = JAVA, may_have_members: bool = False) -> Sentences:
    """Return the sentences; `client`: the one that leads the group. `may_have_members`: where it
    has none, the input does not name them.
    """
    if not found.situation.group.member_count:
        return Sentences(_NOT_NAMED if may_have_members else _NO_MEMBERS)
    said = _HEADLINES[found.reason](found)
    beyond = [_beyond(found, client)] if found.beyond else []
    outcome = (
        [_outcome(found.offer)]
        if found.offer and found.offer.option.unknown and found.reason != Reason.UNKNOWN
        else []
    )
    return said._replace(rest=(*said.rest, *beyond, *outcome))


def _gain(found: Advice) -> Sentences:
    offer, is_rebalance = found.offer, found.offer.option.needs == Needs.REBALANCE
    who = (
        f"the next rebalance under {offer.name}, which the group uses,"
        if is_rebalance
        else offer.name
    )
    return Sentences(
        f"Worth it: {who} {_does(found.now, found, offer)}",
        (f"It {_costs(found, offer.option.price)}", *_below(found), *_still(found)),
    )


def _still(found: Advice) -> list[str]:
    return (
        [f"The group still needs more throughput: {_rate(found.missing)}"]
        if found.missing > 0
        else []
    )


def _does(now: Now, found: Advice, offer: Offer) -> str:
    """Say what an assignor gains, the largest part first."""
    if offer.gain.kind == Kind.TIME:
        then, before = offer.option.time.seconds, found.situation.time.seconds
        instead = "where it never does now" if isinf(before) else f"instead of ≈ {duration(before)}"
        return f"drains the group in ≈ {duration(then)} {instead}{_beside(found, offer)}"
    if offer.gain.kind == Kind.WORK:
        idle = int((now.idle & (offer.option.balance.partition_count > 0)).sum())
        return f"gives {count(idle, 'idle member')} {percent(offer.gain.least)} of the lag; the worst member has {_worst(offer)}"
    if offer.gain.kind == Kind.READ:
        return f"gives {_unread(found)}; the worst member then has {_worst(offer)}"
    return f"lowers the worst member's lag from {_sum(now)} to {_worst(offer)} ({_percent(offer)})"


def _unread(found: Advice) -> str:
    """`t-1 an owner: no member reads it now, and it lags 900`."""
    first, *more = found.now.unread.tolist()
    names = with_more(_name(found, first), len(more))
    they, lag = ("them", "they lag") if more else ("it", "it lags")
    return f"{names} {'owners' if more else 'an owner'}: no member reads {they} now, and {lag} {compact(found.now.unread_lag)}"


def _beside(found: Advice, offer: Offer) -> str:
    now, after = found.now, offer.option.balance
    if now.unread.size:
        return f"; it gives {_unread(found)}"
    if now.max_lag is None or after.max_lag is None or after.max_lag == now.max_lag:
        return ""
    verb = "falls" if after.max_lag < now.max_lag else "grows"
    return f"; the worst member's lag {verb} from {_sum(now)} to {_worst(offer)}"


def _sum(now: Now) -> str:
    return (
        f"at least {compact(now.max_lag, is_least=True)}"
        if now.is_partial
        else compact(now.max_lag)
    )


def _worst(offer: Offer) -> str:
    after = offer.option.balance
    return compact_sum(after.max_lag, after.lag_is_partial)


def _percent(offer: Offer) -> str:
    """`−31 %`, `at least −31 %` where more of the lag now may be unknown."""
    falls = _whole(offer.gain.least)
    return f"{'at least ' * (offer.gain.most > offer.gain.least)}{MINUS}{falls}{NARROW}%"


def _whole(gain: float) -> int:
    # Never a hundred while some is left, and half away from zero as elsewhere.
    return min(floor(100 * gain + 0.5), 99) if gain < 1 else 100


def _costs(found: Advice, price: Price) -> str:
    if price.moved is None:
        return "costs moves and pauses that are unknown"
    moves = f"moves {_of_all(found, price.moved)}{_in_all_steps(found)}{_with_lag(price)}"
    *first, last = filter(None, [moves, _pauses(found, price), _restarts(price.restarts)])
    return f"{', '.join(first)} and {last}"


def _with_lag(price: Price) -> str:
    return f" ({compact(price.moved_lag)} lag)" if price.moved and price.moved_lag else ""


def _restarts(number: float | None) -> str:
    if number is None:
        return "needs restarts of all members"
    if number == AT_ONCE:
        return "needs all members stopped at the same time"
    return f"needs {_NUMBERS[int(number)]} rolling restart{'s' * (number > 1)}" if number else ""


def _pauses(found: Advice, price: Price) -> str:
    if price.paused is None:
        return "pauses an unknown number"
    if not price.paused:
        return "pauses none"
    # A partition may pause in several steps.
    whole = "all " * (
        price.paused == found.situation.group.tp_count > 1 and found.situation.step < 2
    )
    return f"pauses {whole}{exact(price.paused)}" + (
        f" in {count(price.rounds, 'round')}" if price.rounds else ""
    )


def _in_all_steps(found: Advice) -> str:
    return f" over {found.situation.step} steps" if found.situation.step > 1 else ""


def _of_all(found: Advice, moved: int) -> str:
    if found.situation.step > 1:
        return count(moved, "partition")
    return f"{exact(moved)} of {count(found.situation.group.tp_count, 'partition')}"


def _below(found: Advice) -> list[str]:
    """Name the partition that keeps the advised assignor from gaining more."""
    if found.offer.gain.kind == Kind.READ or not found.is_bounded:
        return []
    hot = found.hottest
    return [f"{_name(found, hot.tp)} alone has {compact(hot.lag, is_least=True)}"]


def _small_gain(found: Advice) -> Sentences:
    offer = found.offer
    moved = offer.option.price.moved
    cost = "" if moved is None else f", for {_of_all(found, moved)} moved{_in_all_steps(found)}"
    why: list[str] = []
    if found.is_hot:
        hot = found.hottest
        why = [
            f"{_name(found, hot.tp)} alone carries {compact(hot.lag)} of the worst member's {compact(found.now.max_lag)}"
        ]
    elif found.is_even:
        why = [f"The lag is spread evenly{_throughput(found)}"]
    return Sentences(
        f"Not worth it: the most that {_any(found)} gains is {_points(offer)} ({offer.name}){cost}",
        (*why, *_late(found)),
    )


def _any(found: Advice) -> str:
    """Say what the sentence is about, where there is more than that in the table."""
    if found.situation.group_type == CONSUMER:
        return "any assignor of the consumer protocol"
    return "a setting" if found.beyond or found.is_topped else "any assignor"


def _nothing(found: Advice) -> str:
    return (
        "No setting helps"
        if found.beyond
        else f"No {_any(found).removeprefix('a ').removeprefix('any ')} helps"
    )


def _late(found: Advice) -> list[str]:
    """`roundrobin would leave the worst member 60 instead of 100, but the group would drain in ≈ 20
    m instead of ≈ 16 m`.
    """
    if found.later is None:
        return []
    then, now = found.later.option.time.seconds, found.situation.time.seconds
    less = f"{found.later.name} would leave the worst member {_worst(found.later)} instead of {_sum(found.now)}"
    # Unknown of an answer whose members read about as much as comes in.
    known = (
        f"would drain in ≈ {duration(then)} instead of ≈ {duration(now)}"
        if isfinite(then)
        else "would never drain"
    )
    return [f"{less}, but the group {'may never drain' if isnan(then) else known}"]


def _points(offer: Offer) -> str:
    """`6 %`, `less than 1 %`, with what the gain is of where that is not the worst member's lag."""
    whole = _whole(offer.gain.least)
    said = f"{whole}{NARROW}%" if whole else f"less than 1{NARROW}%"
    of = {
        Kind.LAG: "",
        Kind.TIME: " of the time to drain",
        Kind.WORK: " of the lag for idle members",
    }
    return said + of[offer.gain.kind]


def _hot_partition(found: Advice) -> Sentences:
    carries = f"{_name(found, found.hottest.tp)} alone carries {compact(found.hottest.lag)}"
    more = [f"The group needs more throughput: {_rate(found.missing)}"] if _is_short(found) else []
    return Sentences(
        f"{_nothing(found)}: {carries}; split its key or add partitions", (*more, *_late(found))
    )


def _name(found: Advice, tp: int) -> str:
    return tp_name(found.situation.group, tp)


def _too_slow(found: Advice) -> Sentences:
    if found.stuck:
        return _stuck(found.stuck)
    if found.situation.group.member_count == 1:
        return Sentences(
            f"{_nothing(found)}: the only member gets every partition{_throughput(found)}"
        )
    if found.is_even:
        return Sentences(f"{_nothing(found)}: the lag is spread evenly{_throughput(found)}")
    return Sentences(f"{_nothing(found)}: under none is the group ever drained{_throughput(found)}")


def _stuck(names: Sequence[str]) -> Sentences:
    first, *more = names
    if not more:
        return Sentences(
            f"No switch mends this: {first} makes no progress with its owner; look at that member first"
        )
    return Sentences(
        f"No switch mends this: {with_more(first, len(more))} make no progress with their owners; look at them first"
    )


def _throughput(found: Advice) -> str:
    return f"; the group needs more throughput: {_rate(found.missing)}" if _is_short(found) else ""


def _is_short(found: Advice) -> bool:
    """Tell whether the group reads too little whatever it is switched to; another protocol or a jar
    may still drain it.
    """
    return found.missing > 0 and not (found.beyond and found.beyond.gain.kind == Kind.TIME)


def _rate(missing: float) -> str:
    return f"{missing:,.1f} records/s more"


def _already_best(found: Advice) -> Sentences:
    now = found.now
    if found.situation.group.member_count == 1:
        return Sentences(
            f"{_nothing(found)}: the only member gets every partition; add members to spread them"
        )
    if not now.max_lag:
        return Sentences(f"{_nothing(found)}: each leaves every partition with its owner")
    if found.is_even:
        return Sentences(f"Already best: the lag is spread evenly, {_sum(now)} on the worst member")
    if found.later:
        return Sentences(f"Already best: {_late(found)[0]}")
    if found.beyond:
        return Sentences(f"No setting takes lag off the worst member, which has {_sum(now)}")
    among = " of the consumer protocol" * (found.situation.group_type == CONSUMER)
    return Sentences(
        f"Already best: no assignor{among} leaves the worst member less than its {_sum(now)}"
    )


def _at_rest(found: Advice) -> Sentences:
    keeps_up = bool(found.now and found.now.max_lag)
    return Sentences(
        f"No switch is needed: {'the group keeps up' if keeps_up else 'no partition lags'}"
    )


def _unknown(found: Advice) -> Sentences:
    offer, now = found.offer, found.now
    if now is None:
        under = (
            [f"Under {offer.name} the worst member has {_worst(offer)}, the least of all"]
            if _has_lag(offer)
            else []
        )
        what = "the assignor in use is" if found.situation.step else "the current owners are"
        return Sentences(f"Whether a switch helps is unknown: {what} unknown", tuple(under))
    if not _has_lag(offer) or now.max_lag is None:
        return Sentences("Whether a switch helps is unknown: every lag is unknown")
    bound = f"Under {offer.name} the worst member has {_worst(offer)}; now it has {_sum(now)}"
    return Sentences("Whether a switch helps is unknown: some lags are unknown", (bound,))


def _has_lag(offer: Offer | None) -> bool:
    return offer is not None and offer.option.balance.max_lag is not None


def _beyond(found: Advice, client: str) -> str:
    """`lag would reach 110 k (−31 %) with 1 move; it needs a jar, KAFKA-5337`."""
    offer = found.beyond
    moved = offer.option.price.moved
    moves = "" if moved is None else f" with {count(moved, 'move')}"
    return f"{offer.name} would {_would(found, offer)}{moves}{_needs(offer, client)}"


def _would(found: Advice, offer: Offer) -> str:
    if offer.gain.kind == Kind.TIME:
        before = found.situation.time.seconds
        now = "never" if isinf(before) else f"≈ {duration(before)}"
        return f"drain the group in ≈ {duration(offer.option.time.seconds)} (now {now})"
    if offer.gain.kind == Kind.WORK:
        return f"give idle members {percent(offer.gain.least)} of the lag"
    if offer.gain.kind == Kind.READ:
        return f"give {_unread(found)}"
    return f"reach {_worst(offer)} ({_percent(offer)})"


def _needs(offer: Offer, client: str) -> str:
    label = (
        f", {ASSIGNORS[offer.name].label}"
        if offer.name in ASSIGNORS and ASSIGNORS[offer.name].label
        else ""
    )
    return {
        Needs.PACKAGE: f"; it needs the package {PACKAGE}{label}",
        Needs.JAR: f"; it needs a jar{label}",
        Needs.PROTOCOL: "; it needs the consumer protocol, KIP-848",
        Needs.CLIENT: f", but {client} cannot run it",
    }[offer.option.needs]


def _outcome(offer: Offer) -> str:
    return f"This is one valid outcome of several: {offer.name}'s answer depends on unknown inputs, {' and '.join(offer.option.unknown)}"


_HEADLINES = {
    Reason.GAIN: _gain,
    Reason.SMALL_GAIN: _small_gain,
    Reason.HOT_PARTITION: _hot_partition,
    Reason.TOO_SLOW: _too_slow,
    Reason.ALREADY_BEST: _already_best,
    Reason.AT_REST: _at_rest,
    Reason.UNKNOWN: _unknown,
}
